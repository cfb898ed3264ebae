// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.JobManagerDeploymentState;
import io.sluice.api.JobState;
import io.sluice.flink.rest.JobOverview;
import io.sluice.operator.deployment.ClusterView.JobManagerView;
import io.sluice.operator.deployment.Target.Guest;
import io.sluice.operator.deployment.Target.Jobs;
import io.sluice.rules.config.Options;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What is a session cluster's own: it is ready without a job, and must not go before its jobs. */
final class SessionCluster {
    private static final String BLOCKS_UNMANAGED =
            "kubernetes.operator.session.deletion.block-on-unmanaged-jobs";

    /** What the Apache operator called it first. */
    private static final String BLOCKS_UNMANAGED_BEFORE =
            "kubernetes.operator.session.block-on-unmanaged-jobs";

    /** How long a JobManager is asked in vain before its jobs are given up or a human is asked. */
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private SessionCluster() {}

    /** Its JobManager's pod is ready: what its REST API says. */
    static Decision observed(Pass pass, Target.SessionCluster session) {
        return switch (session.jobs()) {
            case Jobs.NotAsked _ -> silent(pass, "", Silence.NO_ANSWER);
            case Jobs.Silent(var message, var silence) -> silent(pass, message, silence);
            case Jobs.Listed _ ->
                    ready(pass.with(pass.draft().with(JobManagerDeploymentState.READY).stable()));
        };
    }

    private static Decision ready(Pass pass) {
        return Scaling.session(pass)
                .or(() -> pass.cluster().problem().map(problem -> PodTrouble.told(pass, problem)))
                .orElseGet(
                        () ->
                                pass.decided(
                                        Reason.SESSION_CLUSTER_READY,
                                        "",
                                        Optional.of(pass.snapshot().polls().steady())));
    }

    private static Decision silent(Pass pass, String message, Silence silence) {
        return pass.draft().jobManager() == JobManagerDeploymentState.READY
                        || silence == Silence.TOO_LARGE
                ? pass.unanswered(silence, Reason.SESSION_CLUSTER_UNREACHABLE, message)
                : pass.with(pass.draft().with(JobManagerDeploymentState.DEPLOYED_NOT_READY))
                        .decided(Reason.WAITING_FOR_REST, pass.soon());
    }

    /**
     * A change that replaces the cluster waits while jobs run on it whose state would be lost. With
     * high availability and the same version Flink brings them back by itself; but a job that is
     * being stopped, or has ended, leaves what became of it in the memory of its JobManager, and is
     * waited for until somebody has asked.
     */
    static Optional<StepResult> held(Pass pass, TakenUp before) {
        if (pass.isUpgrading()) {
            return Optional.empty();
        }
        boolean comeBack = bringsJobsBack(pass, before);
        List<Guest> guests = waitedFor(pass, !comeBack);
        if (guests.isEmpty() || (isSilent(pass) && comeBack && areRecoverable(pass, guests))) {
            return Optional.empty();
        }
        StepResult.Held held =
                isSilent(pass)
                        ? Objection.asking(
                                pass.snapshot(),
                                before,
                                Reason.SESSION_CLUSTER_SILENT,
                                remedy(pass, guests))
                        : Objection.waiting(
                                pass.snapshot(),
                                before,
                                Reason.WAITING_FOR_SESSION_JOBS,
                                waiting(pass, guests));
        return Optional.of(held.after(pass.soon()));
    }

    /**
     * That the cluster is replaced is on record, and a job was found that began to end just before.
     * What waits to be asked, or to be read, has to find the cluster ready.
     */
    static Optional<Decision> heldStill(Pass pass) {
        List<Guest> guests = waitedFor(pass, false);
        if (guests.isEmpty()) {
            return Optional.empty();
        }
        if (!isSilent(pass)) {
            return Optional.of(
                    answering(pass)
                            .decided(
                                    Reason.WAITING_FOR_SESSION_JOBS,
                                    waiting(pass, guests),
                                    Optional.of(pass.soon())));
        }
        boolean comeBack = pass.running().isHighlyAvailable() && areRecoverable(pass, guests);
        return comeBack
                ? Optional.empty()
                : Optional.of(
                        Objection.stuck(pass, Reason.SESSION_CLUSTER_SILENT, remedy(pass, guests)));
    }

    /** Whether its JobManager has been asked for long, and has not answered once. */
    private static boolean isSilent(Pass pass) {
        return pass.snapshot().target() instanceof Target.SessionCluster session
                && session.silentSince()
                        .filter(since -> since.plus(PATIENCE).isBefore(pass.snapshot().now()))
                        .isPresent();
    }

    /**
     * The next JobManager recovers a job whose metadata names a checkpoint, and the stop that is on
     * record is asked for again. If the job had ended a moment before the JobManager fell silent it
     * is not recovered: then its resource asks a human, and says where its savepoint would be.
     */
    private static boolean areRecoverable(Pass pass, List<Guest> guests) {
        return guests.stream()
                .map(guest -> guest.jobId().orElse(""))
                .allMatch(pass.snapshot().state().recoverable()::contains);
    }

    private static String remedy(Pass pass, List<Guest> guests) {
        var identity = pass.snapshot().identity();
        return "Jobs: "
                + names(guests)
                + ". Should the JobManager never answer again, kubectl delete deployment "
                + identity.name()
                + " -n "
                + identity.namespace()
                + " ends it and them; those that do not come back then are to be started from a"
                + " savepoint or checkpoint that you name in spec.job.initialSavepointPath, with a"
                + " new spec.job.savepointRedeployNonce.";
    }

