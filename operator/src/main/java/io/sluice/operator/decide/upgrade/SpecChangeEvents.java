// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.spec.ParallelismOverrides;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.StopStatus;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.rules.diff.ChangeText;
import io.sluice.rules.diff.SpecDiff;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Tells which change of a spec is carried out: by the reconciliation that puts the changed spec on
 * record, and so once, however many reconciliations its job's end takes before. What a running job
 * would not notice is not told.
 */
public final class SpecChangeEvents {
    private static final String CHANGES = " change(s) carried out: ";
    private static final String UNDONE =
            "The redeployment is undone: the former job continues from its last state";

    private SpecChangeEvents() {}

    /** The decision, telling of the change that it takes up, if it takes one up. */
    public static Decision withSpecChangedEvent(ObservedState observed, Decision decision) {
        return observed.lastReconciled()
                .flatMap(before -> change(observed, before, decision))
                .map(event -> withEventFirst(decision, event))
                .orElse(decision);
    }

    /** A job is stopped without a change of its spec. */
    public static Decision withSessionClusterReplacedEvent(
            ObservedState observed, Decision decision) {
        Optional<String> before = trigger(observed.status());
        return trigger(decision.status())
                        .filter(stop -> !before.equals(Optional.of(stop)))
                        .isPresent()
                ? withEventFirst(
                        decision,
                        ResourceEvent.of(
                                "Job",
                                OperatorEvent.SUSPENDED,
                                observed.status().attempt().id().orElse("") + "/leaving",
                                "Stopping the job with its state: the session cluster is being"
                                        + " replaced"))
                : decision;
    }

    private static Optional<String> trigger(FlinkDeploymentStatus status) {
        return status.attempt().stop().map(StopStatus::triggerId);
    }

    private static Optional<ResourceEvent> change(
            ObservedState observed, LastReconciledSpec before, Decision decision) {
        return decision.status()
                .reconciliationStatus()
                .lastReconciledSpec()
                .filter(encoded -> !encoded.equals(before.encoded()))
                .flatMap(_ -> LastReconciledSpec.from(decision.status().reconciliationStatus()))
                .flatMap(
                        after ->
                                Redeployment.isUndone(observed.status(), decision)
                                        ? Optional.of(note(observed, after.spec(), UNDONE))
                                        : change(observed, before, after));
    }

    private static Optional<ResourceEvent> change(
            ObservedState observed, LastReconciledSpec before, LastReconciledSpec after) {
        SpecDiff diff = SpecDiff.between(before.spec(), after.spec());
        return switch (diff.effect()) {
            case NONE, IGNORE -> Optional.empty();
            case SCALE, UPGRADE ->
                    Optional.of(
                            note(
                                    observed,
                                    after.spec(),
                                    diff.effect()
                                            + CHANGES
                                            + ChangeText.of(diff, before.raw(), after.raw())));
            case SAVEPOINT_REDEPLOY ->
                    Optional.of(
                            note(
                                    observed,
                                    after.spec(),
                                    diff.effect() + CHANGES + "starting from " + path(after)));
        };
    }

    private static String path(LastReconciledSpec after) {
        return after.spec().job().flatMap(JobSpec::initialSavepointPath).orElse("");
    }

    private static ResourceEvent note(
            ObservedState observed, FlinkDeploymentSpec spec, String message) {
        return ResourceEvent.of(
                "JobManagerDeployment",
                OperatorEvent.SPEC_CHANGED,
                "SpecChange: "
                        + observed.identity().generation()
                        + "/"
                        + ParallelismOverrides.in(spec.flinkConfiguration()).text(),
                message);
    }

    private static Decision withEventFirst(Decision decision, ResourceEvent event) {
        List<ResourceEvent> notes =
                Stream.concat(Stream.of(event), decision.notes().stream()).toList();
        return decision.withNotes(notes);
    }
}
