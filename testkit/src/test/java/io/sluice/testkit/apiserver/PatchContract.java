// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.autoscaling.v1.Scale;
import io.fabric8.kubernetes.api.model.autoscaling.v1.ScaleBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.api.FlinkDeployment;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** What patches do, server-side apply, and the scale. */
interface PatchContract extends ApiServerContract {
    private ConfigMap stored() {
        return client().resource(map(cluster().newNamespace(), "a", Map.of("a", "1", "b", "1")))
                .create();
    }

    private ConfigMap merge(ConfigMap map, String patch) {
        return client().resource(map)
                .patch(PatchContext.of(PatchType.JSON_MERGE), patch.replace('\'', '"'));
    }

    private ConfigMap change(ConfigMap map, String operations) {
        return client().resource(map)
                .patch(PatchContext.of(PatchType.JSON), operations.replace('\'', '"'));
    }

    @Test
    default void aMergePatchSetsWhatItNamesAndRemovesWhatIsNull() {
        ConfigMap after = merge(stored(), "{'data':{'a':'2','b':null,'c':'3'}}");

        assertThat(after.getData()).isEqualTo(Map.of("a", "2", "c", "3"));
    }

    @Test
    default void aMergePatchThatNamesAnotherUidIsInvalid() {
        ConfigMap before = stored();

        KubernetesClientException refused =
                refusal(
                        () ->
                                merge(
                                        before,
                                        "{'metadata':{'uid':'%s'},'data':{'a':'2'}}"
                                                .formatted(UUID.randomUUID())),
                        422);

        assertThat(refused.getStatus().getDetails().getCauses())
                .anyMatch(cause -> "metadata.uid".equals(cause.getField()));
        assertThat(now(before)).isEqualTo(before);
    }

    @Test
    default void aMergePatchOfAnEarlierVersionIsAConflict() {
        ConfigMap before = stored();
        merge(before, "{'data':{'a':'2'}}");

        refusal(
                () ->
                        merge(
                                before,
                                "{'metadata':{'resourceVersion':'%s'},'data':{'a':'3'}}"
                                        .formatted(before.getMetadata().getResourceVersion())),
                409);
    }

