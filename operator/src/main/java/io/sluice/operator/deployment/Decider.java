// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.DeploymentMode;
import io.sluice.api.DesiredJobState;
import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.JobSpec;
import io.sluice.api.ReconciledSpec;
import io.sluice.api.UpgradeMode;
import io.sluice.operator.deployment.ClusterView.JobManagerView;
import io.sluice.rules.diff.SpecDiff;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * What to do about a FlinkDeployment: pure and total.
 *
 * <pre>
 *   deleted? ─▶ supported? ─▶ first deployment ─▶ changed? ─▶ under way? ─▶ at rest? ─▶ missing? ─▶ observed
 *                                  │                 │            │
 *                                  └──── intent: recon UPGRADING, job id ──▶ create ──▶ DEPLOYED ──▶ stable
 * </pre>
 *
 * A spec that can't be carried out (invalid, or a restart that would lose state) does not stop the
 * others: the pass goes on with the spec taken up before, and the reason says why.
 */
public final class Decider {
    private Decider() {}

    public static Decision decide(Snapshot snapshot) {
        if (snapshot.identity().deleting()) {
            return Deletion.decide(snapshot);
        }
        return switch (snapshot.spec()) {
            case SpecView.Invalid(var problems) -> invalid(snapshot, problems);
            case SpecView.Valid(var spec, var raw) ->
                    snapshot.takenUp()
                            .map(
                                    before ->
                                            again(
                                                    snapshot,
                                                    before,
                                                    spec,
                                                    new ReconciledSpec(raw, false)))
                            .orElseGet(() -> first(snapshot, spec, new ReconciledSpec(raw, true)));
        };
    }

    private static Decision invalid(Snapshot snapshot, List<String> problems) {
        String detail = String.join("\n", problems);
        return snapshot.takenUp()
                .map(
                        before ->
                                Objection.to(
                                        carryOn(snapshot, before),
                                        Reason.SPEC_INVALID,
                                        detail,
                                        snapshot))
                .orElseGet(
                        () ->
                                Objection.pass(
                                                snapshot,
                                                Objection.note(
                                                        Reason.SPEC_INVALID, detail, snapshot))
                                        .decided(Reason.SPEC_INVALID, detail, Optional.empty()));
    }

    private static Decision first(
            Snapshot snapshot, FlinkDeploymentSpec spec, ReconciledSpec wanted) {
        Pass pass = new Pass(snapshot, wanted, spec, Draft.of(snapshot.status()), List.of());
        Optional<String> unsupported = unsupported(spec);
        if (unsupported.isPresent()) {
            return pass.decided(Reason.NOT_SUPPORTED, unsupported.get(), Optional.empty());
        }
        if (!pass.isDesiredRunning()) {
            return pass.decided(Reason.SUSPENDED, "", Optional.empty());
        }
        if (!snapshot.cluster().isGone()) {
            String detail =
                    "Deployment or pods of cluster '"
                            + snapshot.identity().name()
                            + "' exist that were not made for it";
            return pass.decided(Reason.WAITING_FOR_REMOVAL, detail, Optional.of(pass.soon()));
        }
        Pass begun = pass.beginning();
        return begun.telling(
                        Note.normal(
                                "JobManagerDeployment",
                                "Submit",
                                begun.jobId(),
                                "Starting deployment"))
                .decided(Reason.DEPLOYMENT_STARTED, pass.soon(), begun.creation());
    }

    private static Decision again(
            Snapshot snapshot, TakenUp before, FlinkDeploymentSpec spec, ReconciledSpec wanted) {
        SpecDiff diff = SpecDiff.between(before.spec(), spec);
        Optional<String> unsupported = unsupported(spec);
        if (unsupported.isPresent()) {
            return Objection.to(
                    carryOn(snapshot, before), Reason.NOT_SUPPORTED, unsupported.get(), snapshot);
        }
        return switch (diff.effect()) {
            case NONE -> Pipeline.decide(carryOn(snapshot, before));
            case IGNORE -> {
                ReconciledSpec updated =
                        new ReconciledSpec(wanted.spec(), before.firstDeployment());
                Pass pass =
                        new Pass(snapshot, updated, spec, Draft.of(snapshot.status()), List.of());
                yield Pipeline.decide(pass.with(pass.draft().remembering(updated)));
            }
            case UPGRADE ->
                    losesState(snapshot, before, spec)
                            ? Objection.to(
                                    carryOn(snapshot, before),
                                    Reason.STATEFUL_UPGRADE_UNSUPPORTED,
                                    "Changed: " + paths(diff),
                                    snapshot)
                            : Upgrade.decide(snapshot, before, spec, wanted, paths(diff));
            case SAVEPOINT_REDEPLOY ->
                    Objection.to(
                            carryOn(snapshot, before),
                            Reason.NOT_SUPPORTED,
                            "spec.job.savepointRedeployNonce: a redeployment from a savepoint",
                            snapshot);
        };
    }

    /** The pass with the spec that was taken up before. */
    private static Pass carryOn(Snapshot snapshot, TakenUp before) {
        return new Pass(
                snapshot,
                new ReconciledSpec(before.raw(), before.firstDeployment()),
                before.spec(),
                Draft.of(snapshot.status()),
                List.of());
    }

    /**
     * Whether a restart would throw away state that a user asked to keep. A job that never ran has
     * none.
     */
    private static boolean losesState(Snapshot snapshot, TakenUp before, FlinkDeploymentSpec spec) {
        boolean keepsState =
                isStateful(spec) && (isStateful(before.spec()) || isWantedRunning(before.spec()));
        return keepsState && !neverRan(snapshot, before);
    }

    private static boolean neverRan(Snapshot snapshot, TakenUp before) {
        return before.firstDeployment()
                && snapshot.status().jobStatus().startTime().isEmpty()
                && snapshot.cluster().jobManager()
                        instanceof JobManagerView.Present(_, _, _, var everAvailable)
                && !everAvailable;
    }

    private static boolean isStateful(FlinkDeploymentSpec spec) {
        return spec.job().map(JobSpec::upgradeMode).orElse(UpgradeMode.STATELESS)
                != UpgradeMode.STATELESS;
    }

    private static boolean isWantedRunning(FlinkDeploymentSpec spec) {
        return spec.job()
                .map(JobSpec::state)
                .filter(state -> state == DesiredJobState.RUNNING)
                .isPresent();
    }

    private static Optional<String> unsupported(FlinkDeploymentSpec spec) {
        if (spec.job().isEmpty()) {
            return Optional.of("A FlinkDeployment without spec.job is a session cluster.");
        }
        return spec.mode() == DeploymentMode.STANDALONE
                ? Optional.of("spec.mode: standalone; use native.")
                : Optional.empty();
    }

    private static String paths(SpecDiff diff) {
        return diff.changes().stream()
                .filter(change -> change.effect() != SpecDiff.Effect.IGNORE)
                .map(SpecDiff.Change::path)
                .collect(Collectors.joining(", "));
    }
}
