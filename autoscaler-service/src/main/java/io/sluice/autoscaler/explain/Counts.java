// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.explain;

import io.sluice.autoscaler.govern.HoldReason;
import io.sluice.autoscaler.state.Discarded;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What happened to a job since this process first saw it.
 *
 * @param holds looks at which a proposal was held, by reason
 * @param discarded entries of the stored state that were not used, by what was wrong with them
 * @param ofDay rescales of the last 24 hours, those before this process included
 * @param perDay how many there may be
 */
public record Counts(
        long scalings,
        long errors,
        long balanced,
        Map<HoldReason, Long> holds,
        Map<Discarded.Cause, Long> discarded,
        int ofDay,
        int perDay) {
    public Counts {
        EnumMap<HoldReason, Long> copy = new EnumMap<>(HoldReason.class);
        copy.putAll(holds);
        holds = Collections.unmodifiableMap(copy);
        discarded = Collections.unmodifiableMap(new LinkedHashMap<>(discarded));
    }
}
