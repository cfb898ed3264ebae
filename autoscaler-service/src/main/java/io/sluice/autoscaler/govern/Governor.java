// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

/**
 * The last word on every scaling. More may be asked for at any time; less only once what was asked
 * for has had time to come: pods that just start cost the processor time that then is missing in
 * the metrics, and a wish taken back and made again is two rescales for none.
 */
public final class Governor {
    private Governor() {}

    public static ScalePlan decide(Proposal proposal, Budget budget) {
        if (proposal.proposed().equals(proposal.published())) {
            return new ScalePlan.Hold(HoldReason.NOTHING_CHANGED);
        }
        if (!proposal.stable()) {
            return new ScalePlan.Hold(HoldReason.JOB_NOT_STABLE);
        }
        if (!isInRange(proposal)) {
            return new ScalePlan.Hold(HoldReason.PARALLELISM_OUT_OF_RANGE);
        }
        if (proposal.lowersADoubtfulVertex()) {
            return new ScalePlan.Hold(HoldReason.METRICS_CONTRADICT);
        }
        if (proposal.takesBackAPendingScaleUp() && budget.isLastScalingFresh()) {
            return new ScalePlan.Hold(HoldReason.SCALE_UP_PENDING);
        }
        if (budget.isSpent()) {
            return new ScalePlan.Hold(HoldReason.RESCALED_TOO_RECENTLY);
        }
        return new ScalePlan.Apply(proposal.proposed());
    }

    /** Flink dies of a parallelism below 1 and refuses one above the maximum. */
    private static boolean isInRange(Proposal proposal) {
        return proposal.proposed().entrySet().stream()
                .allMatch(
                        vertex ->
                                vertex.getValue() >= 1
                                        && vertex.getValue()
                                                <= proposal.highest()
                                                        .getOrDefault(
                                                                vertex.getKey(),
                                                                Integer.MAX_VALUE));
    }
}
