// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.flink.rest.ClusterConfig;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.RunView.ClusterFacts;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ClusterInfoTest {
    private static final ClusterFacts FACTS =
            new ClusterFacts(Optional.of(new ClusterConfig("1.20.5", "abc")), Optional.of(2));

    @Test
    void tellsTheVersionAndHowMuchThereIs() {
        var info = aRunningDeployment().withCluster(FACTS).decide().status().clusterInfo();

        assertThat(info)
                .containsEntry("flink-version", "1.20.5")
                .containsEntry("flink-revision", "abc")
                .containsEntry("total-memory", Long.toString(3L << 30));
        assertThat(Double.parseDouble(info.get("total-cpu"))).isCloseTo(0.3, within(0.001));
    }

    @Test
    void keepsTheSizeOfAClusterWhoseSpecTheStatusHasLost() {
        var described =
                aRunningDeployment("savepoint").withOwnJobManager().withCluster(FACTS).decided();
        var status = described.observed().status();
        var lost =
                described.withStatus(
                        status.withReconciliationStatus(
                                status.reconciliationStatus()
                                        .withLastReconciledSpec(Optional.empty())));

        assertThat(lost.decide().reason()).isEqualTo(Reason.STATUS_LOST);
        assertThat(lost.decide().status().clusterInfo())
                .isEqualTo(described.observed().status().clusterInfo());
    }

    @Test
    void changesNothingWhileNothingIsRead() {
        var described = aRunningDeployment().withCluster(FACTS).decided();

        var decision = described.withCluster(ClusterFacts.NONE).decide();

        assertThat(decision.status()).isEqualTo(described.observed().status());
    }
}
