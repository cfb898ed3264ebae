// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import java.util.EnumSet;
import java.util.Set;

/** What can be wrong with an operator; the simulator has to find each of them. */
enum Flaws {
    /** Acts first and records its intent afterwards. */
    STATUS_AFTER_EFFECT,
    /** A JobManager that does not answer counts as one that is not there. */
    UNREACHABLE_IS_GONE,
    /** Deletes a cluster and does not wait until its pods are gone. */
    DELETION_NOT_AWAITED,
    /** Starts anew because a cache, which may be behind, says that nothing is there. */
    CACHE_IS_TRUTH;

    static Set<Flaws> none() {
        return EnumSet.noneOf(Flaws.class);
    }
}
