// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import io.sluice.api.spec.JobReference;
import io.sluice.api.spec.ResourceKind;
import io.sluice.api.spec.SavepointSpec;
import io.sluice.api.spec.StateKind;
import io.sluice.api.status.TriggerType;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.SavepointRegistration;
import io.sluice.api.status.bluegreen.TransitionSavepoint;
import io.sluice.operator.decide.step.SnapshotCreations;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.RunView.SnapshotView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The FlinkStateSnapshot of the savepoint that an active half has made for a transition, as an
 * upgrade of a FlinkDeployment leaves one. A half that is stopped with its savepoint registers it
 * itself.
 *
 * <pre>
 *   savepoint complete ─▶ recorded with its name, created ─▶ seen: done with
 * </pre>
 *
 * It goes on whatever becomes of the transition. The name contains a time that is on record, so
 * that a repeated creation makes no second one. A creation that fails keeps nothing else from being
 * done, and is given up only if the API server still refuses it: an operator that comes back late
 * has not tried yet.
 */
final class Registration {
    private Registration() {}

    /** With the complete savepoint of the transition on record, to be registered. */
    static PairDraft recorded(PairDraft draft, PairTransition transition, String path) {
        if (!draft.observed().snapshots().areUsed()) {
            return draft;
        }
        HalfColor active = transition.from().orElse(transition.to().other());
        String job = active.nameIn(draft.observed().identity().name());
        SavepointRegistration next =
                new SavepointRegistration(
                        SnapshotCreations.name(
                                job,
                                StateKind.SAVEPOINT,
                                TriggerType.UPGRADE,
                                transition
                                        .savepoint()
                                        .map(TransitionSavepoint::at)
                                        .orElse(draft.now())),
                        job,
                        path,
                        draft.savepointFormat(),
                        draft.observed().snapshots().disposeOnDelete(),
                        draft.now());
        PairDraft told =
                draft.status()
                        .registration()
                        .filter(former -> !former.name().equals(next.name()))
                        .filter(_ -> !draft.observed().snapshots().registered().exists())
                        .map(former -> draft.withEvent(PairEvents.notRegistered(draft, former)))
                        .orElse(draft);
        return told.withStatus(told.status().withRegistration(Optional.of(next)));
    }

    /**
     * The decision with the creation of the snapshot that its status has on record and that was not
     * seen yet, or without it on record.
     */
    static PairDecision with(PairObservedState observed, PairDecision decision) {
        Optional<SavepointRegistration> recorded = decision.status().registration();
        if (recorded.isEmpty()) {
            return decision;
        }
        SavepointRegistration registration = recorded.get();
        boolean isNew = !recorded.equals(observed.status().registration());
        SnapshotView view = isNew ? new SnapshotView.NotRead() : observed.snapshots().registered();
        if (view.exists() || !observed.snapshots().areServed()) {
            return without(decision);
        }
        boolean isGivenUp =
                view instanceof SnapshotView.Refused
                        && observed.now()
                                .isAfter(
                                        registration
                                                .since()
                                                .plus(SnapshotCreations.REGISTERED_WITHIN));
        return isGivenUp
                ? givenUp(PairDraft.of(observed, decision.status()), decision, registration)
                : creating(observed, decision, registration);
    }

    private static PairDecision creating(
            PairObservedState observed, PairDecision decision, SavepointRegistration registration) {
        List<PairAction> actions = new ArrayList<>();
        actions.add(
                new PairAction.RegisterSavepoint(
                        new Action.CreateSnapshot(
                                registration.name(),
                                TriggerType.UPGRADE,
                                SnapshotCreations.ofSavepoint(
                                        new JobReference(
                                                Optional.of(ResourceKind.FLINK_DEPLOYMENT),
                                                Optional.of(registration.job())),
                                        new SavepointSpec(
                                                Optional.of(registration.path()),
                                                registration.format(),
                                                registration.disposesOnDelete(),
                                                true)),
                                observed.snapshots().inheritedLabels())));
        actions.addAll(decision.actions());
        Duration soon = observed.polls().progress();
        return decision.with()
                .actions(actions)
                .checkAgain(
                        decision.checkAgain()
                                .filter(time -> time.compareTo(soon) < 0)
                                .or(() -> Optional.of(soon)))
                .build();
    }

    private static PairDecision givenUp(
            PairDraft draft, PairDecision decision, SavepointRegistration registration) {
        PairDraft told =
                draft.withEvents(decision.events())
                        .withEvent(PairEvents.notRegistered(draft, registration));
        return without(decision.withEvents(told.events()));
    }

    private static PairDecision without(PairDecision decision) {
        return decision.withStatus(decision.status().withRegistration(Optional.empty()));
    }
}
