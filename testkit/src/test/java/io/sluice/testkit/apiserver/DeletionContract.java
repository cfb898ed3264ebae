// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.DeleteOptions;
import io.fabric8.kubernetes.api.model.DeleteOptionsBuilder;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Pod;
import io.sluice.api.FlinkDeployment;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What a deletion does before any controller does something. */
interface DeletionContract extends ApiServerContract {
    private ConfigMap stored() {
        return client().resource(map(cluster().newNamespace(), "a", Map.of("a", "1"))).create();
    }

    private ConfigMap leaving() {
        ConfigMap kept =
                client().resource(kept(map(cluster().newNamespace(), "a", Map.of()))).create();
        client().resource(kept).delete();
        return now(kept);
    }

    private String delete(ConfigMap map, DeleteOptions options) {
        return client().raw(
                        "/api/v1/namespaces/%s/configmaps/a"
                                .formatted(map.getMetadata().getNamespace()),
                        "DELETE",
                        options);
    }

    @Test
    default void anObjectThatNothingKeepsGoesAtOnce() {
        ConfigMap before = stored();

        client().resource(before).delete();

        assertThat(now(before)).isNull();
    }

    @Test
    default void aDeletionOfAnotherUidIsAConflict() {
        ConfigMap before = stored();
        DeleteOptions another =
                new DeleteOptionsBuilder()
                        .withNewPreconditions()
                        .withUid(UUID.randomUUID().toString())
                        .endPreconditions()
                        .build();

        refusal(() -> delete(before, another), 409);

        assertThat(now(before)).isEqualTo(before);
    }

    @Test
    default void aDeletionOfTheVeryUidIsCarriedOut() {
        ConfigMap before = stored();

        delete(
                before,
                new DeleteOptionsBuilder()
                        .withNewPreconditions()
                        .withUid(before.getMetadata().getUid())
                        .endPreconditions()
                        .build());

        assertThat(now(before)).isNull();
    }

    @Test
    default void aDeletionOfAnEarlierVersionIsAConflict() {
        ConfigMap before = stored();
        client().resource(new ConfigMapBuilder(before).withData(Map.of()).build()).update();
        DeleteOptions earlier =
                new DeleteOptionsBuilder()
                        .withNewPreconditions()
                        .withResourceVersion(before.getMetadata().getResourceVersion())
                        .endPreconditions()
                        .build();

        refusal(() -> delete(before, earlier), 409);

        assertThat(now(before)).isNotNull();
    }

    @Test
    default void aDeletionOfNothingIsRefused() {
        ConfigMap missing = map(cluster().newNamespace(), "a", Map.of());

        refusal(() -> delete(missing, new DeleteOptions()), 404);
    }

    @Test
    default void anObjectWithAFinalizerIsMarkedAndStays() {
        ConfigMap leaving = leaving();

        assertThat(leaving.getMetadata().getDeletionTimestamp()).isNotNull();
        assertThat(leaving.getMetadata().getFinalizers()).containsExactly(FINALIZER);
    }

    @Test
    default void aSecondDeletionLeavesTheMarkAsItIs() {
        ConfigMap leaving = leaving();

        client().resource(leaving).delete();

        assertThat(now(leaving)).isEqualTo(leaving);
    }

    @Test
    default void aMarkCountsAsAGeneration() {
        FlinkDeployment wanted = flink(cluster().newNamespace(), "a");
        wanted.getMetadata().setFinalizers(List.of(FINALIZER));
        FlinkDeployment before = client().resource(wanted).create();

        client().resource(before).delete();

        assertThat(now(before).getMetadata().getGeneration()).isEqualTo(2);
    }

    @Test
    default void anObjectGoesWithItsLastFinalizer() {
        ConfigMap leaving = leaving();

        client().resource(leaving)
                .edit(
                        map -> {
                            map.getMetadata().setFinalizers(List.of());
                            return map;
                        });

        assertThat(now(leaving)).isNull();
    }

    @Test
    default void anObjectThatIsMarkedCanBeChangedButGetsNoNewFinalizer() {
        ConfigMap leaving = leaving();
        ConfigMap changed =
                client().resource(new ConfigMapBuilder(leaving).withData(Map.of("a", "2")).build())
                        .update();
        assertThat(changed.getMetadata().getDeletionTimestamp())
                .isEqualTo(leaving.getMetadata().getDeletionTimestamp());

        refusal(
                () ->
                        client().resource(
                                        new ConfigMapBuilder(changed)
                                                .editMetadata()
                                                .addToFinalizers("sluice.example/more")
                                                .endMetadata()
                                                .build())
                                .update(),
                422);
    }

    @Test
    default void aDeletionInTheForegroundWaitsForTheGarbageCollector() {
        ConfigMap before = stored();

        client().resource(before).withPropagationPolicy(DeletionPropagation.FOREGROUND).delete();

        assertThat(now(before).getMetadata().getDeletionTimestamp()).isNotNull();
        assertThat(now(before).getMetadata().getFinalizers()).containsExactly("foregroundDeletion");
    }

    @Test
    default void aDeletionInTheBackgroundDoesNotWaitForTheGarbageCollectorAnyMore() {
        ConfigMap before = stored();
        client().resource(before).withPropagationPolicy(DeletionPropagation.FOREGROUND).delete();

        client().resource(before).withPropagationPolicy(DeletionPropagation.BACKGROUND).delete();

        assertThat(now(before)).isNull();
    }

    @Test
    default void aDeletionThatOrphansWaitsForTheGarbageCollector() {
        ConfigMap before = stored();

        client().resource(before).withPropagationPolicy(DeletionPropagation.ORPHAN).delete();

        assertThat(now(before).getMetadata().getFinalizers()).containsExactly("orphan");
    }

    @Test
    default void aPodWithoutANodeGoesAtOnce() {
        Pod pod = client().resource(pod(cluster().newNamespace(), "a").build()).create();

        client().resource(pod).delete();

        assertThat(now(pod)).isNull();
    }

    @Test
    default void aPodOfANodeWaitsForItsContainersToEnd() {
        Pod pod =
                client().resource(
                                pod(cluster().newNamespace(), "a")
                                        .editSpec()
                                        .withNodeName("n1")
                                        .endSpec()
                                        .build())
                        .create();

        client().resource(pod).delete();

        assertThat(now(pod).getMetadata().getDeletionTimestamp()).isNotNull();
        assertThat(now(pod).getMetadata().getDeletionGracePeriodSeconds()).isEqualTo(30);

        client().resource(pod).withGracePeriod(0).delete();

        assertThat(now(pod)).isNull();
    }
}
