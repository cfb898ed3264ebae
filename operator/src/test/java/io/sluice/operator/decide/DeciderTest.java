// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import static io.sluice.operator.decide.Decisions.condition;
import static io.sluice.operator.decide.Decisions.plan;
import static io.sluice.operator.decide.Decisions.startOf;
import static io.sluice.operator.decide.Snapshots.aDeployment;
import static io.sluice.operator.decide.Snapshots.aNewResource;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.Condition;
import io.sluice.api.status.JobManagerDeploymentState;
import io.sluice.api.status.JobState;
import io.sluice.api.status.LifecycleState;
import io.sluice.api.status.ReconciliationState;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.Refusal;
import io.sluice.operator.model.ResourceEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The life of a FlinkDeployment with one job, most of the time a stateless one. */
class DeciderTest {
    @Test
    void recordsTheAttemptItIsAboutToMake() {
        var decision = aNewResource().decide();

        assertThat(decision.reason()).isEqualTo(Reason.DEPLOYMENT_STARTED);
        var plan = plan(decision);
        assertThat(decision.status().jobStatus().jobId()).contains(plan.jobId());
        assertThat(decision.status().attempt().id()).contains(plan.attempt());
        assertThat(decision.status().reconciliationStatus().state())
                .isEqualTo(ReconciliationState.UPGRADING);
        assertThat(plan.jobId()).matches("[0-9a-f]{32}");
    }

    @Test
    void namesTheSameAttemptWhenAPassIsRepeated() {
        var again = aNewResource().decided().decide();

        assertThat(again.status().jobStatus().jobId())
                .isEqualTo(aNewResource().decide().status().jobStatus().jobId());
        assertThat(again.actions()).hasOnlyElementsOfType(Action.CreateCluster.class);
    }

    @Test
    void startsFromTheInitialSavepointOnlyTheFirstTime() {
        var spec = Specs.application("flink:1.20", "stateless");
        spec.withObject("/job").put("initialSavepointPath", "s3://bucket/savepoint");

        var first = aNewResource().withSpec(spec).decide();
        var second =
                aRunningDeployment()
                        .withSpec(spec)
                        .decided()
                        .withImage("flink:1.20-new")
                        .decided()
                        .withNothingLeft()
                        .decide();

        assertThat(startOf(first)).isEqualTo(new StartFrom.Savepoint("s3://bucket/savepoint"));
        assertThat(startOf(second)).isEqualTo(new StartFrom.Nothing());
    }

    /** What a backup without its status comes to: the metadata of before keep it from beginning. */
    @Test
    void aFirstAttemptThatWasRefusedBeginsFromThePathThatIsNamedNext() {
        var spec = Specs.application("flink:1.20", "last-state");
        var refused = aNewResource().withSpec(spec).decided().withRefusal("names a checkpoint");
        assertThat(refused.decide().reason()).isEqualTo(Reason.MANIFESTS_REFUSED);
        var named = spec.deepCopy();
        named.withObject("/job").put("initialSavepointPath", "s3://bucket/checkpoint");

        var begun = refused.decided().withSpec(named).decide();

        assertThat(startOf(begun)).isEqualTo(new StartFrom.Savepoint("s3://bucket/checkpoint"));
        assertThat(begun.status().jobStatus().jobId())
                .isNotEqualTo(refused.decide().status().jobStatus().jobId());
    }

    @Test
    void anAttemptThatWasRefusedWaitsBeforeItIsTriedAgain() {
        var begun = aNewResource().decided();
        Instant now = begun.observed().now();
        var refusedNow =
                begun.observed().withRefusal(Optional.of(new Refusal("quota exceeded", 1, now)));
        var refusedBefore =
                begun.observed()
                        .withRefusal(
                                Optional.of(
                                        new Refusal("quota exceeded", 1, now.minusSeconds(60))));

        assertThat(Decider.decide(refusedNow).reason()).isEqualTo(Reason.MANIFESTS_REFUSED);
        assertThat(Decider.decide(refusedNow).actions()).isEmpty();
        assertThat(Decider.decide(refusedBefore).actions())
                .hasOnlyElementsOfType(Action.CreateCluster.class);
    }

    @Test
    void aJobThatHasBegunIsNotStartedAnewFromAPathThatIsNamedLater() {
        var running = aRunningDeployment();
        var named = Specs.application("flink:1.20", "stateless");
        named.withObject("/job").put("initialSavepointPath", "s3://bucket/checkpoint");

        assertThat(running.withSpec(named).decide().actions()).isEmpty();
    }

