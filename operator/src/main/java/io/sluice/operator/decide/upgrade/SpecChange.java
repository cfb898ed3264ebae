// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.DesiredJobState;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.spec.ParallelismOverrides;
import io.sluice.api.spec.UpgradeMode;
import io.sluice.api.status.JobState;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.api.status.ReconciliationState;
import io.sluice.operator.decide.running.InPlaceScaling;
import io.sluice.operator.decide.step.ClusterOwnership;
import io.sluice.operator.decide.step.FormerSpec;
import io.sluice.operator.decide.step.JobFacts;
import io.sluice.operator.decide.step.StatusDraft;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.model.AutoscalerOverrides;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.Target;
import io.sluice.rules.diff.ChangeText;
import io.sluice.rules.diff.SpecDiff;
import java.util.Optional;

/**
 * The spec that a user, or the autoscaler, asks for now, beside the one that was reconciled last.
 * What the steps ask for several times is found out once.
 *
 * @param before the spec that was reconciled last
 * @param wanted {@code spec} as it is to be recorded
 * @param diff what differs between {@code before} and {@code spec}
 * @param context of the changed spec, to be carried out
 * @param restarts whether the job has to be restarted for the change
 */
public record SpecChange(
        ObservedState observed,
        LastReconciledSpec before,
        FlinkDeploymentSpec spec,
        ReconciledSpec wanted,
        SpecDiff diff,
        StepContext context,
        boolean restarts) {
    public static SpecChange of(
            ObservedState observed,
            LastReconciledSpec before,
            FlinkDeploymentSpec spec,
            ObjectNode raw) {
        return of(
                observed,
                before,
                spec,
                new ReconciledSpec(raw, isYetToBegin(observed, before)).withNoncesOf(before.raw()));
    }

    private static SpecChange of(
            ObservedState observed,
            LastReconciledSpec before,
            FlinkDeploymentSpec spec,
            ReconciledSpec wanted) {
        SpecDiff diff = SpecDiff.between(before.spec(), spec);
        StepContext context = StepContext.of(observed, wanted, spec);
        return new SpecChange(
                observed, before, spec, wanted, diff, context, restarts(diff, context));
    }

    /** A job that has ended is started again by any change of what it runs with. */
    private static boolean restarts(SpecDiff diff, StepContext context) {
        return switch (diff.effect()) {
            case NONE, IGNORE -> false;
            case SCALE -> !InPlaceScaling.isInPlace(context) || JobFacts.hasEnded(context);
            case UPGRADE, SAVEPOINT_REDEPLOY -> true;
        };
    }

    /** The spec that was reconciled last, to be carried out. */
    public StepContext former() {
        return FormerSpec.of(observed, before);
    }

    /** What has changed, for people. */
    public String text() {
        return ChangeText.of(diff, before.raw(), wanted.spec());
    }

    /**
     * Whether the spec names another path to start a job from that has never begun: a refused first
     * attempt left nothing that could go on in its place.
     */
    public boolean isToBeginElsewhere() {
        Optional<String> path = spec.job().flatMap(JobSpec::initialSavepointPath);
        return path.isPresent()
                && !path.equals(before.spec().job().flatMap(JobSpec::initialSavepointPath))
                && isYetToBegin(observed, before)
                && observed.cluster().isGone();
    }

    /**
     * Whether the job has come to its own end while it was being stopped, and the change asks for
     * no other job.
     */
    public boolean isOfJobThatEndedItself() {
        boolean isSameJob = !restarts || diff.isOverridesOnly();
        boolean isRollingBack =
                context.draft().reconciliation().state() == ReconciliationState.ROLLING_BACK;
        return isSameJob && !isRollingBack && StopAnswer.isOwnEnd(context);
    }

    /**
     * Whether only the autoscaler asks for a change, of a job that it may not restart: one that has
     * ended, fails or is at rest waits for its user, and a spec that was rolled back is not tried
     * again.
     */
    public boolean isRescaleThatWaits() {
        return restarts && diff.isOverridesOnly() && !mayBeMoved();
    }

    private boolean mayBeMoved() {
        boolean runs = context.observed().job() instanceof JobView.Seen seen && seen.isUp();
        return context.stopUnderWay().isPresent()
                || (runs && context.isDesiredRunning() && !context.draft().isRolledBack());
    }

    /**
     * Whether the job is finished, and the autoscaler tunes its memory, or has tuned it: who asks
     * for another size, it or the user, can't be told, and nobody wants the job to run again by
     * mistake.
     */
    public boolean isOfFinishedTunedJob() {
        boolean done =
                JobFacts.recordedEnd(context).equals(Optional.of(JobState.FINISHED))
                        || (context.observed().job() instanceof JobView.Seen seen
                                && seen.state() == JobState.FINISHED
                                && context.stopUnderWay().isEmpty());
        return restarts
                && done
                && diff.isTuningOnly()
                && (AutoscalerOverrides.tuneMemory(context.effective())
                        || AutoscalerOverrides.tuneMemory(former().effective()));
    }

    /** All of the change but what the autoscaler asks for. */
    public SpecChange withoutOverrides() {
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
        return of(
                observed,
                before,
                FlinkDeploymentSpec.parse(raw, "spec").value(),
                new ReconciledSpec(raw, wanted.firstDeployment()));
    }

    /**
     * The change restarts nothing and is recorded; but what an attempt is restored by stays on
     * record until it has run.
     */
    public StepContext withoutRestart() {
        StatusDraft draft = context.draft();
        boolean hasRun =
                draft.reconciliation().state() == ReconciliationState.DEPLOYED
                        && draft.reconciliation().isStable()
                        && isWantedRunning(spec);
        ReconciledSpec next = new ReconciledSpec(wanted.spec(), before.firstDeployment());
        UpgradeMode by =
                isStateless(before.spec()) ? UpgradeMode.SAVEPOINT : restoreMode(before.spec());
        ReconciledSpec updated = hasRun || isStateless(spec) ? next : next.restoredBy(by);
        return FormerSpec.withSpecToDeploy(
                context.with().wanted(updated).draft(draft.remembering(updated)).build());
    }

    /** A first attempt that gives way before it has come about leaves the next one the first. */
    private static boolean isYetToBegin(ObservedState observed, LastReconciledSpec before) {
        return !(observed.target() instanceof Target.SessionJob)
                && !ClusterOwnership.hadCluster(FormerSpec.of(observed, before));
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
