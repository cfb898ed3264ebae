// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

import static io.sluice.cli.why.Resources.NOW;
import static io.sluice.cli.why.Resources.NO_EVENTS;
import static io.sluice.cli.why.Resources.deployment;
import static io.sluice.cli.why.Resources.explain;
import static io.sluice.cli.why.Resources.json;
import static io.sluice.cli.why.Resources.status;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.RawResource;
import io.sluice.api.spec.ResourceKind;
import io.sluice.cli.cluster.Finding;
import io.sluice.cli.why.Picture.Relative;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PairExplanationTest {
    @Test
    void aTransitionSaysItsPhaseAndUntilWhenItMayTake() {
        Explanation explanation =
                explain(
                        pair(
                                "Reconciling",
                                "StartingOtherHalf",
                                transition("Starting", "\"deadline\":\"2026-03-01T12:08:00Z\"")));

        assertThat(explanation.sentences())
                .contains(
                        "In the status: state TRANSITIONING_TO_GREEN, job RECONCILING.",
                        "The change from blue to green, for generation 7, is in the phase Starting"
                                + " since 2026-03-01T11:58:00Z (2 min).",
                        "That lasts at the latest until 2026-03-01T12:08:00Z (in 8 min); then the"
                                + " transition is aborted, and the active half goes on.");
    }

    @Test
    void anApprovalIsWaitedForAsLongAsTheOptionSaysAndNotUntilTheMovingDeadline() {
        Explanation explanation =
                explain(
                        pair(
                                "Reconciling",
                                "WaitingForApproval",
                                transition(
                                        "Approval",
                                        "\"approvalSince\":\"2026-03-01T11:50:00Z\","
                                                + "\"deadline\":\"2026-03-01T12:10:00Z\"")));

        assertThat(explanation.sentences())
                .anyMatch(each -> each.contains("at the latest until 2026-03-01T12:20:00Z"));
        assertThat(explanation.remedies().getFirst())
                .contains("./sluice bluegreen promote orders -n shop");
    }

    @Test
    void whatANewHalfHasToProveIsTold() {
        Explanation explanation =
                explain(pair("Reconciling", "ProvingOtherHalf", transition("Proving", "\"x\":1")));

        assertThat(explanation.sentences())
                .contains(
                        "The new half has to run without a break for 900 s, with at least 3"
                                + " checkpoints and at most 0 restarts.");
    }

    @Test
    void aSavepointThatFailedSaysWhenTheNextTryComes() {
        Explanation explanation =
                explain(
                        pair(
                                "Reconciling",
                                "SavingActiveHalf",
                                transition(
                                        "Saving",
                                        "\"savepoint\":{\"at\":\"2026-03-01T11:58:00Z\",\"tries\":2,"
                                                + "\"nextTry\":\"2026-03-01T12:00:40Z\"}")));

        assertThat(explanation.sentences())
                .contains("Try 2 to save the active half has failed; the next one comes in 40 s.");
    }

    @Test
    void aFailedTransitionSaysWhy() {
        ObjectNode ended = transition("Ended", "\"outcome\":\"Aborted\",\"message\":\"No room.\"");

        Explanation explanation = explain(pair("Stalled", "TransitionFailed", ended));

        assertThat(explanation.verdict()).isEqualTo(Verdict.STALLED);
        assertThat(explanation.sentences())
                .contains(
                        "The last transition, to green for generation 7, ended 2 min ago: it was"
                                + " aborted, and the active half went on. No room.");
    }

    @Test
    void bothHalvesAreExplainedAndTheOneThatIsStalledSaysWhatToDo() {
        RawResource green = deployment(status("Stalled", "JobFailed", "The job has failed."));
        green.getMetadata().setName("orders-green");
        var picture =
                new Picture(
                        pair("Reconciling", "StartingOtherHalf", transition("Starting", "\"x\":1")),
                        NO_EVENTS,
                        List.of(
                                relative(
                                        "orders-blue",
                                        new Finding.Hidden(ResourceKind.FLINK_DEPLOYMENT)),
                                relative("orders-green", new Finding.Found(green)),
                                relative("orders-red", new Finding.Absent())));

        String text = WhyText.of(explain(picture), NOW);

        assertThat(text)
                .contains(
                        "You have no right to get flinkdeployments.flink.apache.org, so that"
                                + " nothing is said of orders-blue.",
                        "There is no FlinkDeployment orders-red.",
                        "\n  FlinkDeployment shop/orders-green is stalled since",
                        "\nWhat to do about FlinkDeployment shop/orders-green:\n  - kubectl -n shop"
                                + " get events");
    }

    @ParameterizedTest
    @CsvSource({
        "ACTIVE_BLUE, RUNNING, READY",
        "ACTIVE_GREEN, SUSPENDED, READY",
        "ACTIVE_BLUE, FAILING, STALLED",
        "TRANSITIONING_TO_BLUE, RECONCILING, AT_WORK",
        "SAVEPOINTING_GREEN, RUNNING, AT_WORK",
    })
    void aStatusOfTheApacheOperatorIsReadByItsFields(String state, String job, Verdict verdict) {
        ObjectNode status = json("{}");
        status.put("blueGreenState", state).putObject("jobStatus").put("state", job);

        assertThat(
                        explain(
                                        Resources.resource(
                                                ResourceKind.FLINK_BLUE_GREEN_DEPLOYMENT,
                                                "{}",
                                                status.toString()))
                                .verdict())
                .isEqualTo(verdict);
    }

    @Test
    void programsGetTheSameAsOneObject() {
        String text =
                WhyJson.of(
                        explain(pair("Stalled", "NoRoomForBoth", transition("Ended", "\"x\":1"))));

        ObjectNode object = json(text);
        assertThat(object.path("verdict").asText()).isEqualTo("stalled");
        assertThat(object.path("reason").asText()).isEqualTo("NoRoomForBoth");
        assertThat(object.path("since").asText()).isEqualTo("2026-03-01T11:59:00Z");
        assertThat(object.path("whatToDo")).isNotEmpty();
        assertThat(object.path("events")).isEmpty();
    }

    private static Relative relative(String name, Finding finding) {
        return new Relative(ResourceKind.FLINK_DEPLOYMENT, name, finding, NO_EVENTS);
    }

    private static ObjectNode transition(String phase, String more) {
        return json(
                """
                {"id":"t1","from":"BLUE","to":"GREEN","generation":7,"phase":"%s",
                 "began":"2026-03-01T11:55:00Z","since":"2026-03-01T11:58:00Z",%s}
                """
                        .formatted(phase, more));
    }

    private static RawResource pair(String type, String reason, ObjectNode transition) {
        ObjectNode status = json(status(type, reason, "So it is."));
        status.put("blueGreenState", "TRANSITIONING_TO_GREEN").set("transition", transition);
        status.putObject("jobStatus").put("state", "RECONCILING");
        return Resources.resource(
                ResourceKind.FLINK_BLUE_GREEN_DEPLOYMENT,
                """
                {"configuration":{"kubernetes.operator.bluegreen.promotion.deadline":"30 min",
                 "kubernetes.operator.bluegreen.analysis.duration":"15 min",
                 "kubernetes.operator.bluegreen.analysis.min-checkpoints":"3"}}
                """,
                status.toString());
    }
}
