// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import io.sluice.autoscaler.decide.Evaluation;
import io.sluice.autoscaler.explain.Pace;
import io.sluice.autoscaler.govern.Budget;
import io.sluice.autoscaler.govern.Consumption;
import io.sluice.autoscaler.govern.GovernedProposal;
import io.sluice.autoscaler.govern.Proposal;
import io.sluice.autoscaler.govern.ScalePlan;
import java.util.List;

/**
 * What one look at a job led to.
 *
 * @param governed the engine's proposal, sized anew, and what of it can be judged
 * @param consumption of the job as it runs
 * @param fitted whether for a load that has stayed the same for long
 * @param ignored options that could not be read, or have no effect: key and remedy
 */
public record CycleResult(
        Evaluation evaluation,
        GovernedProposal governed,
        Budget budget,
        ScalePlan plan,
        Consumption consumption,
        Pace pace,
        boolean fitted,
        List<String> ignored) {
    public CycleResult {
        ignored = List.copyOf(ignored);
    }

    /** What would be published. */
    public Proposal proposal() {
        return governed.shown();
    }
}
