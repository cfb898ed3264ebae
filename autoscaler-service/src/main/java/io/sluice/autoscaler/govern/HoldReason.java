// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import java.util.Locale;

/** Why a proposal is not carried out. */
public enum HoldReason {
    NOTHING_CHANGED,
    JOB_NOT_STABLE,
    PARALLELISM_OUT_OF_RANGE,
    METRICS_CONTRADICT,
    SCALE_UP_PENDING,
    RESCALED_TOO_RECENTLY;

    /** For people; never branched on. */
    public String text() {
        return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
}