    @Test
    void doesNothingForAResourceThatStartsSuspendedButSaySo() {
        var decision = aNewResource().withState("suspended").decide();

        assertThat(decision.reason()).isEqualTo(Reason.SUSPENDED);
        assertThat(decision.actions()).isEmpty();
        assertThat(decision.checkAgain()).isEmpty();
        assertThat(decision.status().observedGeneration()).contains(2L);
    }

    @Test
    void doesNotTakeARunningJobForOneWhoseTasksRun() {
        var decision =
                aDeployment("stateless").withJobManager(true).withJob(JobState.RUNNING, 1).decide();

        assertThat(decision.reason()).isEqualTo(Reason.WAITING_FOR_TASKS);
        assertThat(decision.status().jobStatus().state()).contains(JobState.CREATED);
    }

    @Test
    void saysOnceThatATaskManagersPodCannotRunAndLeavesTheRestAsItIs() {
        var waiting =
                aDeployment("stateless")
                        .withJobManager(true)
                        .withPodProblem("Unschedulable", "pod p: 0/3 nodes are available")
                        .withJob(JobState.RUNNING, 1);
        var told = waiting.decide();
        var later = waiting.decided().later(Duration.ofMinutes(1));

        assertThat(told.reason()).isEqualTo(Reason.POD_PROBLEM);
        assertThat(told.notes())
                .extracting(ResourceEvent::reason)
                .containsExactly("JobStatusChanged", "Unschedulable");
        assertThat(told.status().jobStatus().state()).contains(JobState.CREATED);
        assertThat(told.status().jobManagerDeploymentStatus())
                .isEqualTo(JobManagerDeploymentState.READY);
        assertThat(later.decide().status()).isEqualTo(later.observed().status());
        assertThat(later.decide().notes())
                .extracting(ResourceEvent::reason)
                .containsExactly("Unschedulable");
    }

    @Test
    void aJobManagersPodThatFindsNoNodeYetIsWaitedForAndIsNoProblem() {
        var decision =
                aDeployment("stateless")
                        .withPodDelay("Unschedulable", "pod p: 0/3 nodes are available")
                        .decide();

        assertThat(decision.reason()).isEqualTo(Reason.WAITING_FOR_JOB_MANAGER);
        assertThat(decision.status().jobManagerDeploymentStatus())
                .isEqualTo(JobManagerDeploymentState.DEPLOYING);
        assertThat(condition(decision, "Stalled").status()).isEqualTo(Condition.Status.FALSE);
        assertThat(condition(decision, "Reconciling").message())
                .endsWith("Unschedulable: pod p: 0/3 nodes are available");
    }

    @Test
    void aTaskManagersPodThatFindsNoNodeYetIsNamedWhileTheTasksAreWaitedFor() {
        var decision =
                aDeployment("stateless")
                        .withJobManager(true)
                        .withPodDelay("Unschedulable", "pod p: 0/3 nodes are available")
                        .withJob(JobState.RUNNING, 1)
                        .decide();

        assertThat(decision.reason()).isEqualTo(Reason.WAITING_FOR_TASKS);
        assertThat(decision.detail()).isEqualTo("Unschedulable: pod p: 0/3 nodes are available");
    }

    @Test
    void whileTheJobManagerIsNotThereNobodyKnowsTheJobsStateWhicheverIsSeenFirst() {
        var running = aRunningDeployment();
        var unavailable = running.withJobManagerDown();
        var silent = running.withJob(new JobView.Unreachable("timed out"));
        var going = running.withTerminatingJobManager();

        for (Snapshots first : List.of(unavailable, silent, going)) {
            assertThat(state(first)).contains(JobState.RECONCILING);
            Snapshots then = first.decided();
            assertThat(state(then.withJobManagerDown())).contains(JobState.RECONCILING);
            assertThat(state(then.withJob(new JobView.Unreachable("timed out"))))
                    .contains(JobState.RECONCILING);
            assertThat(first.decided().decide().status()).isEqualTo(then.observed().status());
        }
    }

    @Test
    void theJobOfAJobManagerThatComesUpAndDoesNotAnswerYetIsInDoubtToo() {
        var down = aRunningDeployment().withJobManagerDown().decided();

        var up = down.withJobManager(true).withJob(new JobView.Unreachable("refused")).decide();

        assertThat(up.reason()).isEqualTo(Reason.WAITING_FOR_REST);
        assertThat(up.status().jobStatus().state()).contains(JobState.RECONCILING);
    }

