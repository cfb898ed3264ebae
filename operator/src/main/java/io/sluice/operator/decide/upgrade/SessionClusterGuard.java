// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.status.Condition;
import io.sluice.api.status.JobManagerDeploymentState;
import io.sluice.api.status.JobState;
import io.sluice.flink.rest.JobOverview;
import io.sluice.operator.decide.running.InPlaceScaling;
import io.sluice.operator.decide.step.ClusterOwnership;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.HeldChange;
import io.sluice.operator.decide.step.PodTrouble;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.decide.step.StepResult;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.NoAnswer;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.SpecView;
import io.sluice.operator.model.Target;
import io.sluice.operator.model.Target.Jobs;
import io.sluice.operator.model.Target.SessionJobView;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.LifecycleOptions;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Decides what only a session cluster needs: it is ready without a job, and must not be removed
 * before its jobs.
 */
public final class SessionClusterGuard {
    /** How long a JobManager is asked in vain before its jobs are given up or a human is asked. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private SessionClusterGuard() {}

    /** Its JobManager's pod is ready: what its REST API says. */
    public static Decision observe(StepContext context, Target.SessionCluster session) {
        return switch (session.jobs()) {
            case Jobs.NotAsked _ -> whenSilent(context, "", NoAnswer.NO_ANSWER);
            case Jobs.Silent(var message, var noAnswer) -> whenSilent(context, message, noAnswer);
            case Jobs.Listed _ ->
                    reportReady(
                            context.withDraft(
                                    draft ->
                                            draft.withJobManager(JobManagerDeploymentState.READY)
                                                    .stable(context.observed().spec())));
        };
    }

    private static Decision reportReady(StepContext context) {
        return InPlaceScaling.scaleSessionCluster(context)
                .or(
                        () ->
                                context.cluster()
                                        .problem()
                                        .map(
                                                problem ->
                                                        PodTrouble.reportPodProblem(
                                                                context, problem)))
                .orElseGet(
                        () ->
                                context.decide(
                                        Reason.SESSION_CLUSTER_READY,
                                        "",
                                        Optional.of(context.observed().polls().steady())));
    }

    private static Decision whenSilent(StepContext context, String message, NoAnswer noAnswer) {
        return context.draft().jobManager() == JobManagerDeploymentState.READY
                        || noAnswer == NoAnswer.TOO_LARGE
                ? context.unanswered(noAnswer, Reason.SESSION_CLUSTER_UNREACHABLE, message)
                : context.withDraft(
                                draft ->
                                        draft.withJobManager(
                                                JobManagerDeploymentState.DEPLOYED_NOT_READY))
                        .decide(Reason.WAITING_FOR_REST, context.soon());
    }

    /**
     * A change that replaces the cluster waits while jobs run on it whose state would be lost. With
     * high availability and the same version Flink brings them back by itself; but a job that is
     * being stopped, or has ended, leaves what became of it in the memory of its JobManager, and is
     * waited for until somebody has asked. A replacement on record that brings jobs back is carried
     * out, and its JobManager waited for, before a change that would not bring them back.
     */
    static Optional<StepResult> waitForSessionJobs(StepContext context, LastReconciledSpec before) {
        boolean comeBack = bringsJobsBack(context, before);
        if (context.isUpgrading() && comeBack) {
            return Optional.empty();
        }
        List<SessionJobView> sessionJobs = waitedFor(context, !comeBack);
        if (sessionJobs.isEmpty()
                || (isSilent(context) && comeBack && areRecoverable(context, sessionJobs))) {
            return Optional.empty();
        }
        StepResult.Held held =
                isSilent(context) && mayStand(context)
                        ? HeldChange.askHumanWithFormerSpec(
                                context.observed(),
                                before,
                                Reason.SESSION_CLUSTER_SILENT,
                                remedy(context, sessionJobs))
                        : HeldChange.waitWithFormerSpec(
                                context.observed(),
                                before,
                                Reason.WAITING_FOR_SESSION_JOBS,
                                waiting(context, sessionJobs));
        return Optional.of(held.after(context.soon()));
    }

