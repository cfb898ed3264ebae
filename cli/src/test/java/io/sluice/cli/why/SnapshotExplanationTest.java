// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

import static io.sluice.cli.why.Resources.explain;
import static io.sluice.cli.why.Resources.json;
import static io.sluice.cli.why.Resources.status;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.ResourceKind;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnapshotExplanationTest {
    private static final String SAVEPOINT =
            "{\"jobReference\":{\"kind\":\"FlinkDeployment\",\"name\":\"orders\"},"
                    + "\"savepoint\":{},\"backoffLimit\":4}";

    @Test
    void oneInProgressSaysSinceWhen() {
        Explanation explanation =
                snapshot(
                        status("Reconciling", "SnapshotInProgress", "Flink was asked."),
                        "{\"state\":\"IN_PROGRESS\","
                                + "\"triggerTimestamp\":\"2026-03-01T11:57:00Z\"}");

        assertThat(explanation.verdict()).isEqualTo(Verdict.AT_WORK);
        assertThat(explanation.sentences())
                .containsExactly(
                        "Flink was asked.",
                        "It asks for a savepoint.",
                        "In the status: state IN_PROGRESS, since 2026-03-01T11:57:00Z (3 min).");
    }

    @Test
    void oneThatIsTriedAgainSaysHowOftenItMayFail() {
        Explanation explanation =
                snapshot(
                        status("Reconciling", "Retrying", "The next one is due at noon."),
                        "{\"state\":\"TRIGGER_PENDING\",\"failures\":2,"
                                + "\"resultTimestamp\":\"2026-03-01T11:59:50Z\","
                                + "\"error\":\"{\\\"message\\\":\\\"No space left.\\\"}\"}");

        assertThat(explanation.sentences())
                .contains(
                        "The next one is due at noon.",
                        "2 tries have failed, and spec.backoffLimit allows 4.",
                        "The last error: No space left.");
    }

    @Test
    void aCompleteOneSaysWhereItIs() {
        Explanation explanation =
                snapshot(
                        status("Ready", "SnapshotCompleted", "Complete."),
                        "{\"state\":\"COMPLETED\",\"path\":\"s3://b/savepoint-1\"}");

        assertThat(explanation.sentences()).contains("It is in s3://b/savepoint-1");
        assertThat(explanation.remedies()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "COMPLETED, READY",
        "IN_PROGRESS, AT_WORK",
        "TRIGGER_PENDING, AT_WORK",
        "FAILED, STALLED",
        "ABANDONED, STALLED",
    })
    void aStatusOfTheApacheOperatorIsReadByItsState(String state, Verdict verdict) {
        Explanation explanation = snapshot("{}", "{\"state\":\"" + state + "\"}");

        assertThat(explanation.verdict()).isEqualTo(verdict);
    }

    private static Explanation snapshot(String conditions, String fields) {
        ObjectNode status = json(conditions);
        status.setAll(json(fields));
        return explain(
                Resources.resource(
                        ResourceKind.FLINK_STATE_SNAPSHOT, SAVEPOINT, status.toString()));
    }
}
