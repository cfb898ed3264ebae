// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.decide.Specs;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** A deployment with {@code spec.ingress}, and what becomes of it. */
public record ExposedJob(KubernetesClient client, String namespace) {
    public static final String NAME = "orders";

    public void create(String template) {
        var resource = new FlinkDeployment();
        resource.getMetadata().setName(NAME);
        resource.getMetadata().setNamespace(namespace);
        ObjectNode spec = Specs.application("flink:1.20", "stateless");
        spec.withObject("/ingress").put("template", template);
        resource.setSpec(spec);
        client.resource(resource).create();
    }

    public void edit(Consumer<ObjectNode> change) {
        new Kubectl(client, namespace)
                .edit(
                        FlinkDeployment.class,
                        NAME,
                        spec -> {
                            change.accept(spec);
                            return spec;
                        });
    }

    public Optional<Ingress> ingress() {
        return Optional.ofNullable(
                client.network().v1().ingresses().inNamespace(namespace).withName(NAME).get());
    }

    public Optional<HTTPRoute> route() {
        return Optional.ofNullable(
                client.resources(HTTPRoute.class).inNamespace(namespace).withName(NAME).get());
    }

    /** The uid of the JobManager's Deployment: another one is another cluster. */
    public Optional<String> cluster() {
        return new Kubelet(client, namespace)
                .deployment(NAME)
                .map(found -> found.getMetadata().getUid());
    }

    /** Messages of the events about what {@code spec.ingress} asks for. */
    public List<String> told() {
        return client.v1().events().inNamespace(namespace).list().getItems().stream()
                .filter(event -> event.getReason().equals("IngressManagement"))
                .map(Event::getMessage)
                .toList();
    }
}