    /**
     * That the cluster is replaced is on record, and a job was found that began to end just before.
     * What waits to be asked, or to be read, has to find the cluster ready.
     */
    public static Optional<Decision> waitForEndingSessionJobs(StepContext context) {
        List<SessionJobView> sessionJobs = waitedFor(context, false);
        if (sessionJobs.isEmpty()) {
            return Optional.empty();
        }
        if (!isSilent(context)) {
            return Optional.of(
                    answering(context)
                            .decide(
                                    Reason.WAITING_FOR_SESSION_JOBS,
                                    waiting(context, sessionJobs),
                                    Optional.of(context.soon())));
        }
        return areRecoverable(context, sessionJobs)
                ? Optional.empty()
                : Optional.of(
                        HeldChange.askHuman(
                                context,
                                Reason.SESSION_CLUSTER_SILENT,
                                remedy(context, sessionJobs)));
    }

    /** Whether its JobManager has been asked for long, and has not answered once. */
    private static boolean isSilent(StepContext context) {
        return context.target() instanceof Target.SessionCluster session
                && session.silentSince()
                        .filter(since -> since.plus(PATIENCE).isBefore(context.observed().now()))
                        .isPresent();
    }

    /**
     * The next JobManager recovers a job whose metadata names a checkpoint, and the stop that is on
     * record is asked for again. If the job had ended a moment before the JobManager fell silent it
     * is not recovered: then its resource asks a human, and says where its savepoint would be.
     */
    private static boolean areRecoverable(StepContext context, List<SessionJobView> sessionJobs) {
        return context.running().keepsMetadataInKubernetes()
                && sessionJobs.stream()
                        .map(sessionJob -> sessionJob.jobId().orElse(""))
                        .allMatch(context.observed().state().recoverable()::contains);
    }

    private static String remedy(StepContext context, List<SessionJobView> sessionJobs) {
        var identity = context.observed().identity();
        return "Jobs: "
                + names(sessionJobs)
                + ". Should the JobManager never answer again, kubectl delete deployment "
                + identity.name()
                + " -n "
                + identity.namespace()
                + " ends it and them; those that do not come back then are to be started from a"
                + " savepoint or checkpoint that you name in spec.job.initialSavepointPath, with a"
                + " new spec.job.savepointRedeployNonce.";
    }

    private static StepContext answering(StepContext context) {
        return context.target() instanceof Target.SessionCluster(_, Jobs.Listed _, _)
                ? context.withDraft(draft -> draft.withJobManager(JobManagerDeploymentState.READY))
                : context;
    }

    /** Whom the cluster waits for; empty if it may go. */
    private static List<SessionJobView> waitedFor(StepContext context, boolean losesState) {
        if (!(context.target() instanceof Target.SessionCluster session)) {
            return List.of();
        }
        Predicate<SessionJobView> isWaitedFor =
                mayStand(context)
                        ? sessionJob ->
                                holds(
                                        sessionJob,
                                        sessionJob.keepsState() && losesState,
                                        session.jobs())
                        : sessionJob -> losesState && comesBack(context, sessionJob);
        return session.sessionJobs().stream()
                .filter(isWaitedFor)
                .sorted(Comparator.comparing(SessionJobView::name))
                .toList();
    }

    /** Whether the operator waits for a JobManager that recovers the job from the metadata. */
    private static boolean comesBack(StepContext context, SessionJobView sessionJob) {
        return sessionJob.keepsState()
                && !sessionJob.isSettled()
                && context.running().keepsMetadataInKubernetes()
                && context.observed().state().recoverable().contains(sessionJob.jobId().orElse(""))
                && isComing(context);
    }

    /** A JobManager that can't come up, or does not for long, is not waited for. */
    private static boolean isComing(StepContext context) {
        ObservedState observed = context.observed();
        boolean isLate =
                observed.status()
                        .condition("Ready")
                        .filter(ready -> ready.status() == Condition.Status.FALSE)
                        .filter(
                                ready ->
                                        ready.lastTransitionTime()
                                                .plus(PATIENCE)
                                                .isBefore(observed.now()))
                        .isPresent();
        return !isLate && !context.cluster().isBroken() && observed.refusal().isEmpty();
    }

    private static String waiting(StepContext context, List<SessionJobView> sessionJobs) {
        boolean answers = context.target() instanceof Target.SessionCluster(_, Jobs.Listed _, _);
        String silence =
                mayStand(context)
                        ? " The JobManager, which alone knows what became of it, does not answer."
                        : " The JobManager that brings it back is not up yet.";
        return "Waiting for FlinkSessionJob " + names(sessionJobs) + "." + (answers ? "" : silence);
    }

    private static String names(List<SessionJobView> sessionJobs) {
        return sessionJobs.stream().map(SessionJobView::name).collect(Collectors.joining(", "));
    }

