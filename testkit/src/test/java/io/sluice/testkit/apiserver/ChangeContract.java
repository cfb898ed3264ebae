// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.FlinkDeployment;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What an update (PUT) does, of an object and of its status. */
interface ChangeContract extends ApiServerContract {
    private ConfigMap stored() {
        return client().resource(map(cluster().newNamespace(), "a", Map.of("a", "1"))).create();
    }

    private ConfigMap with(ConfigMap map, String value) {
        return new ConfigMapBuilder(map).withData(Map.of("a", value)).build();
    }

    private FlinkDeployment storedFlink() {
        return client().resource(flink(cluster().newNamespace(), "a")).create();
    }

    @Test
    default void anUpdateGivesANewVersionAndKeepsTheRestOfTheIdentity() {
        ConfigMap before = stored();

        ConfigMap after = client().resource(with(before, "2")).update();

        assertThat(after.getData()).isEqualTo(Map.of("a", "2"));
        assertThat(after.getMetadata().getResourceVersion())
                .isNotEqualTo(before.getMetadata().getResourceVersion());
        assertThat(after.getMetadata().getUid()).isEqualTo(before.getMetadata().getUid());
        assertThat(after.getMetadata().getCreationTimestamp())
                .isEqualTo(before.getMetadata().getCreationTimestamp());
    }

    @Test
    default void anUpdateOfAnEarlierVersionIsAConflict() {
        ConfigMap before = stored();
        ConfigMap after = client().resource(with(before, "2")).update();

        KubernetesClientException refused =
                refusal(() -> client().resource(with(before, "3")).update(), 409);

        assertThat(refused.getStatus().getReason()).isEqualTo("Conflict");
        assertThat(now(before)).isEqualTo(after);
    }

    @Test
    default void anUpdateWithoutAVersionReplacesWhatIsThere() {
        ConfigMap before = stored();

        ConfigMap after =
                written(
                        "PUT",
                        map(before.getMetadata().getNamespace(), "a", Map.of("b", "1")),
                        "one");

        assertThat(after.getMetadata().getUid()).isEqualTo(before.getMetadata().getUid());
        assertThat(after.getData()).isEqualTo(Map.of("b", "1"));
    }

    @Test
    default void anUpdateOfACustomResourceHasToNameAVersion() {
        String namespace = storedFlink().getMetadata().getNamespace();

        refusal(
                () ->
                        client().raw(
                                        "/apis/flink.apache.org/v1beta1/namespaces/%s/flinkdeployments/a"
                                                .formatted(namespace),
                                        "PUT",
                                        flink(namespace, "a")),
                422);
    }

    @Test
    default void anUpdateOfNothingIsRefused() {
        refusal(
                () -> client().resource(map(cluster().newNamespace(), "a", Map.of())).update(),
                404);
    }

    @Test
    default void anUpdateThatChangesNothingKeepsTheVersion() {
        ConfigMap before = stored();

        assertThat(client().resource(before).update().getMetadata().getResourceVersion())
                .isEqualTo(before.getMetadata().getResourceVersion());
    }

    @Test
    default void anUpdateOfAnotherUidIsAConflict() {
        ConfigMap before = stored();
        ConfigMap another =
                new ConfigMapBuilder(with(before, "2"))
                        .editMetadata()
                        .withUid(UUID.randomUUID().toString())
                        .withResourceVersion(null)
                        .endMetadata()
                        .build();

        refusal(() -> client().resource(another).update(), 409);

        assertThat(now(before)).isEqualTo(before);
    }

    @Test
    default void theGenerationCountsChangesOfTheSpecAlone() {
        FlinkDeployment resource = storedFlink();
        resource.getMetadata().setLabels(Map.of("a", "1"));
        resource = client().resource(resource).update();
        resource.setStatus(JsonNodeFactory.instance.objectNode().put("observedGeneration", 1));
        resource = client().resource(resource).updateStatus();
        assertThat(resource.getMetadata().getGeneration()).isEqualTo(1);

        resource.getSpec().put("image", "flink:1.20-new");
        resource = client().resource(resource).update();

        assertThat(resource.getMetadata().getGeneration()).isEqualTo(2);
    }

    @Test
    default void anUpdateOfTheObjectLeavesItsStatusAlone() {
        FlinkDeployment resource = storedFlink();
        resource.setStatus(JsonNodeFactory.instance.objectNode().put("observedGeneration", 1));
        resource = client().resource(resource).updateStatus();

        resource.getStatus().put("observedGeneration", 2);
        resource.getSpec().put("image", "flink:1.20-new");
        FlinkDeployment after = client().resource(resource).update();

        assertThat(after.getStatus().path("observedGeneration").asInt()).isEqualTo(1);
        assertThat(after.getSpec().path("image").asText()).isEqualTo("flink:1.20-new");
    }

    @Test
    default void anUpdateOfTheStatusLeavesTheObjectAlone() {
        FlinkDeployment resource = storedFlink();
        resource.getSpec().put("image", "flink:1.20-new");
        resource.getMetadata().setLabels(Map.of("a", "1"));
        resource.setStatus(JsonNodeFactory.instance.objectNode().put("observedGeneration", 1));

        FlinkDeployment after = client().resource(resource).updateStatus();

        assertThat(after.getSpec().path("image").asText()).isEqualTo("flink:1.20");
        assertThat(after.getMetadata().getLabels()).isNullOrEmpty();
        assertThat(after.getStatus().path("observedGeneration").asInt()).isEqualTo(1);
    }

    @Test
    default void anUpdateOfTheStatusOfAnEarlierVersionIsAConflict() {
        FlinkDeployment before = storedFlink();
        FlinkDeployment edited = now(before);
        edited.getSpec().put("image", "flink:1.20-new");
        client().resource(edited).update();
        before.setStatus(JsonNodeFactory.instance.objectNode().put("observedGeneration", 1));

        refusal(() -> client().resource(before).updateStatus(), 409);
    }

    @Test
    default void aFieldThatIsChangedBelongsToWhomeverChangedIt() {
        ConfigMap before =
                written(
                        "POST",
                        map(cluster().newNamespace(), "a", Map.of("a", "1", "b", "1")),
                        "one");

        ConfigMap after =
                written(
                        "PUT",
                        new ConfigMapBuilder(before).withData(Map.of("a", "2", "b", "1")).build(),
                        "other");

        assertThat(after.getMetadata().getManagedFields())
                .extracting(
                        entry ->
                                entry.getManager()
                                        + " "
                                        + entry.getFieldsV1()
                                                .getAdditionalProperties()
                                                .toString()
                                                .replaceAll("\\.=\\{\\}, |[^a-z:]|f:data", ""))
                .containsExactlyInAnyOrder("one f:b", "other f:a");
    }
}
