// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.prometheus.client.Collector.MetricFamilySamples.Sample;
import io.sluice.api.FlinkStateSnapshot;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class SnapshotMetricsTest {
    private final SnapshotMetrics metrics = new SnapshotMetrics();

    @Test
    void countsSnapshotsByWhatTheyAreUntilNothingIsLeftOfThem() throws IOException {
        metrics.saw(snapshot("one", "savepoint: {}", "COMPLETED"));
        metrics.saw(snapshot("two", "savepoint: {}", "COMPLETED"));
        metrics.saw(snapshot("three", "checkpoint: {}", "FAILED"));

        assertThat(counts())
                .containsExactlyInAnyOrder(
                        "[FlinkDeployment, shop, SAVEPOINT, COMPLETED] 2.0",
                        "[FlinkDeployment, shop, CHECKPOINT, FAILED] 1.0");

        metrics.gone(snapshot("one", "savepoint: {}", "COMPLETED"));
        metrics.gone(snapshot("two", "savepoint: {}", "COMPLETED"));

        assertThat(counts()).containsExactly("[FlinkDeployment, shop, CHECKPOINT, FAILED] 1.0");
    }

    @Test
    void aSnapshotHasOneStateAtATime() throws IOException {
        metrics.saw(snapshot("one", "savepoint: {}", "IN_PROGRESS"));
        metrics.saw(snapshot("one", "savepoint: {}", "ABANDONED"));

        assertThat(counts()).containsExactly("[FlinkDeployment, shop, SAVEPOINT, ABANDONED] 1.0");
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
