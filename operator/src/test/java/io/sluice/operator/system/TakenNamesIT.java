// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system;

import static io.sluice.testkit.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.decide.Specs;
import io.sluice.testkit.ApiServer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Somebody's objects have names that a cluster's would have. The operator acts under the chart's
 * role, on an API server that lets it become an owner of anything, as Kubernetes does by default,
 * and on one that does not, as OpenShift.
 */
class TakenNamesIT {
    @RegisterExtension static final ApiServer FREE = new ApiServer();

    @RegisterExtension
    static final ApiServer ENFORCING = ApiServer.enabling("OwnerReferencesPermissionEnforcement");

    /** An object that was there, and the FlinkDeployment that would need its name. */
    private record Taken(String resource, HasMetadata object, String before) {}

    private KubernetesClient client;
    private String namespace;

    static Stream<Arguments> servers() {
        return Stream.of(FREE, ENFORCING)
                .flatMap(
                        api ->
                                Stream.of("native", "standalone")
                                        .map(mode -> Arguments.of(api, mode)));
    }

    @ParameterizedTest
    @MethodSource("servers")
    void whatIsSomebodyElsesStaysAsItIsFromTheCreationToTheDeletion(ApiServer api, String mode) {
        client = api.client();
        namespace = api.newNamespace();
        List<Taken> taken = new ArrayList<>();
        taken.add(take("rest", service("rest-rest")));
        taken.add(take("headless", service("headless")));
        taken.add(take("labelled", labelled(service("labelled-rest"), "labelled")));
        taken.add(take("map", map("flink-config-map")));
        taken.add(take("job", deployment("job")));
        if (mode.equals("standalone")) {
            taken.add(take("tasks", deployment("tasks-taskmanager")));
        }
        List<Taken> unneeded =
                List.of(
                        take("template", map("pod-template-template")),
                        take("scaled", map("autoscaler-scaled")));
        OperatorAccount account = OperatorAccount.in(api, namespace).serving(namespace);
        try (KubernetesClient role = account.client();
                var _ = new RunningOperator(role, namespace)) {
            Stream.concat(taken.stream(), unneeded.stream())
                    .forEach(each -> create(each.resource(), mode));

            taken.forEach(this::tellsOfIt);
            unneeded.forEach(
                    each ->
                            soon(
                                    () ->
                                            assertThat(
                                                            new Kubelet(client, namespace)
                                                                    .deployment(each.resource()))
                                                    .isPresent()));
            stayAsTheyWere(taken);
            stayAsTheyWere(unneeded);

            taken.forEach(each -> edit(each.resource()));
            taken.forEach(this::tellsOfIt);
            stayAsTheyWere(taken);

            Stream.concat(taken.stream(), unneeded.stream())
                    .forEach(each -> client.resource(resource(each.resource())).delete());
            Stream.concat(taken.stream(), unneeded.stream()).forEach(this::goes);
            stayAsTheyWere(taken);
            stayAsTheyWere(unneeded);
        }
    }

    /** The second of two resources that share a name of a Service waits for the first to go. */
    @ParameterizedTest
    @MethodSource("servers")
    void oneOfTwoResourcesWhoseNamesCollideIsHeld(ApiServer api, String mode) {
        client = api.client();
        namespace = api.newNamespace();
        OperatorAccount account = OperatorAccount.in(api, namespace).serving(namespace);
        try (KubernetesClient role = account.client();
                var _ = new RunningOperator(role, namespace)) {
            create("a", mode);
            soon(() -> assertThat(new Kubelet(client, namespace).deployment("a")).isPresent());
            String service = bytes(service("a-rest"));

            create("a-rest", mode);

            soon(
                    () ->
                            assertThat(message("a-rest", "Stalled"))
                                    .contains(
                                            "Service 'a-rest' is there already",
                                            "it belongs to FlinkDeployment 'a'"));
            client.resource(resource("a-rest")).delete();
            soon(() -> assertThat(find("a-rest")).isEmpty());
            assertThat(bytes(service("a-rest"))).isEqualTo(service);
        }
    }

    private Taken take(String resource, HasMetadata object) {
        client.resource(object).create();
        return new Taken(resource, object, bytes(object));
    }

