// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.ingress;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.manifest.GatewayRef;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.observe.ChildResources;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.StatusStore;
import io.sluice.rules.config.DefaultConfiguration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class IngressesTest {
    private static final Outcome WROTE =
            new Outcome(Reason.JOB_RUNNING, true, false, Optional.empty());

    private final List<ResourceEvent> told = new ArrayList<>();

    @Test
    void theOperatorsConfigurationSaysWhatIsMade() {
        var gateway = Map.of("kubernetes.operator.ingress.gateway", "infra/public#https");

        assertThat(Ingresses.kind(DefaultConfiguration.NONE)).contains(Ingress.class);
        assertThat(Ingresses.kind(configured(gateway))).contains(HTTPRoute.class);
        assertThat(Ingresses.gateway(configured(gateway)))
                .contains(new GatewayRef(Optional.of("infra"), "public", Optional.of("https")));
        assertThat(Ingresses.kind(unmanaged())).isEmpty();
    }

    @Test
    void tellsThatNothingIsMadeWhereNothingIsManaged() {
        try (KubernetesClient client = nobody()) {
            var ingresses =
                    ingresses(client, Map.of("kubernetes.operator.ingress.manage", "false"));

            Outcome outcome =
                    ingresses.reconcile(
                            exposed(),
                            new ChildResources(Optional.empty(), List.of(), Optional.empty()),
                            (_, _) -> StatusStore.Saved.KEPT);

            assertThat(outcome).isEqualTo(WROTE);
        }
        assertThat(told)
                .singleElement()
                .extracting(ResourceEvent::message)
                .asString()
                .contains("kubernetes.operator.ingress.manage: false");
    }

    @Test
    void makesNothingThatThePlatformTeamDoesNotAllow() {
        var onlyOwn =
                Map.of(
                        "kubernetes.operator.admission.allowed.ingress-hosts",
                        "*.{{namespace}}.example.org");

        // Nobody could be asked: a request would end the test.
        try (KubernetesClient client = nobody()) {
            ingresses(client, onlyOwn)
                    .reconcile(
                            exposed(),
                            new ChildResources(Optional.empty(), List.of(), Optional.empty()),
                            (_, _) -> StatusStore.Saved.KEPT);
        }

        assertThat(told)
                .singleElement()
                .extracting(ResourceEvent::message)
                .asString()
                .contains("spec.ingress.template: 'orders.example.org'")
                .contains("use *.shop.example.org, or ask for it in")
                .contains("allowed.ingress-hosts");
    }

    private Ingresses ingresses(KubernetesClient client, Map<String, String> entries) {
        return new Ingresses(
                client,
                () -> configured(entries),
                Optional.empty(),
                (_, notes) -> told.addAll(notes),
                (_, _, _) -> WROTE);
    }

    /** No API server listens there: whatever is asked of it fails. */
    private static KubernetesClient nobody() {
        Config nobody = Config.empty();
        nobody.setMasterUrl("http://127.0.0.1:1");
        nobody.setRequestRetryBackoffLimit(0);
        return new KubernetesClientBuilder().withConfig(nobody).build();
    }

    private static FlinkDeployment exposed() {
        var resource = new FlinkDeployment();
        resource.setMetadata(
                new ObjectMetaBuilder().withNamespace("shop").withName("orders").build());
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        spec.putObject("ingress").put("template", "{{name}}.example.org");
        resource.setSpec(spec);
        return resource;
    }

    private static DefaultConfiguration unmanaged() {
        return configured(Map.of("kubernetes.operator.ingress.manage", "false"));
    }

    private static DefaultConfiguration configured(Map<String, String> entries) {
        return new DefaultConfiguration(new FlinkConfiguration(entries));
    }
}