    private static Optional<JobState> state(Snapshots snapshots) {
        return snapshots.decide().status().jobStatus().state();
    }

    @Test
    void isReadyOnceAllTasksRun() {
        var running = aRunningDeployment();

        assertThat(running.decide().reason()).isEqualTo(Reason.JOB_RUNNING);
        assertThat(running.decide().status().lifecycleState()).contains(LifecycleState.STABLE);
        assertThat(condition(running.decide(), "Ready").status()).isEqualTo(Condition.Status.TRUE);
    }

    @Test
    void writesNothingNewWhileNothingChanges() {
        var running = aRunningDeployment();

        assertThat(running.decide().status()).isEqualTo(running.observed().status());
        assertThat(running.decide().notes()).isEmpty();
    }

    @Test
    void takesAnEqualSpecInAnotherOrderForTheSame() {
        ObjectNode permuted = Specs.application("flink:1.20", "stateless");
        var image = permuted.remove("image");
        permuted.set("image", image);

        var decision = aRunningDeployment().withSpec(permuted).decide();

        assertThat(decision.reason()).isEqualTo(Reason.JOB_RUNNING);
        assertThat(decision.actions()).isEmpty();
        assertThat(decision.status().observedGeneration()).contains(2L);
    }

    @Test
    void takesUpAnIgnoredChangeWithoutARestart() {
        var decision =
                aRunningDeployment().withConfiguration("job.autoscaler.enabled", "true").decide();

        assertThat(decision.actions()).isEmpty();
        assertThat(decision.status().lifecycleState()).contains(LifecycleState.STABLE);
        assertThat(decision.status().reconciliationStatus().lastReconciledSpec().orElseThrow())
                .contains("job.autoscaler.enabled");
    }

