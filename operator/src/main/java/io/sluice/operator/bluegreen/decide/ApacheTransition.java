// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import io.sluice.api.status.JobState;
import io.sluice.api.status.bluegreen.BlueGreenState;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.Handover;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.PairTransitionBuilder;
import io.sluice.api.status.bluegreen.StartState;
import io.sluice.api.status.bluegreen.TransitionOutcome;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.api.status.bluegreen.TransitionSavepoint;
import io.sluice.api.status.bluegreen.TransitionSavepointBuilder;
import io.sluice.operator.bluegreen.decide.HalfView.Half;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A status that the Apache operator left, in Sluice's words (docs/contract/bluegreen.md, section
 * 6). It is read so until Sluice has written one of its own, which has conditions.
 */
final class ApacheTransition {
    /** The halves of such a transition bear no annotation of ours. */
    static final String ID = "apache";

    private ApacheTransition() {}

    static FlinkBlueGreenDeploymentStatus read(PairObservedState observed) {
        FlinkBlueGreenDeploymentStatus status = observed.status();
        boolean isOurs = status.transition().isPresent() || !status.conditions().isEmpty();
        if (isOurs || status.blueGreenState().isEmpty()) {
            return status;
        }
        BlueGreenState state = status.blueGreenState().get();
        return switch (state) {
            case INITIALIZING_BLUE -> status;
            case ACTIVE_BLUE -> atRest(observed, HalfColor.BLUE);
            case ACTIVE_GREEN -> atRest(observed, HalfColor.GREEN);
            case SAVEPOINTING_BLUE -> saving(observed, HalfColor.BLUE);
            case SAVEPOINTING_GREEN -> saving(observed, HalfColor.GREEN);
            case TRANSITIONING_TO_BLUE -> starting(observed, HalfColor.BLUE);
            case TRANSITIONING_TO_GREEN -> starting(observed, HalfColor.GREEN);
        };
    }

    /**
     * After a failed transition the last reconciled spec is the one that was given up; what the
     * active half has is what it says itself.
     */
    private static FlinkBlueGreenDeploymentStatus atRest(
            PairObservedState observed, HalfColor active) {
        FlinkBlueGreenDeploymentStatus status = observed.status();
        if (!status.jobState().equals(Optional.of(JobState.FAILING))) {
            return status;
        }
        boolean isGivenUp =
                status.lastReconciledSpec()
                        .flatMap(PairSpec::decode)
                        .filter(observed.wish()::hasTemplateOf)
                        .isPresent();
        PairTransition failed =
                transition(observed, active.other(), TransitionPhase.ENDED)
                        .outcome(Optional.of(TransitionOutcome.ABORTED))
                        .message(status.error())
                        .generation(isGivenUp ? observed.identity().generation() : 0)
                        .deadline(Optional.empty())
                        .build();
        return status.with()
                .activeSpec(specOf(observed, active).or(status::activeSpec))
                .transition(Optional.of(failed))
                .build();
    }

    private static FlinkBlueGreenDeploymentStatus saving(
            PairObservedState observed, HalfColor active) {
        FlinkBlueGreenDeploymentStatus status = observed.status();
        Optional<TransitionSavepoint> savepoint =
                status.savepointTriggerId()
                        .map(
                                id ->
                                        TransitionSavepointBuilder.builder()
                                                .triggerId(Optional.of(id))
                                                .jobId(
                                                        observed.half(active)
                                                                .half()
                                                                .flatMap(Half::jobId))
                                                .at(observed.now())
                                                .tries(1)
                                                .build());
        return status.withTransition(
                Optional.of(
                        transition(observed, active.other(), TransitionPhase.SAVING)
                                .spec(Optional.of(observed.wish().encode()))
                                .savepoint(savepoint)
                                .build()));
    }

    private static FlinkBlueGreenDeploymentStatus starting(
            PairObservedState observed, HalfColor to) {
        FlinkBlueGreenDeploymentStatus status = observed.status();
        boolean hasFrom = observed.half(to.other()) instanceof Half;
        Optional<Half> half = observed.half(to).half();
        if (half.isEmpty()) {
            BlueGreenState active = BlueGreenState.active(hasFrom ? to.other() : to);
            return status.with()
                    .blueGreenState(Optional.of(active))
                    .activeSpec(hasFrom ? specOf(observed, to.other()) : status.activeSpec())
                    .build();
        }
        if (!hasFrom) {
            TransitionPhase phase =
                    half.get().hasRun() ? TransitionPhase.IN_PLACE : TransitionPhase.FIRST;
            return status.withTransition(
                    Optional.of(
                            transition(observed, to, phase)
                                    .from(
                                            Optional.of(to)
                                                    .filter(_ -> phase == TransitionPhase.IN_PLACE))
                                    .startFrom(StartState.TEMPLATE)
                                    .build()));
        }
        Optional<Instant> deadline =
                status.abortTimestamp()
                        .or(
                                () ->
                                        Optional.of(
                                                observed.now()
                                                        .plus(
                                                                PairOptions.of(observed.wish())
                                                                        .grace())));
        Optional<TransitionSavepoint> savepoint =
                Optional.of(half.get().spec().at("/job/initialSavepointPath").asText(""))
                        .filter(path -> !path.isEmpty())
                        .map(
                                path ->
                                        TransitionSavepointBuilder.builder()
                                                .at(observed.now())
                                                .tries(1)
                                                .path(Optional.of(path))
                                                .build());
        return status.with()
                .activeSpec(specOf(observed, to.other()))
                .transition(
                        Optional.of(
                                transition(observed, to, TransitionPhase.STARTING)
                                        .deadline(deadline)
                                        .savepoint(savepoint)
                                        .build()))
                .build();
    }

    private static PairTransitionBuilder transition(
            PairObservedState observed, HalfColor to, TransitionPhase phase) {
        return PairTransitionBuilder.builder()
                .id(ID)
                .from(Optional.of(to.other()))
                .to(to)
                .generation(observed.identity().generation())
                .handover(Handover.OVERLAP)
                .startFrom(StartState.SAVEPOINT)
                .phase(phase)
                .began(observed.now())
                .since(observed.now())
                .checks(List.of())
                .deadline(
                        Optional.of(observed.now().plus(PairOptions.of(observed.wish()).grace())));
    }

    private static Optional<String> specOf(PairObservedState observed, HalfColor color) {
        return observed.half(color).half().map(half -> PairSpec.ofHalf(half.spec()).encode());
    }
}
