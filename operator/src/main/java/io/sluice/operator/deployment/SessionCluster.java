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
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** What is a session cluster's own: it is ready without a job, and must not go before its jobs. */
final class SessionCluster {
    private static final String BLOCKS =
            "kubernetes.operator.session.deletion.block-on-session-jobs";
    private static final String BLOCKS_UNMANAGED =
            "kubernetes.operator.session.deletion.block-on-unmanaged-jobs";

    /** What the Apache operator called it first. */
    private static final String BLOCKS_UNMANAGED_BEFORE =
            "kubernetes.operator.session.block-on-unmanaged-jobs";

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
                .or(() -> pass.cluster().problem().map(problem -> Pipeline.told(pass, problem)))
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
                ? silence.decided(pass, Reason.SESSION_CLUSTER_UNREACHABLE, message)
                : pass.with(pass.draft().with(JobManagerDeploymentState.DEPLOYED_NOT_READY))
                        .decided(Reason.WAITING_FOR_REST, pass.soon());
    }

    /**
     * A change that replaces the cluster waits while jobs run on it whose state would be lost. With
     * high availability and the same version Flink brings them back by itself; but a job that is
     * being stopped, or has ended, leaves what became of it in the memory of its JobManager, and is
     * waited for until somebody has asked.
     */
    static Optional<Decision> held(Pass pass, TakenUp before) {
        if (pass.isUpgrading()) {
            return Optional.empty();
        }
        return waitedFor(pass, !bringsJobsBack(pass, before))
                .map(
                        detail ->
                                Objection.waiting(
                                        pass.snapshot(),
                                        before,
                                        Reason.WAITING_FOR_SESSION_JOBS,
                                        detail))
                .map(
                        decision ->
                                new Decision(
                                        decision.reason(),
                                        decision.detail(),
                                        decision.status(),
                                        decision.actions(),
                                        decision.notes(),
                                        Optional.of(pass.soon())));
    }

    /**
     * That the cluster is replaced is on record, and a job was found that began to end just before.
     * What waits to be asked, or to be read, has to find the cluster ready.
     */
    static Optional<Decision> heldStill(Pass pass) {
        return waitedFor(pass, false)
                .map(
                        detail ->
                                answering(pass)
                                        .decided(
                                                Reason.WAITING_FOR_SESSION_JOBS,
                                                detail,
                                                Optional.of(pass.soon())));
    }

    private static Pass answering(Pass pass) {
        return pass.snapshot().target() instanceof Target.SessionCluster(_, Jobs.Listed _)
                ? pass.with(pass.draft().with(JobManagerDeploymentState.READY))
                : pass;
    }

    /** Whom the cluster waits for, in words; empty if it may go. */
    private static Optional<String> waitedFor(Pass pass, boolean losesState) {
        if (!(pass.snapshot().target() instanceof Target.SessionCluster(var guests, var jobs))
                || !mayStand(pass)) {
            return Optional.empty();
        }
        List<String> names =
                guests.stream()
                        .filter(guest -> holds(guest, guest.keepsState() && losesState, jobs))
                        .map(Guest::name)
                        .sorted()
                        .toList();
        return names.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        "Waiting for FlinkSessionJob "
                                + String.join(", ", names)
                                + "."
                                + silence(jobs));
    }

    private static String silence(Jobs jobs) {
        return switch (jobs) {
            case Jobs.NotAsked _, Jobs.Silent _ ->
                    " The JobManager, which alone knows what became of it, does not answer: should"
                            + " it never do so again, delete its Deployment.";
            case Jobs.Listed _ -> "";
        };
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
        if (!blocks(options)) {
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

    /** Whether the deletion of a cluster so configured waits for its session jobs. */
    static boolean blocks(Options options) {
        return options.flag(BLOCKS, true);
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