    @Test
    void removesTheOldClusterBeforeItMakesTheNewOne() {
        var changed =
                aRunningDeployment()
                        .withImage("flink:1.20-new")
                        .withJob(new JobView.Unreachable("timed out"));

        assertThat(changed.decide().reason()).isEqualTo(Reason.UPGRADE_STARTED);
        assertThat(changed.decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        assertThat(changed.decided().withTerminatingJobManager().decide().actions()).isEmpty();
        assertThat(changed.decided().withPodsOnly().decide().actions()).isEmpty();
        assertThat(changed.decided().withNothingLeft().decide().actions())
                .hasOnlyElementsOfType(Action.CreateCluster.class);
    }

    @Test
    void removesTheOldClusterAgainAfterACrash() {
        var crashed = aRunningDeployment().withImage("flink:1.20-new");
        var old = crashed.observed().cluster();

        assertThat(crashed.decided().withCluster(old).decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
    }

    @Test
    void suspendsAndResumesAStatelessJob() {
        var suspending = aRunningDeployment().withState("suspended");
        var suspended = suspending.decided().withNothingLeft();

        assertThat(suspending.decide().reason()).isEqualTo(Reason.SUSPENDING);
        assertThat(suspended.decide().reason()).isEqualTo(Reason.SUSPENDED);
        assertThat(suspended.decide().status().lifecycleState()).contains(LifecycleState.SUSPENDED);
        assertThat(suspended.decided().withState("running").decide().actions())
                .hasOnlyElementsOfType(Action.CreateCluster.class);
    }

    @Test
    void replacesAStatefulDeploymentThatNeverRan() {
        var decision =
                aDeployment("savepoint")
                        .decided()
                        .withPodProblem("ImagePullBackOff", "no such image")
                        .decided()
                        .withImage("flink:1.20")
                        .withSpec(Specs.application("flink:mended", "savepoint"))
                        .decide();

        assertThat(decision.reason()).isEqualTo(Reason.UPGRADE_STARTED);
    }

    @Test
    void neverTakesSilenceForAnEnd() {
        var decision = aRunningDeployment().withJob(new JobView.Unreachable("timed out")).decide();

        assertThat(decision.reason()).isEqualTo(Reason.JOB_UNREACHABLE);
        assertThat(decision.actions()).isEmpty();
        assertThat(decision.status().lifecycleState()).contains(LifecycleState.STABLE);
        assertThat(decision.status().jobStatus().state()).contains(JobState.RECONCILING);
    }

    @Test
    void restartsALostStatelessJobUnderANewId() {
        var running = aRunningDeployment();
        var decision = running.withNothingLeft().decide();

        assertThat(decision.reason()).isEqualTo(Reason.JOB_MANAGER_RECOVERED);
        assertThat(decision.status().jobStatus().jobId())
                .isPresent()
                .isNotEqualTo(running.observed().status().jobStatus().jobId());
        assertThat(decision.notes())
                .extracting(ResourceEvent::reason)
                .containsExactly("Missing", "RecoverDeployment");
    }

    @Test
    void leavesALostJobManagerAsItIsWhereNoneIsToBeMadeAnew() {
        var lost =
                aRunningDeployment()
                        .withConfiguration(
                                "kubernetes.operator.jm-deployment-recovery.enabled", "false")
                        .decided()
                        .withNothingLeft()
                        .decide();

        assertThat(lost.reason()).isEqualTo(Reason.JOB_MANAGER_MISSING);
        assertThat(lost.actions()).isEmpty();
    }

    @Test
    void removesAClusterInTheWayThatTheOperatorIsTold() {
        var changed =
                aRunningDeployment()
                        .withDefaults(
                                Map.of(
                                        "kubernetes.operator.resource.deletion.propagation",
                                        "Background"))
                        .withJob(new JobView.Unreachable("timed out"))
                        .withImage("flink:1.20-new");

        assertThat(changed.decide().actions())
                .containsExactly(
                        new Action.DeleteCluster("deployment-1", Action.Propagation.BACKGROUND));
    }

    @Test
    void leavesALostStatefulJobToAHuman() {
        var decision = aRunningDeployment("savepoint").withNothingLeft().decide();

        assertThat(decision.reason()).isEqualTo(Reason.JOB_MANAGER_MISSING);
        assertThat(decision.actions()).isEmpty();
        assertThat(decision.status().lifecycleState()).contains(LifecycleState.FAILED);
    }

    @Test
    void keepsAJobRunningWhoseNewSpecIsInvalid() {
        var decision = aRunningDeployment().withInvalidSpec("spec.image: '7' is wrong").decide();

        assertThat(decision.reason()).isEqualTo(Reason.SPEC_INVALID);
        assertThat(decision.actions()).isEmpty();
        assertThat(decision.status().jobStatus().state()).contains(JobState.RUNNING);
        assertThat(condition(decision, "Stalled").message()).contains("spec.image: '7' is wrong");
    }

    @Test
    void waitsForAChangeOfASpecThatNeverWorked() {
        var decision = aNewResource().withInvalidSpec("spec.image: is missing").decide();

        assertThat(decision.actions()).isEmpty();
        assertThat(decision.checkAgain()).isEmpty();
        assertThat(decision.notes())
                .extracting(ResourceEvent::reason)
                .containsExactly("ValidationError");
    }

    @Test
    void saysWhatOfTheFormerClusterItWaitsForUntilThatIsOverdue() {
        var removed = aRunningDeployment().withImage("new").decided();

        var waiting = removed.withRemnant("Pod 'p' runs on.", false).decide();
        var overdue = removed.withRemnant("Pod 'p' does not end.", true).decide();

        assertThat(waiting.reason()).isEqualTo(Reason.WAITING_FOR_REMOVAL);
        assertThat(waiting.detail()).isEqualTo("Pod 'p' runs on.");
        assertThat(waiting.notes()).isEmpty();
        assertThat(overdue.reason()).isEqualTo(Reason.REMOVAL_OVERDUE);
        assertThat(overdue.status().condition("Stalled").orElseThrow().message())
                .endsWith("Pod 'p' does not end.");
        assertThat(overdue.notes())
                .singleElement()
                .satisfies(event -> assertThat(event.message()).endsWith("Pod 'p' does not end."));
        assertThat(overdue.actions()).isEmpty();
    }

    @Test
    void endsADeletionWhateverElseIsBroken() {
        var deleted = aRunningDeployment().withInvalidSpec("broken").deleted();

        assertThat(deleted.withJob(new JobView.Unreachable("x")).decide().actions())
                .containsExactly(new Action.DeleteCluster("deployment-1"));
        assertThat(deleted.withPodsOnly().decide().actions()).isEmpty();
        assertThat(deleted.withNothingLeft().decide().actions())
                .containsExactly(new Action.ReleaseResource());
    }
}