    private void stayAsTheyWere(List<Taken> taken) {
        taken.forEach(each -> assertThat(bytes(each.object())).isEqualTo(each.before()));
    }

    private void tellsOfIt(Taken taken) {
        String what =
                "%s '%s' is there already"
                        .formatted(
                                taken.object().getKind(), taken.object().getMetadata().getName());
        soon(
                () -> {
                    FlinkDeployment resource = resource(taken.resource());
                    assertThat(resource.getStatus().path("observedGeneration").asLong())
                            .isEqualTo(resource.getMetadata().getGeneration());
                    assertThat(message(taken.resource(), "Stalled")).contains(what);
                    assertThat(reason(taken.resource(), "Stalled")).isEqualTo("ManifestsRefused");
                    assertThat(
                                    client.v1()
                                            .events()
                                            .inNamespace(namespace)
                                            .withField("involvedObject.name", taken.resource())
                                            .list()
                                            .getItems())
                            .anyMatch(event -> event.getMessage().contains(what));
                });
    }

    /** A Deployment of the unneeded cases is deleted in the foreground, which nobody does here. */
    private void goes(Taken taken) {
        soon(
                () -> {
                    new Kubelet(client, namespace).finishDeletion(taken.resource());
                    new Kubelet(client, namespace)
                            .finishDeletion(taken.resource() + "-taskmanager");
                    assertThat(find(taken.resource())).isEmpty();
                });
    }

    private void create(String name, String mode) {
        var resource = new FlinkDeployment();
        resource.setMetadata(named(name));
        ObjectNode spec = Specs.application("flink:1.20", "stateless");
        spec.put("mode", mode);
        resource.setSpec(spec);
        client.resource(resource).create();
    }

    private void edit(String name) {
        new Kubectl(client, namespace)
                .edit(FlinkDeployment.class, name, spec -> spec.put("image", "flink:1.20-new"));
    }

    private List<FlinkDeployment> find(String name) {
        return client
                .resources(FlinkDeployment.class)
                .inNamespace(namespace)
                .list()
                .getItems()
                .stream()
                .filter(each -> each.getMetadata().getName().equals(name))
                .toList();
    }

    private FlinkDeployment resource(String name) {
        return client.resources(FlinkDeployment.class).inNamespace(namespace).withName(name).get();
    }

    private String message(String name, String type) {
        return condition(name, type).path("message").asText();
    }

    private String reason(String name, String type) {
        return condition(name, type).path("reason").asText();
    }

    private JsonNode condition(String name, String type) {
        return resource(name)
                .getStatus()
                .path("conditions")
                .valueStream()
                .filter(each -> each.path("type").asText().equals(type))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " has no condition " + type));
    }

    private String bytes(HasMetadata object) {
        return client.raw(
                "/%s/%s/namespaces/%s/%s/%s"
                        .formatted(
                                object.getApiVersion().contains("/") ? "apis" : "api",
                                object.getApiVersion(),
                                namespace,
                                object.getPlural(),
                                object.getMetadata().getName()));
    }

    private ObjectMeta named(String name) {
        return new ObjectMetaBuilder().withNamespace(namespace).withName(name).build();
    }

    private HasMetadata map(String name) {
        return new ConfigMapBuilder()
                .withMetadata(named(name))
                .withData(Map.of("theirs", "kept"))
                .build();
    }

    private static HasMetadata labelled(HasMetadata object, String cluster) {
        object.getMetadata().setLabels(Map.of("app", cluster, "type", "flink-native-kubernetes"));
        return object;
    }

    private HasMetadata service(String name) {
        return new ServiceBuilder()
                .withMetadata(named(name))
                .withNewSpec()
                .withSelector(Map.of("app", "theirs"))
                .addNewPort()
                .withPort(80)
                .endPort()
                .endSpec()
                .build();
    }

    private HasMetadata deployment(String name) {
        Map<String, String> labels = Map.of("app", "theirs");
        return new DeploymentBuilder()
                .withMetadata(named(name))
                .withNewSpec()
                .withReplicas(7)
                .withNewSelector()
                .withMatchLabels(labels)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("theirs")
                .withImage("theirs")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }
}
