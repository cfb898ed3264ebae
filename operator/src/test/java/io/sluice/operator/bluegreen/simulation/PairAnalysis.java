// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.ResourceEvent;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What the halves of a pair tell an analysis, and what must hold of a half that passed one: it has
 * run for long enough, and the last answer did not say that it had restarted.
 */
final class PairAnalysis {
    /** What an analysis has come to. */
    enum Verdict {
        PASSED,
        FAILED,
        UNKNOWN
    }

    private static final String OPTION = "kubernetes.operator.bluegreen.analysis.";

    private final PairWorld world;
    private final Duration duration;

    /** Whether no source says how many records wait before it, until the world is calm. */
    private final boolean isLagUntold;

    private final Set<Verdict> verdicts = EnumSet.noneOf(Verdict.class);
    private boolean isRestartSeen;
    private boolean hasRestarted;

    private PairAnalysis(PairWorld world, Duration duration) {
        this.world = world;
        this.duration = duration;
        isLagUntold = world.dice().chance(30);
    }

    /** One that the dice configure, if any. */
    static PairAnalysis of(PairWorld world, ObjectNode configuration) {
        Duration duration = Duration.ofSeconds(world.dice().pick(List.of(0, 0, 30, 120)));
        if (duration.isPositive()) {
            configuration
                    .put(OPTION + "duration", duration.toSeconds() + " s")
                    .put(OPTION + "min-checkpoints", world.dice().pick(List.of("0", "1", "3")))
                    .put(
                            OPTION + "on-inconclusive",
                            world.dice().pick(List.of("promote", "abort")));
            if (world.dice().chance(50)) {
                configuration.put(OPTION + "max-lag-ratio", "2");
            }
        }
        return new PairAnalysis(world, duration);
    }

    /** The spec as an operator reads it that does not know of analyses. */
    static ObjectNode without(ObjectNode spec) {
        ObjectNode next = spec.deepCopy();
        next.withObject("/configuration").remove(OPTION + "duration");
        return next;
    }

    /**
     * The spec of a user who does not ask for the lag any more: nobody can tell it of an active
     * half that has stopped or fails. Nor does he ask for more checkpoints than Flink need make.
     */
    static ObjectNode lenient(ObjectNode spec) {
        ObjectNode next = spec.deepCopy();
        next.withObject("/configuration").remove(OPTION + "max-lag-ratio");
        if (next.withObject("/configuration").has(OPTION + "min-checkpoints")) {
            next.withObject("/configuration").put(OPTION + "min-checkpoints", "0");
        }
        return next;
    }

    /** How many records wait at the sources of a half with this image. */
    Optional<Double> pending(String image) {
        if (world.isCalm() || image.startsWith("good-final")) {
            return Optional.of(0.0);
        }
        return isLagUntold
                ? Optional.empty()
                : world.dice()
                        .pick(
                                List.of(
                                        Optional.of(0.0),
                                        Optional.of(2000.0),
                                        Optional.of(9000.0),
                                        Optional.<Double>empty()));
    }

    /** A process of the operator begins to look at the pair. */
    void beginsPass() {
        isRestartSeen = false;
    }

    /** The operator has learnt that the job of a half was restarted. */
    void toldOfRestart(Half half) {
        isRestartSeen |=
                world.promises()
                        .transition()
                        .flatMap(it -> half(it.to()))
                        .filter(it -> it == half)
                        .isPresent();
    }

    private Optional<Half> half(HalfColor color) {
        return world.half(color);
    }

    /** What the analyses of this world have come to. */
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
            world.violated("a half is promoted before it has run for its analysis");
        }
        if (hasRestarted) {
            world.violated("a half that has restarted is promoted");
        }
    }

    private static boolean isRetiring(Optional<PairTransition> transition) {
        return transition.filter(it -> it.phase() == TransitionPhase.RETIRING).isPresent();
    }

    private static Optional<PairTransition> transition(ObjectNode status) {
        return FlinkBlueGreenDeploymentStatus.of(status).transition();
    }
}
