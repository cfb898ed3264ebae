// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import io.sluice.operator.bluegreen.decide.PairObservedState.Figures;
import java.time.Instant;

/** What the figures of the other half say, which has run without a break so far. */
sealed interface Analysis {
    record Passed() implements Analysis {}

    record InProgress(Instant until) implements Analysis {}

    /**
     * @param why a sentence
     */
    record Failed(String why) implements Analysis {}

    /**
     * Its time is over, and nobody knows.
     *
     * @param why a sentence
     */
    record Unknown(String why) implements Analysis {}

    /** What is not known neither passes nor fails. */
    static Analysis of(PairDraft draft) {
        PairOptions options = draft.options();
        if (options.analysis().isZero()) {
            return new Passed();
        }
        Figures figures = draft.observed().figures();
        if (figures.restarts().filter(it -> it > options.maxRestarts()).isPresent()) {
            return new Failed(
                    "Its job has restarted "
                            + figures.restarts().orElse(0L)
                            + " times during the analysis.");
        }
        Instant until =
                draft.status()
                        .deploymentReadyTimestamp()
                        .orElse(draft.now())
                        .plus(options.analysis());
        if (draft.now().isBefore(until)) {
            return new InProgress(until);
        }
        if (figures.checkpoints().filter(it -> it < options.minCheckpoints()).isPresent()) {
            return new Failed(
                    "Its job has completed "
                            + figures.checkpoints().orElse(0L)
                            + " checkpoints during the analysis.");
        }
        boolean isKnown =
                figures.restarts().isPresent()
                        && (figures.checkpoints().isPresent() || options.minCheckpoints() == 0);
        return isKnown
                ? new Passed()
                : new Unknown("Flink does not tell the figures of the analysis.");
    }
}
