// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.FlinkDeploymentStatus;
import io.sluice.api.JobSpec;
import io.sluice.api.ParallelismOverrides;
import io.sluice.api.StopStatus;
import io.sluice.rules.diff.ChangeText;
import io.sluice.rules.diff.SpecDiff;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Tells which change of a spec is carried out: by the pass that puts the changed spec on record,
 * and so once, however many passes its job's end takes before. What a running job would not notice
 * is not told.
 */
final class CarriedOut {
    private static final String CHANGES = " change(s) carried out: ";
    private static final String UNDONE =
            "The redeployment is undone: the job before it goes on from its last state";

    private CarriedOut() {}

    /** The decision, telling of the change that it takes up, if it takes one up. */
    static Decision told(Snapshot snapshot, Decision decision) {
        return snapshot.takenUp()
                .flatMap(before -> change(snapshot, before, decision))
                .map(note -> telling(decision, note))
                .orElse(decision);
    }

    /** A job is stopped without a change of its spec. */
    static Decision leaving(Snapshot snapshot, Decision decision) {
        Optional<String> before = trigger(snapshot.status());
        return trigger(decision.status())
                        .filter(stop -> !before.equals(Optional.of(stop)))
                        .isPresent()
                ? telling(
                        decision,
                        Note.normal(
                                "Job",
                                "Suspended",
                                snapshot.status().attempt().id().orElse("") + "/leaving",
                                "Stopping the job with its state: the session cluster is being"
                                        + " replaced"))
                : decision;
    }

    private static Optional<String> trigger(FlinkDeploymentStatus status) {
        return status.attempt().stop().map(StopStatus::triggerId);
    }

    private static Optional<Note> change(Snapshot snapshot, TakenUp before, Decision decision) {
        return decision.status()
                .reconciliationStatus()
                .lastReconciledSpec()
                .filter(encoded -> !encoded.equals(before.encoded()))
                .flatMap(_ -> TakenUp.from(decision.status().reconciliationStatus()))
                .flatMap(
                        after ->
                                Redeployment.isUndone(snapshot.status(), decision)
                                        ? Optional.of(note(snapshot, after.spec(), UNDONE))
                                        : change(snapshot, before, after));
    }

    private static Optional<Note> change(Snapshot snapshot, TakenUp before, TakenUp after) {
        SpecDiff diff = SpecDiff.between(before.spec(), after.spec());
        return switch (diff.effect()) {
            case NONE, IGNORE -> Optional.empty();
            case SCALE, UPGRADE ->
                    Optional.of(
                            note(
                                    snapshot,
                                    after.spec(),
                                    diff.effect()
                                            + CHANGES
                                            + ChangeText.of(diff, before.raw(), after.raw())));
            case SAVEPOINT_REDEPLOY ->
                    Optional.of(
                            note(
                                    snapshot,
                                    after.spec(),
                                    diff.effect() + CHANGES + "starting from " + path(after)));
        };
    }

    private static String path(TakenUp after) {
        return after.spec().job().flatMap(JobSpec::initialSavepointPath).orElse("");
    }

    private static Note note(Snapshot snapshot, FlinkDeploymentSpec spec, String message) {
        return Note.normal(
                "JobManagerDeployment",
                "SpecChanged",
                "SpecChange: "
                        + snapshot.identity().generation()
                        + "/"
                        + ParallelismOverrides.in(spec.flinkConfiguration()).text(),
                message);
    }

    private static Decision telling(Decision decision, Note note) {
        List<Note> notes = Stream.concat(Stream.of(note), decision.notes().stream()).toList();
        return new Decision(
                decision.reason(),
                decision.detail(),
                decision.status(),
                decision.actions(),
                notes,
                decision.checkAgain());
    }
}
