// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.DesiredJobState;
import io.sluice.api.FlinkConfiguration;
import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.JobSpec;
import io.sluice.api.JobState;
import io.sluice.api.ParallelismOverrides;
import io.sluice.api.ReconciledSpec;
import io.sluice.api.ReconciliationState;
import io.sluice.api.UpgradeMode;
import io.sluice.rules.diff.ChangeText;
import io.sluice.rules.diff.SpecDiff;
import java.util.List;
import java.util.Optional;
import io.sluice.api.FlinkConfiguration;

/**
 * The spec that a user, or the autoscaler, asks for now, beside the one that was reconciled last.
 *
 * @param before the spec that was reconciled last
 * @param wanted {@code spec} as it is to be recorded
 */
record SpecChange(
        Snapshot snapshot, TakenUp before, FlinkDeploymentSpec spec, ReconciledSpec wanted) {
    static SpecChange of(
            Snapshot snapshot, TakenUp before, FlinkDeploymentSpec spec, ObjectNode raw) {
        return new SpecChange(
                snapshot,
                before,
                spec,
                new ReconciledSpec(raw, isYetToBegin(snapshot, before))
                        .withNoncesOf(before.raw()));
    }

    SpecDiff diff() {
        return SpecDiff.between(before.spec(), spec);
    }

    /** The changed spec, to be carried out. */
    Pass pass() {
        return new Pass(snapshot, wanted, spec, Draft.of(snapshot.status()), List.of());
    }

    /** The spec that was reconciled last, to be carried out. */
    Pass former() {
        return FormerSpec.of(snapshot, before);
    }

    /** What has changed, for people. */
    String text() {
        return ChangeText.of(diff(), before.raw(), wanted.spec());
    }

    /**
     * Whether the spec names another path to start a job from that has never begun: a refused first
     * attempt left nothing that could go on in its place.
     */
    boolean isToBeginElsewhere() {
        Optional<String> path = spec.job().flatMap(JobSpec::initialSavepointPath);
        return path.isPresent()
                && !path.equals(before.spec().job().flatMap(JobSpec::initialSavepointPath))
                && isYetToBegin(snapshot, before)
                && snapshot.cluster().isGone();
    }

    /** Whether the job has to be restarted for the change. */
    boolean restarts() {
        return switch (diff().effect()) {
            case NONE, IGNORE -> false;
            case SCALE -> !Scaling.isInPlace(pass());
            case UPGRADE, SAVEPOINT_REDEPLOY -> true;
        };
    }

    /**
     * Whether the job has come to its own end while it was being stopped, and the change asks for
     * no other job.
     */
    boolean isOfJobThatEndedItself() {
        Pass pass = pass();
        boolean isSameJob = !restarts() || diff().isOverridesOnly();
        boolean isRollingBack =
                pass.draft().reconciliation().state() == ReconciliationState.ROLLING_BACK;
        return isSameJob && !isRollingBack && Stopping.isOwnEnd(pass);
    }

    /**
     * Whether only the autoscaler asks for a change, of a job that it may not restart: one that has
     * ended, fails or is at rest waits for its user, and a spec that was rolled back is not tried
     * again.
     */
    boolean isRescaleThatWaits() {
        return restarts() && diff().isOverridesOnly() && !mayBeMoved(pass());
    }

    private static boolean mayBeMoved(Pass pass) {
        boolean runs = pass.snapshot().job() instanceof JobView.Seen seen && seen.isUp();
        return pass.stopUnderWay().isPresent()
                || (runs && pass.isDesiredRunning() && !pass.draft().isRolledBack());
    }

    /**
     * Whether the job is finished, and the autoscaler tunes its memory, or has tuned it: who asks
     * for another size, it or the user, can't be told, and nobody wants the job to run again by
     * mistake.
     */
    boolean isOfFinishedTunedJob() {
        Pass pass = pass();
        boolean done =
                JobFacts.recordedEnd(pass).equals(Optional.of(JobState.FINISHED))
                        || (pass.snapshot().job() instanceof JobView.Seen seen
                                && seen.state() == JobState.FINISHED
                                && pass.stopUnderWay().isEmpty());
        return done
                && restarts()
                && diff().isTuningOnly()
                && (Overrides.tuneMemory(pass.effective())
                        || Overrides.tuneMemory(former().effective()));
    }

    /** All of the change but what the autoscaler asks for. */
    SpecChange withoutOverrides() {
        ObjectNode raw = wanted.spec().deepCopy();
        ObjectNode configuration = raw.withObjectProperty("flinkConfiguration");
        before.spec()
                .flinkConfiguration()
                .get(ParallelismOverrides.KEY)
                .ifPresentOrElse(
                        text ->
                                FlinkConfiguration.put(
                                        configuration, ParallelismOverrides.KEY, text),
                        () -> FlinkConfiguration.remove(configuration, ParallelismOverrides.KEY));
        return new SpecChange(
                snapshot,
                before,
                FlinkDeploymentSpec.parse(raw, "spec").value(),
                new ReconciledSpec(raw, wanted.firstDeployment()));
    }

    /**
     * The change restarts nothing and is recorded; but what an attempt is restored by stays on
     * record until it has run.
     */
    Pass recorded() {
        Draft draft = Draft.of(snapshot.status());
        boolean hasRun =
                draft.reconciliation().state() == ReconciliationState.DEPLOYED
                        && draft.reconciliation().isStable()
                        && isWantedRunning(spec);
        ReconciledSpec next = new ReconciledSpec(wanted.spec(), before.firstDeployment());
        UpgradeMode by =
                isStateless(before.spec()) ? UpgradeMode.SAVEPOINT : restoreMode(before.spec());
        ReconciledSpec updated = hasRun || isStateless(spec) ? next : next.restoredBy(by);
        Pass pass = new Pass(snapshot, updated, spec, draft, List.of());
        return FormerSpec.carriedOut(pass.with(draft.remembering(updated)));
    }

    /** A first attempt that gives way before it has come about leaves the next one the first. */
    private static boolean isYetToBegin(Snapshot snapshot, TakenUp before) {
        return !(snapshot.target() instanceof Target.SessionJob)
                && !Ownership.hadCluster(FormerSpec.of(snapshot, before));
    }

    private static UpgradeMode restoreMode(FlinkDeploymentSpec spec) {
        return spec.job().map(JobSpec::upgradeMode).orElse(UpgradeMode.STATELESS);
    }

    private static boolean isStateless(FlinkDeploymentSpec spec) {
        return restoreMode(spec) == UpgradeMode.STATELESS;
    }

    private static boolean isWantedRunning(FlinkDeploymentSpec spec) {
        return spec.job()
                .map(JobSpec::state)
                .filter(state -> state == DesiredJobState.RUNNING)
                .isPresent();
    }
}
