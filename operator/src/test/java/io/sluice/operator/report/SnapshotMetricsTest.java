// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.prometheus.client.Collector.MetricFamilySamples.Sample;
import io.prometheus.client.CollectorRegistry;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.process.metric.Series;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SnapshotMetricsTest {
    private static final ResourceKey ORDERS = new ResourceKey("FlinkDeployment", "shop", "orders");

    private final CollectorRegistry registry = new CollectorRegistry();
    private final SnapshotMetrics metrics = new SnapshotMetrics(new Series(registry));

    @Test
    void countsSnapshotsByWhatTheyAreUntilNothingIsLeftOfThem() throws IOException {
        metrics.saw(snapshot("one", "savepoint: {}", "COMPLETED"));
        metrics.saw(snapshot("two", "savepoint: {}", "COMPLETED"));
        metrics.saw(snapshot("three", "checkpoint: {}", "FAILED"));

        assertThat(counts())
                .containsExactlyInAnyOrder(
                        "[FlinkDeployment, shop, SAVEPOINT, COMPLETED] 2.0",
                        "[FlinkDeployment, shop, CHECKPOINT, FAILED] 1.0");

        metrics.gone(snapshot("one", "savepoint: {}", "COMPLETED"), _ -> true);
        metrics.gone(snapshot("two", "savepoint: {}", "COMPLETED"), _ -> true);

        assertThat(counts()).containsExactly("[FlinkDeployment, shop, CHECKPOINT, FAILED] 1.0");
    }

    @Test
    void aSnapshotHasOneStateAtATime() throws IOException {
        metrics.saw(snapshot("one", "savepoint: {}", "IN_PROGRESS"));
        metrics.saw(snapshot("one", "savepoint: {}", "ABANDONED"));

        assertThat(counts()).containsExactly("[FlinkDeployment, shop, SAVEPOINT, ABANDONED] 1.0");
    }

    @Test
    void countsASnapshotOnceItHasComeToRest() throws IOException {
        metrics.saw(snapshot("one", "savepoint: {}", "FAILED"));
        metrics.saw(snapshot("two", "savepoint: {}", "IN_PROGRESS"));
        metrics.saw(snapshot("two", "savepoint: {}", "FAILED"));
        metrics.saw(snapshot("two", "savepoint: {}", "FAILED"));

        assertThat(
                        registry.getSampleValue(
                                "sluice_state_snapshots_ended_total",
                                new String[] {"kind", "namespace", "type", "state"},
                                new String[] {"FlinkDeployment", "shop", "SAVEPOINT", "FAILED"}))
                .as("one had ended before it was seen")
                .isEqualTo(1.0);
    }

    @Test
    void knowsWhenTheLastSavepointOfAJobWasMade() throws IOException {
        metrics.saw(made("two", "savepoint: {}", "2026-03-01T12:00:00Z"));
        metrics.saw(made("one", "savepoint: {}", "2026-03-01T11:00:00Z"));
        metrics.saw(made("three", "checkpoint: {}", "2026-03-01T13:00:00Z"));
        metrics.saw(made("four", "savepoint: {alreadyExists: true}", "2026-03-01T13:00:00Z"));

        assertThat(metrics.lastSavepoint(ORDERS)).contains(Instant.parse("2026-03-01T12:00:00Z"));

        var upgrade = made("five", "savepoint: {alreadyExists: true}", "2026-03-01T14:00:00Z");
        upgrade.getMetadata().setLabels(Map.of("snapshot.trigger-type", "UPGRADE"));
        metrics.saw(upgrade);
        assertThat(metrics.lastSavepoint(ORDERS)).contains(Instant.parse("2026-03-01T14:00:00Z"));
    }

    @Test
    void keepsNothingOfAJobThatIsGoneTogetherWithItsSnapshot() throws IOException {
        var one = made("one", "savepoint: {}", "2026-03-01T12:00:00Z");
        metrics.saw(one);
        metrics.gone(one, ORDERS::equals);
        assertThat(metrics.lastSavepoint(ORDERS)).as("the job is there").isPresent();
        metrics.jobGone(ORDERS);
        assertThat(metrics.lastSavepoint(ORDERS)).isEmpty();

        metrics.saw(one);
        metrics.gone(one, _ -> false);
        assertThat(metrics.lastSavepoint(ORDERS)).isEmpty();
    }

    private static FlinkStateSnapshot made(String name, String what, String at) throws IOException {
        FlinkStateSnapshot snapshot = snapshot(name, what, "COMPLETED");
        snapshot.getStatus().put("resultTimestamp", at);
        return snapshot;
    }

    private List<String> counts() {
        return metrics.collect().getFirst().samples.stream()
                .map((Sample sample) -> sample.labelValues + " " + sample.value)
                .toList();
    }

    private static FlinkStateSnapshot snapshot(String name, String what, String state)
            throws IOException {
        var resource = new FlinkStateSnapshot();
        resource.getMetadata().setName(name);
        resource.getMetadata().setNamespace("shop");
        resource.setSpec(
                yaml("{jobReference: {kind: FlinkDeployment, name: orders}, %s}".formatted(what)));
        resource.setStatus(yaml("{state: %s}".formatted(state)));
        return resource;
    }

    private static ObjectNode yaml(String text) throws IOException {
        return (ObjectNode) new YAMLMapper().readTree(text);
    }
}
