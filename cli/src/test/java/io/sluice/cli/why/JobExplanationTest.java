// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

import static io.sluice.cli.why.Resources.deployment;
import static io.sluice.cli.why.Resources.explain;
import static io.sluice.cli.why.Resources.json;
import static io.sluice.cli.why.Resources.status;
import static io.sluice.cli.why.Resources.text;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntryBuilder;
import io.sluice.api.RawResource;
import io.sluice.api.spec.ResourceKind;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class JobExplanationTest {
    @Test
    void aRunningJobIsReadyAndNothingIsToBeDone() {
        String text = text(deployment(status("Ready", "JobRunning", "The job runs.")));

        assertThat(text)
                .startsWith(
                        "FlinkDeployment shop/orders is ready since 2026-03-01T11:59:00Z (60 s):"
                                + " JobRunning\n  The job runs.\n")
                .doesNotContain("What to do");
    }

    @Test
    void aStalledJobSaysWhatToDoInItsOwnNames() {
        Explanation explanation =
                explain(deployment(status("Stalled", "JobNotFound", "It listed no job.")));

        assertThat(explanation.verdict()).isEqualTo(Verdict.STALLED);
        assertThat(explanation.remedies())
                .first()
                .asString()
                .startsWith("kubectl -n shop logs deployment/orders: does main() submit one?");
        assertThat(explanation.remedies())
                .last()
                .isEqualTo("See docs/troubleshoot.md#the-job-has-ended");
    }

    @Test
    void whatIsWrongWithAPodIsLookedUpByItsWord() {
        Explanation explanation =
                explain(
                        deployment(
                                status(
                                        "Stalled",
                                        "PodProblem",
                                        "A pod can't run. CrashLoopBackOff: orders-1")));

        assertThat(explanation.remedies())
                .contains("CrashLoopBackOff: kubectl -n shop logs deployment/orders --previous");
    }

    @Test
    void aReasonThatThePageDoesNotHaveIsToldWithoutARemedy() {
        Explanation explanation = explain(deployment(status("Stalled", "Newer", "Act.")));

        assertThat(explanation.verdict()).isEqualTo(Verdict.STALLED);
        assertThat(explanation.sentences()).contains("Act.");
        assertThat(explanation.remedies()).isEmpty();
    }

    @Test
    void theStatesAndTheLastErrorAreTold() {
        ObjectNode status = json(status("Reconciling", "JobRestarting", "Flink restarts it."));
        status.put("lifecycleState", "DEPLOYED")
                .put("jobManagerDeploymentStatus", "READY")
                .put("error", "{\"type\":\"X\",\"message\":\"No space left.\"}")
                .putObject("jobStatus")
                .put("state", "RESTARTING");

        Explanation explanation = explain(deployment(status.toString()));

        assertThat(explanation.verdict()).isEqualTo(Verdict.AT_WORK);
        assertThat(explanation.sentences())
                .containsExactly(
                        "Flink restarts it.",
                        "In the status: lifecycle state DEPLOYED, JobManager READY, job RESTARTING.",
                        "The last error: No space left.");
    }

    @Test
    void whatTheAutoscalerHoldsIsTold() {
        ObjectNode status = json(status("Ready", "JobRunning", "The job runs."));
        ((ArrayNode) status.path("conditions"))
                .addObject()
                .put("type", "ScalingHeld")
                .put("status", "True")
                .put("reason", "JOB_QUOTA")
                .put("message", "A quota would be exceeded.");

        assertThat(explain(deployment(status.toString())).sentences())
                .contains("The autoscaler does not scale: A quota would be exceeded.");
    }

    @Test
    void anEditThatNobodyHasLookedAtIsAtWorkAtFirstAndThenStalled() {
        RawResource edited = deployment(status("Ready", "JobRunning", "The job runs."));
        edited.getMetadata().setGeneration(8L);
        edited.getMetadata()
                .setManagedFields(
                        List.of(
                                new ManagedFieldsEntryBuilder()
                                        .withManager("kubectl-edit")
                                        .withTime("2026-03-01T11:59:30Z")
                                        .build()));

        assertThat(explain(edited).verdict()).isEqualTo(Verdict.AT_WORK);
        assertThat(explain(edited).sentences().getFirst())
                .startsWith("No operator has looked at its last edit, of 30 s ago.");

        edited.getMetadata().getManagedFields().getFirst().setTime("2026-03-01T11:00:00Z");

        assertThat(explain(edited).verdict()).isEqualTo(Verdict.STALLED);
        assertThat(explain(edited).remedies()).anyMatch(each -> each.contains("no operator runs"));
    }

    @Test
    void aResourceWithoutAStatusNamesTheCausesOnceItIsOverdue() {
        RawResource created = deployment("{}");

        assertThat(explain(created).verdict()).isEqualTo(Verdict.STALLED);
        assertThat(explain(created).sentences())
                .containsExactly(
                        "No operator has looked at it since 2026-03-01T11:50:00Z (10 min).");
        assertThat(explain(created).remedies())
                .last()
                .isEqualTo("See docs/troubleshoot.md#there-is-no-reason-at-all");

        created.getMetadata().setCreationTimestamp("2026-03-01T11:59:59Z");

        assertThat(explain(created).verdict()).isEqualTo(Verdict.AT_WORK);
    }

    @Test
    void aDeletionIsAtWorkAndNamesTheFinalizers() {
        RawResource deleted = deployment(status("Ready", "JobRunning", "The job runs."));
        deleted.getMetadata().setDeletionTimestamp("2026-03-01T11:58:00Z");
        deleted.getMetadata().setFinalizers(List.of("flink/finalizer"));

        assertThat(explain(deleted).verdict()).isEqualTo(Verdict.AT_WORK);
        assertThat(explain(deleted).sentences().getFirst())
                .isEqualTo(
                        "Its deletion began 2 min ago. It stays until it"
                                + " has no finalizer: flink/finalizer");
    }

    @ParameterizedTest
    @CsvSource({
        "STABLE, READY, RUNNING, '', READY",
        "SUSPENDED, MISSING, FINISHED, '', READY",
        "'', READY, RUNNING, '', READY",
        "DEPLOYED, DEPLOYING, RECONCILING, '', AT_WORK",
        "UPGRADING, READY, RUNNING, '', AT_WORK",
        "STABLE, READY, RUNNING, bad spec, STALLED",
        "FAILED, READY, FAILED, '', STALLED",
        "ROLLED_BACK, READY, RUNNING, '', STALLED",
        "DEPLOYED, ERROR, RECONCILING, '', STALLED",
        "DEPLOYED, MISSING, RECONCILING, '', STALLED",
    })
    void aStatusOfTheApacheOperatorIsReadByItsFields(
            String lifecycle, String jobManager, String job, String error, Verdict verdict) {
        ObjectNode status = json("{}");
        status.put("lifecycleState", lifecycle)
                .put("jobManagerDeploymentStatus", jobManager)
                .put("error", error)
                .putObject("jobStatus")
                .put("state", job);

        Explanation explanation = explain(deployment(status.toString()));

        assertThat(explanation.verdict()).isEqualTo(verdict);
        assertThat(explanation.sentences().getFirst())
                .startsWith("Its status was written by the Apache operator");
    }

    @Test
    void theNewestWarningsComeFirst() {
        List<EventLine> lines =
                EventLine.newest(
                        IntStream.range(0, 20)
                                .mapToObj(
                                        i ->
                                                new EventBuilder()
                                                        .withNewMetadata()
                                                        .endMetadata()
                                                        .withType(i % 5 == 0 ? "Warning" : "Normal")
                                                        .withReason("R" + i)
                                                        .withLastTimestamp(
                                                                "2026-03-01T11:%02d:00Z"
                                                                        .formatted(i))
                                                        .build())
                                .toList());

        assertThat(lines)
                .extracting(EventLine::reason)
                .containsExactly("R15", "R10", "R5", "R0", "R19", "R18");
    }

    @Test
    void aHostileStatusCanNeitherHideLinesNorFillTheScreen() {
        ObjectNode status =
                json(
                        status(
                                "Stalled",
                                "Evil\u001b[2K" + "y".repeat(1000),
                                "\u001b[1A\u202e\nFlinkDeployment shop/orders is ready"));
        status.put("error", "e\u0007".repeat(100_000));
        RawResource hostile = deployment(status.toString());
        var events =
                new Picture.Events.Listed(
                        List.of(
                                new EventLine(
                                        Resources.NOW, true, "\u001b]0;x", "m".repeat(50_000), 3)));

        String text = WhyText.of(explain(new Picture(hostile, events, List.of())), Resources.NOW);

        assertThat(text.codePoints().filter(point -> point != '\n'))
                .noneMatch(point -> Character.isISOControl(point) || point == 0x202e);
        assertThat(text).hasSizeLessThan(30_000);
        assertThat(text.lines().filter(line -> line.startsWith("FlinkDeployment"))).hasSize(1);
    }

    @Test
    void fieldsOfTheWrongTypeAreNotThere() {
        Explanation explanation =
                explain(
                        Resources.resource(
                                ResourceKind.FLINK_SESSION_JOB,
                                "{\"job\":[]}",
                                "{\"lifecycleState\":{},\"conditions\":[7,{\"type\":\"Ready\"}],"
                                        + "\"jobStatus\":\"x\",\"observedGeneration\":\"a\"}"));

        assertThat(explanation.verdict()).isEqualTo(Verdict.AT_WORK);
    }
}
