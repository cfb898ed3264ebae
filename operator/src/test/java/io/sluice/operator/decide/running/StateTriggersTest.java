// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.running;

import static io.sluice.api.spec.StateKind.CHECKPOINT;
import static io.sluice.api.spec.StateKind.SAVEPOINT;
import static io.sluice.operator.decide.Snapshots.aSavingDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.StateKind;
import io.sluice.api.status.JobState;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.api.status.ReconciliationStatus;
import io.sluice.api.status.SavedState;
import io.sluice.api.status.StateTrigger;
import io.sluice.api.status.TriggerType;
import io.sluice.flink.rest.request.CheckpointRequest;
import io.sluice.flink.rest.request.StopRequest.SavepointFormat;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.SpecView;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StateTriggersTest {
    private static final AsyncResult DONE = new AsyncResult.Done(Optional.of("file:/s/1"));

    @Test
    void recordsWhatItIsAboutToAskFor() {
        var decision = aSavingDeployment().withNonce(SAVEPOINT, 7).decide();

        var trigger = trigger(decision, SAVEPOINT);
        assertThat(trigger.nonce()).contains(7L);
        assertThat(trigger.type()).isEqualTo(TriggerType.MANUAL);
        assertThat(decision.actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.TriggerSavepoint.class,
                        action -> {
                            assertThat(Optional.of(action.request().triggerId()))
                                    .isEqualTo(trigger.id());
                            assertThat(action.request().folder()).contains("file:///s");
                            assertThat(action.request().format())
                                    .isEqualTo(SavepointFormat.CANONICAL);
                        });
        assertThat(decision.reason()).isEqualTo(Reason.SAVING_STATE);
        assertThat(nonce(decision, SAVEPOINT)).isEmpty();
    }

    @Test
    void asksOnceAndWatches() {
        var asked =
                aSavingDeployment()
                        .withNonce(SAVEPOINT, 7)
                        .decided()
                        .withAnswer(SAVEPOINT, new AsyncResult.Pending());

        assertThat(asked.decide().actions()).isEmpty();
        assertThat(asked.decide().status()).isEqualTo(asked.observed().status());
        assertThat(asked.decide().checkAgain()).contains(Duration.ofSeconds(2));
    }

    @Test
    void recordsWhereItIsAndThatTheNonceIsDone() {
        var made =
                aSavingDeployment().withNonce(SAVEPOINT, 7).decided().withAnswer(SAVEPOINT, DONE);

        var decision = made.decide();

        var log = decision.status().jobStatus().log().savepoints();
        assertThat(log.trigger()).isEmpty();
        assertThat(log.last().flatMap(SavedState::location)).contains("file:/s/1");
        assertThat(log.last().flatMap(SavedState::nonce)).contains(7L);
        assertThat(log.history()).hasSize(1);
        assertThat(nonce(decision, SAVEPOINT)).contains(7L);
        assertThat(decision.notes()).extracting(ResourceEvent::reason).containsExactly("Savepoint");
        assertThat(made.decided().decide().reason()).isEqualTo(Reason.JOB_RUNNING);
        assertThat(made.decided().decide().status().reconciliationStatus().isStable()).isTrue();
    }

    @Test
    void leavesANonceAloneThatWasThereFromTheStart() {
        var spec = Specs.application("flink:1.20", "stateless");
        spec.withObject("/job").put("savepointTriggerNonce", 3);

        var running =
                Snapshots.aNewResource()
                        .withSpec(spec)
                        .decided()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 2)
                        .decided();

        assertThat(running.decide().actions()).isEmpty();
        assertThat(running.decide().reason()).isEqualTo(Reason.JOB_RUNNING);
    }

    @Test
    void asksForNothingWhenTheNonceIsTakenAway() {
        var made = aSavingDeployment().withSavepoint(7, "file:/s/1");
        ObjectNode spec = ((SpecView.Valid) made.observed().spec()).raw().deepCopy();
        spec.withObject("/job").remove("savepointTriggerNonce");

        var without = made.withSpec(spec);

        assertThat(without.decide().actions()).isEmpty();
        assertThat(nonce(without.decide(), SAVEPOINT)).contains(7L);
        assertThat(without.decided().decided().decide().status())
                .isEqualTo(without.decided().observed().status());
    }

    @Test
    void asksAgainUnderAnotherNameWhenNobodyKnowsOfIt() {
        var asked = aSavingDeployment().withNonce(SAVEPOINT, 7).decided();
        var lost = asked.withAnswer(SAVEPOINT, new AsyncResult.Unknown());

        var decision = lost.decide();

        assertThat(trigger(decision, SAVEPOINT).id())
                .isPresent()
                .isNotEqualTo(trigger(asked.decide(), SAVEPOINT).id());
        assertThat(trigger(decision, SAVEPOINT).tries()).isEqualTo(2);
        assertThat(decision.actions()).hasOnlyElementsOfType(Action.TriggerSavepoint.class);
    }

    @Test
    void givesUpAfterFiveTriesAndCountsTheNonceAsDone() {
        var lost =
                aSavingDeployment()
                        .withNonce(SAVEPOINT, 7)
                        .decided()
                        .withAnswer(SAVEPOINT, new AsyncResult.Unknown());
        for (int i = 1; i < StateTriggers.MOST_TRIES; i++) {
            lost = lost.decided();
        }

        assertThat(lost.decide().reason()).isEqualTo(Reason.SAVING_FAILED);
        assertThat(lost.decide().actions()).isEmpty();
        assertThat(nonce(lost.decide(), SAVEPOINT)).contains(7L);
        assertThat(lost.decided().decide().actions()).isEmpty();
    }

    @Test
    void triesAgainWithinTheGracePeriodAndTellsOfTheFailureAfterIt() {
        var failed =
                aSavingDeployment()
                        .withNonce(SAVEPOINT, 7)
                        .decided()
                        .withAnswer(SAVEPOINT, new AsyncResult.Failed("disk full, token=abcd"));

        assertThat(failed.decide().actions()).hasOnlyElementsOfType(Action.TriggerSavepoint.class);
        var late = failed.later(Duration.ofMinutes(1)).decide();

        assertThat(late.reason()).isEqualTo(Reason.SAVING_FAILED);
        assertThat(late.detail())
                .contains("savepointTriggerNonce 7")
                .contains("disk full, token=******")
                .contains("change spec.job.savepointTriggerNonce");
        assertThat(late.notes())
                .singleElement()
                .satisfies(event -> assertThat(event.reason()).isEqualTo("SavepointError"))
                .satisfies(event -> assertThat(event.component()).isEqualTo("Operator"))
                .satisfies(
                        event -> assertThat(event.message()).contains("savepointTriggerNonce 7"));
    }

    @Test
    void triesAgainForAsLongAsItsConfigurationSays() {
        for (StateKind kind : StateKind.values()) {
            String key =
                    switch (kind) {
                        case SAVEPOINT -> "kubernetes.operator.savepoint.trigger.grace-period";
                        case CHECKPOINT -> "kubernetes.operator.checkpoint.trigger.grace-period";
                    };
            var failed =
                    aSavingDeployment()
                            .withConfiguration(key, "10 min")
                            .decided()
                            .withNonce(kind, 7)
                            .decided()
                            .withAnswer(kind, new AsyncResult.Failed("disk full"));

            assertThat(failed.later(Duration.ofMinutes(9)).decide().actions()).isNotEmpty();
            assertThat(failed.later(Duration.ofMinutes(10)).decide().reason())
                    .isEqualTo(Reason.SAVING_FAILED);
        }
    }

    @Test
    void waitsForAJobThatDoesNotRunAndNamesTheNonceInTheEvent() {
        var restarting =
                aSavingDeployment()
                        .withNonce(SAVEPOINT, 7)
                        .decided()
                        .withAnswer(SAVEPOINT, new AsyncResult.Failed("suspending"))
                        .withJob(JobState.RESTARTING, 0);

        var decision = restarting.decide();
        assertThat(trigger(decision, SAVEPOINT).isUnderWay()).isFalse();
        assertThat(decision.notes())
                .anySatisfy(
                        event ->
                                assertThat(event.message())
                                        .contains("savepointTriggerNonce 7")
                                        .contains("suspending"));
        var up = restarting.decided().withJob(JobState.RUNNING, 2).decide();
        assertThat(up.actions()).hasOnlyElementsOfType(Action.TriggerSavepoint.class);
    }

    @Test
    void keepsWhatWasMadeJustBeforeTheJobRestarted() {
        var decision =
                aSavingDeployment()
                        .withNonce(SAVEPOINT, 7)
                        .decided()
                        .withAnswer(SAVEPOINT, DONE)
                        .withJob(JobState.RESTARTING, 0)
                        .decide();

        assertThat(decision.status().jobStatus().log().savepoints().history()).hasSize(1);
        assertThat(nonce(decision, SAVEPOINT)).contains(7L);
    }

    @Test
    void asksForASavepointInTheFormatOfTheConfiguration() {
        var asked =
                aSavingDeployment()
                        .withConfiguration("kubernetes.operator.savepoint.format.type", "NATIVE")
                        .decided()
                        .withNonce(SAVEPOINT, 7)
                        .decide();

        assertThat(trigger(asked, SAVEPOINT).format()).isEqualTo("NATIVE");
        assertThat(((Action.TriggerSavepoint) asked.actions().getFirst()).request().format())
                .isEqualTo(SavepointFormat.NATIVE);
    }

    @Test
    void asksForACheckpointAsTheConfigurationSays() {
        var asked = aSavingDeployment().withNonce(CHECKPOINT, 1).decide();

        assertThat(asked.actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.TriggerCheckpoint.class,
                        action ->
                                assertThat(action.request().type())
                                        .isEqualTo(CheckpointRequest.Type.FULL));
        var incremental =
                aSavingDeployment()
                        .withConfiguration("kubernetes.operator.checkpoint.type", "INCREMENTAL")
                        .decided()
                        .withNonce(CHECKPOINT, 1)
                        .decide();
        assertThat(trigger(incremental, CHECKPOINT).format()).isEqualTo("INCREMENTAL");
        assertThat(((Action.TriggerCheckpoint) incremental.actions().getFirst()).request().type())
                .isEqualTo(CheckpointRequest.Type.CONFIGURED);
    }

    @Test
    void remembersTheLastCheckpointAndNoHistory() {
        var made =
                aSavingDeployment()
                        .withNonce(CHECKPOINT, 1)
                        .decided()
                        .withAnswer(CHECKPOINT, new AsyncResult.Done(Optional.empty()))
                        .decide();

        var log = made.status().jobStatus().log().checkpoints();
        assertThat(log.last().flatMap(SavedState::nonce)).contains(1L);
        assertThat(log.history()).isEmpty();
        assertThat(nonce(made, CHECKPOINT)).contains(1L);
    }

    @Test
    void saysThatAnOldFlinkMakesNoCheckpointWhenAsked() {
        ObjectNode old = Specs.application("flink:1.16", "stateless").put("flinkVersion", "v1_16");
        var failed =
                Snapshots.aNewResource()
                        .withSpec(old)
                        .decided()
                        .withJobManager(true)
                        .withJob(JobState.RUNNING, 2)
                        .decided()
                        .withNonce(CHECKPOINT, 1)
                        .decide();

        assertThat(failed.reason()).isEqualTo(Reason.SAVING_FAILED);
        assertThat(failed.detail()).contains("Flink 1.17");
        assertThat(failed.notes())
                .extracting(ResourceEvent::reason)
                .containsExactly("CheckpointError");
    }

    @Test
    void countsTheNonceThatAnotherOperatorAskedForAsDone() {
        var asked = aSavingDeployment().withNonce(SAVEPOINT, 7).decided();
        var log = asked.observed().status().jobStatus().log();
        var theirs = log.savepoints().trigger().orElseThrow();
        var taken =
                asked.withLog(
                                log.with(
                                        SAVEPOINT,
                                        log.savepoints()
                                                .withTrigger(
                                                        Optional.of(
                                                                theirs.with()
                                                                        .format("UNKNOWN")
                                                                        .nonce(Optional.empty())
                                                                        .tries(1)
                                                                        .since(theirs.at())
                                                                        .build()))))
                        .withAnswer(SAVEPOINT, DONE);

        assertThat(nonce(taken.decide(), SAVEPOINT)).contains(7L);
        assertThat(taken.decided().decide().actions()).isEmpty();
    }

    private static StateTrigger trigger(Decision decision, StateKind kind) {
        return decision.status().jobStatus().log().of(kind).trigger().orElseThrow();
    }

    /** The nonce that counts as done. */
    private static Optional<Long> nonce(Decision decision, StateKind kind) {
        return Optional.of(decision.status().reconciliationStatus())
                .flatMap(ReconciliationStatus::lastReconciledSpec)
                .flatMap(ReconciledSpec::decode)
                .map(spec -> spec.spec().path("job").path(kind.nonce()))
                .filter(node -> node.isIntegralNumber())
                .map(node -> node.longValue());
    }
}
