// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.FlinkDeployment;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What becomes of an object that is created. */
interface CreationContract extends ApiServerContract {
    @Test
    default void aCreationGivesAUidATimeAndAVersion() {
        ConfigMap created =
                client().resource(map(cluster().newNamespace(), "a", Map.of())).create();

        assertThat(created.getMetadata().getUid()).hasSize(36);
        assertThat(created.getMetadata().getCreationTimestamp()).matches("[0-9-]{10}T[0-9:]{8}Z");
        assertThat(created.getMetadata().getResourceVersion()).matches("[0-9]+");
        assertThat(created.getMetadata().getGeneration()).isNull();
        assertThat(now(created)).isEqualTo(created);
    }

    @Test
    default void aLaterObjectOfTheNameHasAnotherUid() {
        ConfigMap wanted = map(cluster().newNamespace(), "a", Map.of());
        ConfigMap first = client().resource(wanted).create();
        client().resource(first).delete();

        ConfigMap second = client().resource(wanted).create();

        assertThat(second.getMetadata().getUid()).isNotEqualTo(first.getMetadata().getUid());
    }

    @Test
    default void versionsGrowFromKindToKind() {
        String namespace = cluster().newNamespace();

        long map = version(client().resource(map(namespace, "a", Map.of())).create());
        long deployment = version(client().resource(flink(namespace, "a")).create());
        long later = version(client().resource(map(namespace, "b", Map.of())).create());

        assertThat(deployment).isGreaterThan(map);
        assertThat(later).isGreaterThan(deployment);
    }

    private static long version(HasMetadata of) {
        return Long.parseLong(of.getMetadata().getResourceVersion());
    }

    @Test
    default void aSecondObjectOfANameIsRefused() {
        ConfigMap first = client().resource(map(cluster().newNamespace(), "a", Map.of())).create();

        KubernetesClientException refused =
                refusal(
                        () ->
                                client().resource(
                                                map(
                                                        first.getMetadata().getNamespace(),
                                                        "a",
                                                        Map.of()))
                                        .create(),
                        409);

        assertThat(refused.getStatus().getReason()).isEqualTo("AlreadyExists");
        assertThat(refused.getStatus().getDetails().getName()).isEqualTo("a");
        assertThat(now(first)).isEqualTo(first);
    }

    @Test
    default void anObjectOfANamespaceThatIsNotThereIsRefused() {
        KubernetesClientException refused =
                refusal(() -> client().resource(map("no-such", "a", Map.of())).create(), 404);

        assertThat(refused.getMessage()).contains("namespaces \"no-such\" not found");
    }

    @Test
    default void anObjectOfANamespaceThatIsBeingDeletedIsRefused() {
        String name = cluster().newNamespace();
        client().namespaces().withName(name).delete();

        KubernetesClientException refused =
                refusal(() -> client().resource(map(name, "a", Map.of())).create(), 403);

        assertThat(refused.getStatus().getDetails().getCauses())
                .anyMatch(cause -> "NamespaceTerminating".equals(cause.getReason()));
        Namespace terminating = client().namespaces().withName(name).get();
        assertThat(terminating.getStatus().getPhase()).isEqualTo("Terminating");
    }

    @Test
    default void aGeneratedNameBeginsAsAskedAndIsNoOthers() {
        ConfigMap wanted =
                new ConfigMapBuilder(map(cluster().newNamespace(), "a", Map.of()))
                        .editMetadata()
                        .withName(null)
                        .withGenerateName("run-")
                        .endMetadata()
                        .build();

        String first = client().resource(wanted).create().getMetadata().getName();
        String second = client().resource(wanted).create().getMetadata().getName();

        assertThat(first).matches("run-[a-z0-9]{5}");
        assertThat(second).matches("run-[a-z0-9]{5}").isNotEqualTo(first);
    }

    @Test
    default void aStatusIsNotCreated() {
        FlinkDeployment wanted = flink(cluster().newNamespace(), "a");
        wanted.setStatus(JsonNodeFactory.instance.objectNode().put("observedGeneration", 7));

        FlinkDeployment created = client().resource(wanted).create();

        assertThat(created.getMetadata().getGeneration()).isEqualTo(1);
        assertThat(created.getStatus() == null || created.getStatus().isEmpty()).isTrue();
    }

    @Test
    default void aDryRunStoresNothing() {
        ConfigMap wanted = map(cluster().newNamespace(), "a", Map.of("a", "1"));

        ConfigMap answered = client().resource(wanted).dryRun().create();

        assertThat(answered.getData()).isEqualTo(Map.of("a", "1"));
        assertThat(now(wanted)).isNull();
    }

    @Test
    default void aCreationSaysWhoSetWhat() {
        ConfigMap created =
                written("POST", map(cluster().newNamespace(), "a", Map.of("a", "1")), "one");

        assertThat(created.getMetadata().getManagedFields())
                .singleElement()
                .satisfies(
                        entry -> {
                            assertThat(entry.getManager()).isEqualTo("one");
                            assertThat(entry.getOperation()).isEqualTo("Update");
                            assertThat(entry.getFieldsV1().getAdditionalProperties())
                                    .containsKey("f:data");
                        });
    }
}