    private static boolean bringsJobsBack(StepContext context, LastReconciledSpec before) {
        return new Options(context.effective()).findsMetadataOf(context.running())
                && before.spec().flinkVersion().equals(context.spec().flinkVersion());
    }

    /**
     * Whether a JobManager's process may be there. A pod that was ready and is so no more may miss
     * a probe, or be out of reach with its node, and runs what it ran.
     */
    private static boolean mayStand(StepContext context) {
        return context.cluster().jobManager()
                        instanceof JobManagerView.Present(_, _, var up, var everUp)
                && (up || (everUp && !context.cluster().isBroken()));
    }

    /**
     * A JobManager that does not answer may well run the job. One that does not list it knows
     * nothing of it that could be waited for.
     *
     * @param hasToLeave whether the job's state is lost with the cluster
     */
    private static boolean holds(SessionJobView sessionJob, boolean hasToLeave, Jobs jobs) {
        return switch (jobs) {
            case Jobs.NotAsked _, Jobs.Silent _ ->
                    sessionJob.jobId().isPresent()
                            && !sessionJob.isSettled()
                            && (sessionJob.isEnding() || hasToLeave);
            case Jobs.Listed(var listed) ->
                    listed.stream()
                            .filter(job -> sessionJob.jobId().equals(Optional.of(job.id())))
                            .anyMatch(
                                    job ->
                                            lives(job)
                                                    ? sessionJob.isEnding() || hasToLeave
                                                    : !sessionJob.isSettled());
        };
    }

    /** What a deletion has to wait for; empty for everything that is no session cluster. */
    public static Optional<Decision> blockDeletion(StepContext context) {
        if (!(context.target() instanceof Target.SessionCluster session)) {
            return Optional.empty();
        }
        Options options = options(context);
        if (!Target.SessionClusterView.blocksDeletion(options)) {
            return Optional.empty();
        }
        if (!session.sessionJobs().isEmpty()) {
            return Optional.of(
                    blockDeletion(
                            context,
                            "FlinkSessionJobs to delete first: "
                                    + session.sessionJobs().stream()
                                            .map(SessionJobView::name)
                                            .sorted()
                                            .collect(Collectors.joining(", "))));
        }
        boolean unmanagedToo = options.get(LifecycleOptions.BLOCK_ON_UNMANAGED_JOBS);
        String ids =
                unmanagedToo && ClusterOwnership.hadCluster(context)
                        ? unmanaged(session.jobs())
                        : "";
        return ids.isEmpty()
                ? Optional.empty()
                : Optional.of(blockDeletion(context, "Jobs to cancel first: " + ids));
    }

    private static Decision blockDeletion(StepContext context, String detail) {
        return context.withEvent(
                        ResourceEvent.of(
                                "Operator",
                                OperatorEvent.CLEANUP_FAILED,
                                "CleanupFailed",
                                Reason.SESSION_JOBS_LEFT.text() + " " + detail))
                .decide(
                        Reason.SESSION_JOBS_LEFT,
                        detail,
                        Optional.of(context.observed().polls().steady()));
    }

    /** Jobs whose cluster does not answer count as none: it must be deletable all the same. */
    private static String unmanaged(Jobs jobs) {
        return switch (jobs) {
            case Jobs.NotAsked _, Jobs.Silent _ -> "";
            case Jobs.Listed(var listed) ->
                    listed.stream()
                            .filter(SessionClusterGuard::lives)
                            .map(JobOverview::id)
                            .sorted()
                            .collect(Collectors.joining(", "));
        };
    }

    /** A word that is not known is no end. */
    private static boolean lives(JobOverview job) {
        return Optional.ofNullable(JobState.WORDS.get(job.state()))
                .map(state -> !state.isTerminal())
                .orElse(true);
    }

    /** The options of the current spec if it can be used: a user lets the deletion go on there. */
    private static Options options(StepContext context) {
        ObservedState observed = context.observed();
        FlinkDeploymentSpec spec =
                observed.spec() instanceof SpecView.Valid(var valid, _)
                        ? valid
                        : observed.lastReconciled()
                                .map(LastReconciledSpec::spec)
                                .orElse(context.spec());
        return new Options(
                observed.defaults()
                        .effective(
                                observed.identity().namespace(),
                                spec.flinkVersion(),
                                spec.flinkConfiguration()));
    }
}
