// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.job;

import io.sluice.rules.review.JobReview;
import io.sluice.rules.review.RuleSet;

/** The rules that hold for a job wherever it runs, in the groups in which they are reported. */
public final class JobRules {
    public static final RuleSet<JobReview> CONFIGURATION =
            RuleSet.of(OptionRules.ALL, RestrictedKeys.RULES, AutoscalerRules.ALL);
    public static final RuleSet<JobReview> SCALE = RuleSet.of(ParallelismRules.ALL);
    public static final RuleSet<JobReview> STATE = RuleSet.of(StateRules.ALL);

    public static final RuleSet<JobReview> RESTORE = RuleSet.of(RestoreRules.ALL);

    /** All of them. */
    public static final RuleSet<JobReview> ALL =
            RuleSet.of(CONFIGURATION.rules(), SCALE.rules(), STATE.rules(), RESTORE.rules());

    private JobRules() {}
}
