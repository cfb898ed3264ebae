// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.status.bluegreen.PairHalf;
import io.sluice.api.status.bluegreen.StartOverrides;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.observe.snapshot.SnapshotReader;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.config.DefaultConfiguration;
import java.net.URI;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Which parallelism a half of a blue/green pair is to have. */
class HalfOverridesTest {
    private static final ObjectNode SPEC =
            Specs.configured(
                    Specs.application("flink:1.20", "stateless"), "job.autoscaler.enabled", "true");
    private static final Snapshots RUNS_WITH_THREE =
            Snapshots.aNewResource()
                    .withSpec(
                            Specs.configured(
                                    SPEC.deepCopy(),
                                    "pipeline.jobvertex-parallelism-overrides",
                                    "aa:3"))
                    .decided();

    private final FlinkDeployment half = half();

    @Test
    void isTheOneThatItHasWhileATransitionIsInProgress() {
        half.setStatus(status());

        assertThat(overrides(Optional.of(asks("aa:5", "uid-1")), true)).isEqualTo(Map.of("aa", 3));
        assertThat(overrides(Optional.empty(), true)).isEqualTo(Map.of("aa", 3));
        assertThat(overrides(Optional.of(asks("aa:5", "uid-1")), false)).isEqualTo(Map.of("aa", 5));
    }

    @Test
    void isTheOneThatItIsStartedWithUntilTheAutoscalerAsksForAnother() {
        half.getMetadata()
                .setAnnotations(StartOverrides.annotations(Map.of("parallelismOverrides", "aa:4")));

        assertThat(overrides(Optional.empty(), true)).isEqualTo(Map.of("aa", 4));
        assertThat(overrides(Optional.of(asks("aa:9", "uid-former")), true))
                .as("of a former half of the name")
                .isEqualTo(Map.of("aa", 4));
        assertThat(overrides(Optional.of(asks("aa:5", "uid-1")), true)).isEqualTo(Map.of("aa", 5));
    }

    @Test
    void ofWhatIsNoHalfIsWhatTheAutoscalerAsksFor() {
        half.setStatus(status());
        half.getMetadata().setOwnerReferences(List.of());

        assertThat(overrides(Optional.of(asks("aa:5", "uid-1")), true)).isEqualTo(Map.of("aa", 5));
    }

    private Map<String, Integer> overrides(Optional<ConfigMap> map, boolean isBetweenHalves) {
        var children =
                new FixedChildren(
                        new ChildResources(Optional.empty(), List.of(), map), isBetweenHalves);
        return new ClusterObserver(
                        children,
                        new FakeJobManager(),
                        _ -> URI.create("http://orders-blue-rest.shop:8081"),
                        DefaultConfiguration.NONE,
                        SpecValidators.NONE,
                        new RejectedManifests(InstantSource.system()),
                        new HealthMonitor(),
                        new ObservationMemory(),
                        SnapshotReader.NONE,
                        () -> Snapshots.NOW)
                .observe(half)
                .overrides();
    }

    private static FlinkDeployment half() {
        var half = new FlinkDeployment();
        half.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace("shop")
                        .withName("orders-blue")
                        .withUid("uid-1")
                        .addNewOwnerReference()
                        .withKind("FlinkBlueGreenDeployment")
                        .withName("orders")
                        .withUid("uid-pair")
                        .withController(true)
                        .endOwnerReference()
                        .build());
        half.setSpec(SPEC.deepCopy());
        return half;
    }

    private static ObjectNode status() {
        return RUNS_WITH_THREE.observed().status().onto(JsonNodeFactory.instance.objectNode());
    }

    private static ConfigMap asks(String overrides, String uid) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName("autoscaler-orders-blue")
                .addNewOwnerReference()
                .withKind("FlinkDeployment")
                .withName("orders-blue")
                .withUid(uid)
                .endOwnerReference()
                .endMetadata()
                .addToData("parallelismOverrides", overrides)
                .build();
    }

    /** Caches and an API server that agree. */
    private record FixedChildren(ChildResources cached, boolean isBetween) implements ChildReader {
        @Override
        public ChildResources live(FlinkDeployment resource) {
            return cached;
        }

        @Override
        public List<FlinkSessionJob> sessionJobs(FlinkDeployment resource) {
            return List.of();
        }

        @Override
        public Set<String> recoverable(FlinkDeployment resource) {
            return Set.of();
        }

        @Override
        public Optional<String> mountFailure(Pod pod) {
            return Optional.empty();
        }

        @Override
        public boolean isBetweenHalves(FlinkDeployment resource, PairHalf half) {
            return isBetween;
        }
    }
}