    private static Pass answering(Pass pass) {
        return pass.snapshot().target() instanceof Target.SessionCluster(_, Jobs.Listed _, _)
                ? pass.with(pass.draft().with(JobManagerDeploymentState.READY))
                : pass;
    }

    /** Whom the cluster waits for; empty if it may go. */
    private static List<Guest> waitedFor(Pass pass, boolean losesState) {
        return pass.snapshot().target() instanceof Target.SessionCluster session && mayStand(pass)
                ? session.guests().stream()
                        .filter(
                                guest ->
                                        holds(
                                                guest,
                                                guest.keepsState() && losesState,
                                                session.jobs()))
                        .sorted(Comparator.comparing(Guest::name))
                        .toList()
                : List.of();
    }

    private static String waiting(Pass pass, List<Guest> guests) {
        boolean answers =
                pass.snapshot().target() instanceof Target.SessionCluster(_, Jobs.Listed _, _);
        return "Waiting for FlinkSessionJob "
                + names(guests)
                + "."
                + (answers
                        ? ""
                        : " The JobManager, which alone knows what became of it, does not answer.");
    }

    private static String names(List<Guest> guests) {
        return guests.stream().map(Guest::name).collect(Collectors.joining(", "));
    }

    private static boolean bringsJobsBack(Pass pass, TakenUp before) {
        return pass.running().isHighlyAvailable()
                && new Options(pass.effective()).isHighlyAvailable()
                && before.spec().flinkVersion().equals(pass.spec().flinkVersion());
    }

    /**
     * Whether a JobManager's process may be there. A pod that was ready and is so no more may miss
     * a probe, or be out of reach with its node, and runs what it ran.
     */
    private static boolean mayStand(Pass pass) {
        return pass.cluster().jobManager()
                        instanceof JobManagerView.Present(_, _, var up, var everUp)
                && (up || (everUp && !pass.cluster().isBroken()));
    }

    /**
     * A JobManager that does not answer may well run the job. One that does not list it knows
     * nothing of it that could be waited for.
     *
     * @param hasToLeave whether the job's state is lost with the cluster
     */
    private static boolean holds(Guest guest, boolean hasToLeave, Jobs jobs) {
        return switch (jobs) {
            case Jobs.NotAsked _, Jobs.Silent _ ->
                    guest.jobId().isPresent()
                            && !guest.isSettled()
                            && (guest.isEnding() || hasToLeave);
            case Jobs.Listed(var listed) ->
                    listed.stream()
                            .filter(job -> guest.jobId().equals(Optional.of(job.id())))
                            .anyMatch(
                                    job ->
                                            lives(job)
                                                    ? guest.isEnding() || hasToLeave
                                                    : !guest.isSettled());
        };
    }

    /** What a deletion has to wait for; empty for everything that is no session cluster. */
    static Optional<Decision> blocked(Pass pass) {
        if (!(pass.snapshot().target() instanceof Target.SessionCluster session)) {
            return Optional.empty();
        }
        Options options = options(pass);
        if (!Target.Host.blocksDeletion(options)) {
            return Optional.empty();
        }
        if (!session.guests().isEmpty()) {
            return Optional.of(
                    blocked(
                            pass,
                            "FlinkSessionJobs to delete first: "
                                    + session.guests().stream()
                                            .map(Guest::name)
                                            .sorted()
                                            .collect(Collectors.joining(", "))));
        }
        boolean unmanagedToo =
                options.flag(BLOCKS_UNMANAGED, options.flag(BLOCKS_UNMANAGED_BEFORE, true));
        String ids = unmanagedToo && Ownership.hadCluster(pass) ? unmanaged(session.jobs()) : "";
        return ids.isEmpty()
                ? Optional.empty()
                : Optional.of(blocked(pass, "Jobs to cancel first: " + ids));
    }

    private static Decision blocked(Pass pass, String detail) {
        return pass.telling(
                        Note.warning(
                                "Operator",
                                "CleanupFailed",
                                "CleanupFailed",
                                Reason.SESSION_JOBS_LEFT.text() + " " + detail))
                .decided(
                        Reason.SESSION_JOBS_LEFT,
                        detail,
                        Optional.of(pass.snapshot().polls().steady()));
    }

    /** Jobs whose cluster does not answer count as none: it must be deletable all the same. */
    private static String unmanaged(Jobs jobs) {
        return switch (jobs) {
            case Jobs.NotAsked _, Jobs.Silent _ -> "";
            case Jobs.Listed(var listed) ->
                    listed.stream()
                            .filter(SessionCluster::lives)
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

    /** Of the current spec if it can be used: this is where the deletion is let go on. */
    private static Options options(Pass pass) {
        Snapshot snapshot = pass.snapshot();
        FlinkDeploymentSpec spec =
                snapshot.spec() instanceof SpecView.Valid(var valid, _)
                        ? valid
                        : snapshot.takenUp().map(TakenUp::spec).orElse(pass.spec());
        return new Options(
                snapshot.defaults()
                        .effective(
                                snapshot.identity().namespace(),
                                spec.flinkVersion(),
                                spec.flinkConfiguration()));
    }
}
