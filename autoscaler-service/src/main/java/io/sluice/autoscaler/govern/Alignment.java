// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import io.sluice.autoscaler.collect.JobOptions;
import io.sluice.rules.config.option.AutoscalerOptions;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which parallelism a vertex gets whose subtasks share partitions or key groups, none of which can
 * be split (docs/contract/autoscaler.md, section 4, step 5). Where none is found, the one that is
 * needed.
 */
public enum Alignment {
    /** Unless told otherwise: the least whose fullest subtask stays below the limit. */
    FULLEST,

    /** A divisor, or the least whose subtasks get fewer groups, rounded down. */
    BALANCED,

    /** Divisors only. */
    EVENLY_SPREAD,

    /** As many as are needed. */
    OFF,

    /** As {@link #EVENLY_SPREAD}, and where there is no divisor above, the one below. */
    EVENLY_SPREAD_OR_FEWER,

    /** As {@link #BALANCED}, and where nothing is found above, fewer. */
    MAXIMIZE_UTILISATION;

    /** The newer option counts; the older one also tries fewer. */
    static Alignment of(JobOptions options) {
        return options.choiceIfSet(
                        AutoscalerOptions.PARALLELISM_ALIGNMENT,
                        List.of(BALANCED, EVENLY_SPREAD, OFF))
                .or(
                        () ->
                                options.choiceIfSet(
                                                AutoscalerOptions.KEY_GROUP_ADJUSTMENT,
                                                List.of(EVENLY_SPREAD, MAXIMIZE_UTILISATION))
                                        .map(
                                                mode ->
                                                        mode == EVENLY_SPREAD
                                                                ? EVENLY_SPREAD_OR_FEWER
                                                                : mode))
                .orElse(FULLEST);
    }

    /**
     * @param needed subtasks, at least 1
     * @param groups that they share, at least 1
     * @param least never fewer
     * @param most never more; below {@code needed} nothing is looked for above it
     */
    int align(int needed, int groups, int least, int most) {
        return switch (this) {
            case FULLEST, OFF -> needed;
            case BALANCED -> above(needed, groups, most, needed);
            case EVENLY_SPREAD -> divisor(needed, groups, most, needed);
            case MAXIMIZE_UTILISATION -> above(needed, groups, most, below(needed, groups, least));
            case EVENLY_SPREAD_OR_FEWER ->
                    divisor(needed, groups, most, below(needed, groups, least));
        };
    }

    private static int above(int needed, int groups, int most, int otherwise) {
        return IntStream.rangeClosed(needed, most)
                .filter(each -> groups % each == 0 || groups / each < groups / needed)
                .findFirst()
                .orElse(otherwise);
    }

    private static int divisor(int needed, int groups, int most, int otherwise) {
        return IntStream.rangeClosed(needed, most)
                .filter(each -> groups % each == 0)
                .findFirst()
                .orElse(otherwise);
    }

    /** The fewest whose subtasks get no more groups each, rounded down, or a divisor. */
    private static int below(int needed, int groups, int least) {
        int each = needed;
        while (each > 1 && groups / each <= groups / needed) {
            each--;
        }
        boolean found = groups / each > groups / needed;
        return Math.max(found && groups % each != 0 ? each + 1 : each, Math.min(least, needed));
    }
}
