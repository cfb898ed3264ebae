// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen;

import static io.sluice.testkit.Soon.soon;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.ParallelismOverrides;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.testkit.ApiServer;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The size that the autoscaler gives the halves of a pair. */
class SizeOfHalvesIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private static final String VERTEX = "cbc357ccb763df2852fee8c4fc7d55f2";

    private final KubernetesClient client = API.client();
    private final String namespace = API.newNamespace();
    @RegisterExtension final ServedPair pair = new ServedPair(client, namespace);

    /** What the autoscaler asks of the one half is what the other one starts with. */
    @Test
    void startsTheOtherHalfWithTheSizeOfTheActiveOneAndRescalesNeitherInBetween() {
        asks("orders-blue", VERTEX + ":3");
        pair.create(spec -> Specs.configured(spec, "job.autoscaler.enabled", "true"));
        pair.run("orders-blue");
        soon(() -> assertThat(pair.state()).isEqualTo("ACTIVE_BLUE RUNNING JobRunning"));
        assertThat(overridesOf("blue")).isEqualTo(VERTEX + ":3");
        isOwned("orders-blue");

        pair.edit(spec -> spec.put("image", "flink:1.20-2"));
        soon(() -> assertThat(pair.half("green")).isPresent());
        asks("orders-blue", VERTEX + ":5");
        soon(() -> assertThat(overridesOf("green")).isEqualTo(VERTEX + ":3"));
        staysAt("blue", VERTEX + ":3");

        pair.run("orders-green");
        soon(() -> assertThat(pair.isLeaving("blue")).isTrue());
        pair.gone("blue");
        assertThat(overrides("orders-blue").get()).as("it is deleted with the half").isNull();
        soon(() -> assertThat(pair.state()).isEqualTo("ACTIVE_GREEN RUNNING JobRunning"));
        staysAt("green", VERTEX + ":3");

        asks("orders-green", VERTEX + ":4");
        soon(() -> assertThat(overridesOf("green")).isEqualTo(VERTEX + ":4"));
    }

    /** As the autoscaler does. */
    private void asks(String name, String wanted) {
        ConfigMap map =
                new ConfigMapBuilder()
                        .withNewMetadata()
                        .withName("autoscaler-" + name)
                        .withNamespace(namespace)
                        .addToLabels("component", "autoscaler")
                        .addToLabels("app", name)
                        .endMetadata()
                        .addToData("parallelismOverrides", wanted)
                        .build();
        client.resource(map).forceConflicts().serverSideApply();
    }

    private void isOwned(String name) {
        FlinkDeployment half = pair.half(name.substring("orders-".length())).orElseThrow();
        overrides(name)
                .edit(
                        map ->
                                new ConfigMapBuilder(map)
                                        .editMetadata()
                                        .addNewOwnerReference()
                                        .withApiVersion(half.getApiVersion())
                                        .withKind(half.getKind())
                                        .withName(name)
                                        .withUid(half.getMetadata().getUid())
                                        .endOwnerReference()
                                        .endMetadata()
                                        .build());
    }

    private Resource<ConfigMap> overrides(String name) {
        return client.configMaps().inNamespace(namespace).withName("autoscaler-" + name);
    }

    /** What the cluster of a half was made with. */
    private String overridesOf(String color) {
        return pair.half(color)
                .flatMap(it -> Optional.ofNullable(it.getStatus()))
                .map(FlinkDeploymentStatus::of)
                .flatMap(LastReconciledSpec::running)
                .map(it -> ParallelismOverrides.in(it.spec().flinkConfiguration()).text())
                .orElse("");
    }

    private void staysAt(String color, String overrides) {
        await().during(ofSeconds(2))
                .atMost(ofSeconds(20))
                .untilAsserted(() -> assertThat(overridesOf(color)).isEqualTo(overrides));
    }
}
