// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.operator.bluegreen.analysis.Figures;
import io.sluice.operator.bluegreen.analysis.Figures.Progress;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.ResourceEvent;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the halves of a simulated pair tell an analysis, and what must hold of a half that passed
 * one: it has run for long enough, and the last answer did not say that it had restarted.
 */
final class SimulatedAnalysis {
    /** What an analysis has come to. */
    enum Verdict {
        PASSED,
        FAILED,
        UNKNOWN
    }

    private static final String OPTION = "kubernetes.operator.bluegreen.analysis.";

    private final SimulatedPair pair;
    private final Set<PairFlaws> flaws;
    private final Duration duration;
    private final Set<Verdict> verdicts = EnumSet.noneOf(Verdict.class);
    private boolean isRestartSeen;
    private boolean hasRestarted;

    private SimulatedAnalysis(SimulatedPair pair, Duration duration, Set<PairFlaws> flaws) {
        this.pair = pair;
        this.duration = duration;
        this.flaws = flaws;
    }

    static SimulatedAnalysis none(SimulatedPair pair) {
        return new SimulatedAnalysis(pair, Duration.ZERO, PairFlaws.none());
    }

    /** One that the dice configure, if any. */
    static SimulatedAnalysis of(
            SimulatedPair pair, ObjectNode configuration, Set<PairFlaws> flaws) {
        Duration duration = Duration.ofSeconds(pair.besides().pick(List.of(0, 0, 30, 120)));
        if (duration.isPositive()) {
            configuration
                    .put(OPTION + "duration", duration.toSeconds() + " s")
                    .put(OPTION + "min-checkpoints", pair.besides().pick(List.of("0", "1", "3")))
                    .put(
                            OPTION + "on-inconclusive",
                            pair.besides().pick(List.of("promote", "abort")));
            if (pair.besides().chance(50)) {
                configuration.put(OPTION + "max-lag-ratio", "2");
            }
        }
        return new SimulatedAnalysis(pair, duration, flaws);
    }

    /** The spec as an operator reads it that does not know of analyses. */
    static ObjectNode without(ObjectNode spec) {
        ObjectNode next = spec.deepCopy();
        next.withObject("/configuration").remove(OPTION + "duration");
        return next;
    }

    /**
     * The spec of a user who does not ask for the lag any more: nobody can tell it of an active
     * half that has stopped or fails.
     */
    static ObjectNode withoutLag(ObjectNode spec) {
        ObjectNode next = spec.deepCopy();
        next.withObject("/configuration").remove(OPTION + "max-lag-ratio");
        return next;
    }

    /** What a look at the halves finds. */
    Figures look(PairTransition transition) {
        Optional<SimulatedHalf> other = half(transition.to());
        isRestartSeen = false;
        if (duration.isZero() || other.isEmpty() || pair.strikes(25)) {
            return Figures.UNKNOWN;
        }
        isRestartSeen = other.get().restarts() > 0;
        long restarts = flaws.contains(PairFlaws.RESTARTS_OVERLOOKED) ? 0L : other.get().restarts();
        return Figures.of(Optional.of(restarts), Optional.of(checkpoints(other.get())))
                .with()
                .other(new Progress(other.get().pending(), Optional.empty()))
                .active(
                        new Progress(
                                half(transition.to().other()).flatMap(SimulatedHalf::pending),
                                Optional.empty()))
                .build();
    }

    private long checkpoints(SimulatedHalf half) {
        return half.secondsSteady() / (pair.isCalm() ? 5 : 20);
    }

    private Optional<SimulatedHalf> half(HalfColor color) {
        return Optional.ofNullable(pair.halves().get(color));
    }

    /** What the analyses of this pair have come to. */
    Set<Verdict> verdicts() {
        return verdicts;
    }

    /** An event is told, which may be of an analysis. */
    void told(ResourceEvent event) {
        boolean isFailure =
                event.of() == OperatorEvent.TRANSITION_ABORTED
                        && Stream.of("max-restarts", "min-checkpoints", "max-lag-ratio")
                                .anyMatch(event.message()::contains);
        if (isFailure) {
            verdicts.add(Verdict.FAILED);
        } else if (event.of() == OperatorEvent.ANALYSIS_INCONCLUSIVE) {
            verdicts.add(Verdict.UNKNOWN);
        }
    }

    void stored(ObjectNode before, ObjectNode next) {
        Optional<PairTransition> former = transition(before);
        Optional<PairTransition> now = transition(next);
        boolean isSame = former.map(PairTransition::id).equals(now.map(PairTransition::id));
        boolean isLooked =
                !former.flatMap(PairTransition::checkedAt)
                        .equals(now.flatMap(PairTransition::checkedAt));
        hasRestarted = isSame && (hasRestarted || (isLooked && isRestartSeen));
        if (duration.isPositive() && !isRetiring(former)) {
            now.filter(_ -> isRetiring(now)).ifPresent(this::promoted);
        }
    }

    private void promoted(PairTransition transition) {
        verdicts.add(Verdict.PASSED);
        boolean isEarly =
                half(transition.to())
                        .filter(half -> half.secondsSteady() < duration.toSeconds())
                        .isPresent();
        if (isEarly) {
            pair.violated("a half is promoted before it has run for its analysis");
        }
        if (hasRestarted) {
            pair.violated("a half that has restarted is promoted");
        }
    }

    private static boolean isRetiring(Optional<PairTransition> transition) {
        return transition.filter(it -> it.phase() == TransitionPhase.RETIRING).isPresent();
    }

    private static Optional<PairTransition> transition(ObjectNode status) {
        return FlinkBlueGreenDeploymentStatus.of(status).transition();
    }
}
