// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import io.sluice.api.spec.SavepointFormat;
import io.sluice.api.status.JobState;
import io.sluice.api.status.bluegreen.BlueGreenState;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.TransitionOutcome;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.operator.bluegreen.decide.HalfView.Half;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.SnapshotOptions;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the steps of one decision hand on; nothing in it is mutable. */
@RecordBuilder
record PairDraft(
        PairObservedState observed,
        FlinkBlueGreenDeploymentStatus status,
        List<PairAction> actions,
        List<ResourceEvent> events)
        implements PairDraftBuilder.With {
    /** Soon enough for people, and late enough for the caches. */
    static final Duration SOON = Duration.ofMillis(200);

    PairDraft {
        actions = List.copyOf(actions);
        events = List.copyOf(events);
    }

    static PairDraft of(PairObservedState observed, FlinkBlueGreenDeploymentStatus status) {
        return new PairDraft(observed, status, List.of(), List.of());
    }

    Instant now() {
        return observed.now();
    }

    PairSpec wish() {
        return observed.wish();
    }

    PairOptions options() {
        return PairOptions.of(wish());
    }

    /** The spec that is being carried out. */
    PairSpec recorded() {
        return status.transition()
                .flatMap(PairTransition::spec)
                .or(status::lastReconciledSpec)
                .flatMap(PairSpec::decode)
                .orElseGet(this::wish);
    }

    /** The spec that the active half has. */
    PairSpec active() {
        return status.activeSpec()
                .or(status::lastReconciledSpec)
                .flatMap(PairSpec::decode)
                .orElseGet(this::wish);
    }

    /** The format of the savepoints of the active half. */
    SavepointFormat savepointFormat() {
        return new Options(active().half().flinkConfiguration())
                        .get(SnapshotOptions.SAVEPOINT_FORMAT)
                        .equals(SavepointFormat.NATIVE.name())
                ? SavepointFormat.NATIVE
                : SavepointFormat.CANONICAL;
    }

    /** Whether the spec was edited since the transition began, so that it has to begin again. */
    boolean isEdited() {
        return !wish().hasTemplateOf(recorded()) && wish().effectAfter(recorded()).endsTransition();
    }

    /** Whether the wish is what was acted on, or is being acted on. */
    boolean isReconciled() {
        return status.lastReconciledSpec().isPresent() && wish().hasTemplateOf(recorded());
    }

    HalfView half(HalfColor color) {
        return observed.half(color);
    }

    PairDraft doing(PairAction action) {
        List<PairAction> more = new ArrayList<>(actions);
        more.add(action);
        return withActions(more);
    }

    /** A half that the API server has refused is created again after a pause that grows. */
    PairDraft creating(HalfColor color, PairAction.HalfPlan plan) {
        boolean isDue =
                observed.refusal()
                        .map(refusal -> refusal.isDue(now(), observed.polls().steady()))
                        .orElse(true);
        return isDue ? doing(new PairAction.CreateHalf(color, plan)) : this;
    }

    PairDraft withEvent(ResourceEvent event) {
        List<ResourceEvent> more = new ArrayList<>(events);
        more.add(event);
        return withEvents(more);
    }

    /** With the transition in this phase, which ends after {@code limit} at the latest. */
    PairDraft in(PairTransition transition, TransitionPhase phase, Duration limit) {
        return with(
                transition
                        .with()
                        .phase(phase)
                        .since(now())
                        .deadline(Optional.of(now().plus(limit)))
                        .build());
    }

    /** With this transition, and with the fields of the Apache operator that follow from it. */
    PairDraft with(PairTransition transition) {
        return withStatus(
                status.with()
                        .transition(Optional.of(transition))
                        .blueGreenState(Optional.of(state(transition)))
                        .abortTimestamp(
                                isStarted(transition) ? transition.deadline() : Optional.empty())
                        .build());
    }

    PairDraft withJob(JobState state) {
        return withStatus(
                status.with().jobState(Optional.of(state)).error(Optional.empty()).build());
    }

    PairDraft failing(String error) {
        return withStatus(
                status.with()
                        .jobState(Optional.of(JobState.FAILING))
                        .error(Optional.of(error))
                        .build());
    }

    PairDraft ready(Optional<Instant> since) {
        return withStatus(status.withDeploymentReadyTimestamp(since));
    }

    /**
     * With the transition at its end.
     *
     * @param active the half that is active from now on
     */
    PairDraft ended(PairTransition transition, TransitionOutcome outcome, HalfColor active) {
        boolean isCarriedOut = wish().hasTemplateOf(recorded());
        PairTransition over =
                transition
                        .with()
                        .phase(TransitionPhase.ENDED)
                        .since(now())
                        .deadline(Optional.empty())
                        .spec(Optional.empty())
                        .formerUid(Optional.empty())
                        .approvalSince(Optional.empty())
                        .outcome(Optional.of(outcome))
                        .generation(
                                isCarriedOut
                                        ? observed.identity().generation()
                                        : transition.generation())
                        .build();
        return withStatus(
                status.with()
                        .transition(Optional.of(over))
                        .blueGreenState(Optional.of(BlueGreenState.active(active)))
                        .abortTimestamp(Optional.empty())
                        .deploymentReadyTimestamp(Optional.empty())
                        .savepointTriggerId(Optional.empty())
                        .build());
    }

    /** Whether the time that a phase has is over. */
    boolean isOver(Optional<Instant> deadline) {
        return deadline.filter(end -> !now().isBefore(end)).isPresent();
    }

    /** Whether this is what the conditions on record say, so that it need not be told again. */
    boolean isTold(Reason reason) {
        return observed.status().conditions().stream()
                .anyMatch(each -> each.reason().equals(reason.wire()));
    }

    /** With what another decision does, which is told otherwise. */
    PairDraft as(PairDecision decision) {
        return new PairDraft(observed, decision.status(), decision.actions(), decision.events());
    }

    /** While something is in progress: at the next of these times, and not too late. */
    PairDecision waiting(Reason reason, String detail, List<Optional<Instant>> times) {
        Duration most = shorter(options().longestPause(), observed.polls().steady());
        Duration next =
                times.stream()
                        .flatMap(Optional::stream)
                        .map(time -> Duration.between(now(), time))
                        .filter(Duration::isPositive)
                        .reduce(most, PairDraft::shorter);
        return decide(reason, detail, Optional.of(next));
    }

    PairDecision waiting(Reason reason, String detail) {
        return waiting(
                reason, detail, List.of(status.transition().flatMap(PairTransition::deadline)));
    }

    /** What was recorded lets the next step be taken. */
    PairDecision soon(Reason reason, String detail) {
        return decide(reason, detail, Optional.of(SOON));
    }

    PairDecision decide(Reason reason, String detail, Optional<Duration> checkAgain) {
        return new PairDecision(reason, detail, status, actions, events, checkAgain);
    }

    /** Whether a half belongs to the transition: it was made or changed by it. */
    static boolean isOf(PairTransition transition, Half half) {
        return half.isMarked(transition.id())
                || (transition.id().equals(ApacheTransition.ID) && half.mark().isEmpty());
    }

    private static boolean isStarted(PairTransition transition) {
        return switch (transition.phase()) {
            case FIRST, STARTING, PROVING, APPROVAL, RETIRING, REMOVING, ABORTING -> true;
            case IN_PLACE, PREPARING, SAVING, RESUMING, ENDED -> false;
        };
    }

    private static BlueGreenState state(PairTransition transition) {
        HalfColor from = transition.from().orElse(transition.to());
        return switch (transition.phase()) {
            case FIRST, STARTING, PROVING, APPROVAL, RETIRING, REMOVING, ABORTING ->
                    BlueGreenState.transitioningTo(transition.to());
            case SAVING -> BlueGreenState.saving(from);
            case IN_PLACE, PREPARING, RESUMING, ENDED -> BlueGreenState.active(from);
        };
    }

    private static Duration shorter(Duration one, Duration other) {
        return Stream.of(one, other).min(Duration::compareTo).orElse(one);
    }
}
