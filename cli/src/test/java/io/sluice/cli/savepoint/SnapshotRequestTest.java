// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.savepoint;

import static io.sluice.api.spec.ResourceKind.FLINK_DEPLOYMENT;
import static io.sluice.api.spec.ResourceKind.FLINK_SESSION_JOB;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.spec.SavepointFormat;
import io.sluice.api.spec.SavepointSpec;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotRequestTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:34:56Z");
    private static final SnapshotRequest SAVEPOINT =
            new SnapshotRequest(
                    Optional.of(
                            new SavepointSpec(
                                    Optional.of("s3://b/keep"),
                                    SavepointFormat.NATIVE,
                                    false,
                                    false)),
                    4,
                    Map.of("team", "shop"));
    private static final SnapshotRequest CHECKPOINT =
            new SnapshotRequest(Optional.empty(), 0, Map.of());

    @Test
    void aSavepointHasWhatWasAskedFor() {
        FlinkStateSnapshot made =
                SAVEPOINT.resource("shop", Job.named(FLINK_DEPLOYMENT, "orders"), NOW);

        assertThat(made.getMetadata().getNamespace()).isEqualTo("shop");
        assertThat(made.getMetadata().getName()).isEqualTo("orders-savepoint-20260301-123456");
        assertThat(made.getMetadata().getLabels()).isEqualTo(Map.of("team", "shop"));
        assertThat(made.getSpec())
                .hasToString(
                        """
                        {"jobReference":{"kind":"FlinkDeployment","name":"orders"},\
                        "savepoint":{"path":"s3://b/keep","formatType":"NATIVE",\
                        "disposeOnDelete":false,"alreadyExists":false},"backoffLimit":4}""");
    }

    @Test
    void aCheckpointHasNoOptions() {
        FlinkStateSnapshot made =
                CHECKPOINT.resource("shop", Job.named(FLINK_SESSION_JOB, "report"), NOW);

        assertThat(made.getMetadata().getName()).isEqualTo("report-checkpoint-20260301-123456");
        assertThat(made.getSpec())
                .hasToString(
                        """
                        {"jobReference":{"kind":"FlinkSessionJob","name":"report"},\
                        "checkpoint":{},"backoffLimit":0}""");
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 226, 227, 228, 253})
    void aNameIsNeverLongerThanKubernetesAllows(int length) {
        String name = name("a".repeat(length));

        assertThat(name)
                .hasSize(Math.min(length + 26, 253))
                .endsWith("a-savepoint-20260301-123456");
    }

    @Test
    void aNameIsNotCutBehindADotOrADash() {
        assertThat(name("a".repeat(225) + ".-" + "b".repeat(20)))
                .isEqualTo("a".repeat(225) + "-savepoint-20260301-123456");
    }

    private static String name(String job) {
        return SAVEPOINT
                .resource("shop", Job.named(FLINK_DEPLOYMENT, job), NOW)
                .getMetadata()
                .getName();
    }
}
