// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules;

/** The rules that hold for a job wherever it runs, in the groups in which they are reported. */
final class JobRules {
    static final RuleSet<JobReview> CONFIGURATION =
            RuleSet.of(OptionRules.ALL, RestrictedKeys.RULES, AutoscalerRules.ALL);
    static final RuleSet<JobReview> SCALE = RuleSet.of(ParallelismRules.ALL);
    static final RuleSet<JobReview> STATE = RuleSet.of(StateRules.ALL);

    /** All of them. */
    static final RuleSet<JobReview> ALL =
            RuleSet.of(CONFIGURATION.rules(), SCALE.rules(), STATE.rules());

    private JobRules() {}
}