    @Test
    default void aPatchOfNothingIsRefused() {
        ConfigMap missing = map(cluster().newNamespace(), "a", Map.of());

        refusal(
                () ->
                        client().configMaps()
                                .inNamespace(missing.getMetadata().getNamespace())
                                .withName("a")
                                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"data\":{}}"),
                404);
    }

    @Test
    default void aJsonPatchChangesWhatItsTestIsTrueOf() {
        ConfigMap before = stored();

        ConfigMap after =
                change(
                        before,
                        "[{'op':'test','path':'/metadata/uid','value':'%s'},{'op':'add','path':'/data/c','value':'3'},{'op':'remove','path':'/data/b'},{'op':'replace','path':'/data/a','value':'2'}]"
                                .formatted(before.getMetadata().getUid()));

        assertThat(after.getData()).isEqualTo(Map.of("a", "2", "c", "3"));
    }

    @Test
    default void aJsonPatchWhoseTestFailsChangesNothing() {
        ConfigMap before = stored();

        refusal(
                () ->
                        change(
                                before,
                                "[{'op':'add','path':'/data/c','value':'3'},{'op':'test','path':'/metadata/uid','value':'x'}]"),
                422);

        assertThat(now(before)).isEqualTo(before);
    }

    @Test
    default void aJsonPatchThatRemovesWhatIsNotThereIsRefused() {
        ConfigMap before = stored();

        refusal(() -> change(before, "[{'op':'remove','path':'/data/z'}]"), 422);
    }

    @Test
    default void aJsonPatchWithAnEarlierVersionIsAConflict() {
        ConfigMap before = stored();
        merge(before, "{'data':{'a':'2'}}");

        refusal(
                () ->
                        change(
                                before,
                                "[{'op':'replace','path':'/metadata/resourceVersion','value':'%s'},{'op':'add','path':'/data/c','value':'3'}]"
                                        .formatted(before.getMetadata().getResourceVersion())),
                409);
    }

    @Test
    default void aPatchOfTheSpecCountsAsAGeneration() {
        FlinkDeployment before = client().resource(flink(cluster().newNamespace(), "a")).create();

        FlinkDeployment after =
                client().resource(before)
                        .patch(
                                PatchContext.of(PatchType.JSON_MERGE),
                                "{\"spec\":{\"image\":\"flink:1.20-new\"}}");

        assertThat(after.getMetadata().getGeneration()).isEqualTo(2);
    }

    @Test
    default void aScaleChangesTheReplicasOfTheDeploymentThatItNames() {
        Deployment before = client().resource(deployment(cluster().newNamespace(), "a")).create();
        assertThat(before.getSpec().getReplicas()).isEqualTo(1);

        client().raw(scaleOf(before), "PUT", scale(before, before.getMetadata().getUid(), 3));

        Deployment after = now(before);
        assertThat(after.getSpec().getReplicas()).isEqualTo(3);
        assertThat(after.getMetadata().getGeneration()).isEqualTo(2);
        assertThat(client().raw(scaleOf(before))).contains("\"kind\":\"Scale\"");
    }

    @Test
    default void aScaleOfAnotherUidIsAConflict() {
        Deployment before = client().resource(deployment(cluster().newNamespace(), "a")).create();

        refusal(
                () ->
                        client().raw(
                                        scaleOf(before),
                                        "PUT",
                                        scale(before, UUID.randomUUID().toString(), 3)),
                409);

        assertThat(now(before).getSpec().getReplicas()).isEqualTo(1);
    }

    private static String scaleOf(Deployment deployment) {
        return "/apis/apps/v1/namespaces/%s/deployments/%s/scale"
                .formatted(
                        deployment.getMetadata().getNamespace(),
                        deployment.getMetadata().getName());
    }

    private static Scale scale(Deployment deployment, String uid, int replicas) {
        return new ScaleBuilder()
                .withNewMetadata()
                .withNamespace(deployment.getMetadata().getNamespace())
                .withName(deployment.getMetadata().getName())
                .withUid(uid)
                .endMetadata()
                .withNewSpec()
                .withReplicas(replicas)
                .endSpec()
                .build();
    }

    @Test
    default void anApplyCreatesAndLaterRemovesWhatIsNotWantedAnyMore() {
        String namespace = cluster().newNamespace();
        client().resource(map(namespace, "a", Map.of("a", "1", "b", "1"))).serverSideApply();
        merge(map(namespace, "a", Map.of()), "{'data':{'theirs':'1'}}");

        ConfigMap after =
                client().resource(map(namespace, "a", Map.of("a", "2"))).serverSideApply();

        assertThat(after.getData()).isEqualTo(Map.of("a", "2", "theirs", "1"));
    }

    @Test
    default void anApplyOfWhatIsAppliedKeepsTheVersion() {
        ConfigMap wanted = map(cluster().newNamespace(), "a", Map.of("a", "1"));
        ConfigMap before = client().resource(wanted).serverSideApply();

        assertThat(client().resource(wanted).serverSideApply().getMetadata().getResourceVersion())
                .isEqualTo(before.getMetadata().getResourceVersion());
    }

    @Test
    default void anApplyChangesAFieldOfSomebodyElseOnlyByForce() {
        ConfigMap before = stored();
        ConfigMap wanted = map(before.getMetadata().getNamespace(), "a", Map.of("a", "2"));

        KubernetesClientException refused =
                refusal(() -> client().resource(wanted).serverSideApply(), 409);

        assertThat(refused.getStatus().getDetails().getCauses())
                .anyMatch(cause -> "FieldManagerConflict".equals(cause.getReason()));
        assertThat(client().resource(wanted).forceConflicts().serverSideApply().getData())
                .isEqualTo(Map.of("a", "2", "b", "1"));
    }
}
