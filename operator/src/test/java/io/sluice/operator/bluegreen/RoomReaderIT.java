// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.rbac.PolicyRule;
import io.fabric8.kubernetes.api.model.rbac.PolicyRuleBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBindingBuilder;
import io.fabric8.kubernetes.api.model.rbac.RoleBuilder;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.manifest.Room;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.model.AutoscalerOverrides;
import io.sluice.operator.model.SpecView;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.testkit.ApiServer;
import io.sluice.testkit.EffectiveAccess;
import java.math.BigDecimal;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RoomReaderIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private final String namespace = API.newNamespace();

    @Test
    void readsWhatEachQuotaLeavesAndLeavesOutThoseThatCountSomePodsOnly() {
        counted(
                "team",
                Map.of("requests.cpu", "2", "pods", "10"),
                Map.of("requests.cpu", "1500m", "pods", "4"));
        counted("fresh", Map.of("memory", "1Gi"), Map.of());
        API.client()
                .resource(
                        quota("scoped", Map.of("pods", "0"))
                                .editSpec()
                                .withScopes("Terminating")
                                .endSpec()
                                .build())
                .create();

        Room room = room(API.client(), UnaryOperator.identity());

        assertThat(room.quotas())
                .containsExactlyInAnyOrder(
                        new Room.Quota(
                                "team",
                                Map.of(
                                        "requests.cpu",
                                        new BigDecimal("0.500"),
                                        "pods",
                                        BigDecimal.valueOf(6))),
                        new Room.Quota("fresh", Map.of("memory", BigDecimal.valueOf(1L << 30))));
        assertThat(room.asked().get("pods")).isEqualByComparingTo("2");
        assertThat(room.asked().get("count/flinkdeployments.flink.apache.org"))
                .as("the half itself")
                .isEqualByComparingTo("1");
    }

    @Test
    void asksForTheSizeThatTheAutoscalerGaveTheActiveHalf() {
        Map<String, String> five =
                Map.of("parallelismOverrides", "cbc357ccb763df2852fee8c4fc7d55f2:5");
        UnaryOperator<ObjectNode> scaled =
                spec -> Specs.configured(spec, "job.autoscaler.enabled", "true");

        assertThat(room(API.client(), UnaryOperator.identity(), five).asked().get("pods"))
                .as("nobody asks for autoscaling")
                .isEqualByComparingTo("2");
        assertThat(room(API.client(), scaled, five).asked().get("pods")).isEqualByComparingTo("6");
    }

    @Test
    void goesOnWithoutWhereQuotasCannotBeListed() {
        counted("team", Map.of("pods", "0"), Map.of());
        PolicyRule maps =
                new PolicyRuleBuilder()
                        .withApiGroups("")
                        .withResources("configmaps")
                        .withVerbs("get")
                        .build();
        API.client()
                .resource(
                        new RoleBuilder()
                                .withNewMetadata()
                                .withNamespace(namespace)
                                .withName("maps")
                                .endMetadata()
                                .withRules(maps)
                                .build())
                .create();
        API.client()
                .resource(
                        new RoleBindingBuilder()
                                .withNewMetadata()
                                .withNamespace(namespace)
                                .withName("maps")
                                .endMetadata()
                                .withNewRoleRef("rbac.authorization.k8s.io", "Role", "maps")
                                .addNewSubject("rbac.authorization.k8s.io", "User", "narrow", null)
                                .build())
                .create();
        new EffectiveAccess(API.client(), "narrow").await(namespace, maps);
        Config narrow = Config.fromKubeconfig(API.kubeconfig());
        narrow.setImpersonateUsername("narrow");

        try (KubernetesClient client = new KubernetesClientBuilder().withConfig(narrow).build()) {
            assertThat(room(client, UnaryOperator.identity())).isEqualTo(Room.NOT_ASKED);
        }
        assertThat(room(API.client(), UnaryOperator.identity()).quotas()).isNotEmpty();
    }

    private Room room(KubernetesClient client, UnaryOperator<ObjectNode> change) {
        return room(client, change, Map.of());
    }

    private Room room(
            KubernetesClient client,
            UnaryOperator<ObjectNode> change,
            Map<String, String> overrides) {
        ObjectNode raw = change.apply(Specs.application("flink:1.20", "savepoint"));
        return new RoomReader(client, () -> DefaultConfiguration.NONE)
                .of(
                        namespace,
                        new SpecView.Valid(FlinkDeploymentSpec.parse(raw, "spec").value(), raw),
                        AutoscalerOverrides.of(overrides));
    }

    /** No controller counts here, so that the test says what it would have counted. */
    private void counted(String name, Map<String, String> hard, Map<String, String> used) {
        ResourceQuota created = API.client().resource(quota(name, hard).build()).create();
        var status = new ResourceQuotaBuilder(created).withNewStatus();
        hard.forEach((resource, amount) -> status.addToHard(resource, new Quantity(amount)));
        used.forEach((resource, amount) -> status.addToUsed(resource, new Quantity(amount)));
        API.client().resource(status.endStatus().build()).updateStatus();
    }

    private ResourceQuotaBuilder quota(String name, Map<String, String> hard) {
        var spec =
                new ResourceQuotaBuilder()
                        .withNewMetadata()
                        .withNamespace(namespace)
                        .withName(name)
                        .endMetadata()
                        .withNewSpec();
        hard.forEach((resource, amount) -> spec.addToHard(resource, new Quantity(amount)));
        return spec.endSpec();
    }
}
