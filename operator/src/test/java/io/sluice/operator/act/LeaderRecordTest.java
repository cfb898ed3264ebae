// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.act;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The records are those of a JobManager of Flink 1.20.5. */
class LeaderRecordTest {
    private static final String TIMES =
            "\"acquireTime\":\"2026-11-28T01:12:25.428957Z\",\"renewTime\":\"2026-11-28T01:12:25.428957Z\"";

    @Test
    void saysOfALeaderThatIsGoneWhatItWouldHaveSaidItself() {
        assertThat(
                        released(
                                "{\"holderIdentity\":\"3f9499fb-c862-4563-aae9-aa5f89d2fb41\","
                                        + "\"leaseDuration\":15.000000000,"
                                        + TIMES
                                        + ",\"leaderTransitions\":2}"))
                .contains(
                        "{\"holderIdentity\":\"\",\"leaseDuration\":1,"
                                + TIMES
                                + ",\"leaderTransitions\":2}");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"holderIdentity\":\"\",\"leaseDuration\":1.000000000}",
                "{}",
                "[]",
                "",
                "{\"holderIdentity\":"
            })
    void leavesWhatNamesNoLeader(String record) {
        assertThat(released(record)).isEmpty();
    }

    @Test
    void leavesWhatIsLongerThanFlinkWritesIt() {
        assertThat(released("{\"holderIdentity\":\"" + "a".repeat(5000) + "\"}")).isEmpty();
    }

    @Test
    void leavesAConfigMapThatHasNone() {
        assertThat(
                        LeaderRecord.released(
                                new ConfigMapBuilder().withNewMetadata().endMetadata().build()))
                .isEmpty();
    }

    private static Optional<String> released(String record) {
        return LeaderRecord.released(
                new ConfigMapBuilder()
                        .withNewMetadata()
                        .withAnnotations(Map.of(LeaderRecord.ANNOTATION, record))
                        .endMetadata()
                        .build());
    }
}
