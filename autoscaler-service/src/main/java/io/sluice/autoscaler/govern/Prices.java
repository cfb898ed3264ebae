// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import io.sluice.autoscaler.collect.Footprint;
import io.sluice.autoscaler.collect.JobOptions;
import io.sluice.rules.config.option.AutoscalerOptions;
import java.util.Optional;

/**
 * What an hour of TaskManagers costs, in a currency of the platform's choice.
 *
 * @param core of one core; empty if it has no price
 * @param gibibyte of one GiB of memory; empty if it has no price
 */
public record Prices(Optional<Double> core, Optional<Double> gibibyte) {
    private static final double GIBIBYTE = 1L << 30;

    public static Prices of(JobOptions options) {
        return new Prices(
                options.numberIfSet(AutoscalerOptions.PRICE_CORE_HOUR, 0),
                options.numberIfSet(AutoscalerOptions.PRICE_GIB_HOUR, 0));
    }

    /** Empty if nothing has a price, or it is not known what they take. */
    Optional<Double> perHour(Footprint taskManagers) {
        boolean isKnown = taskManagers.isMoreThan(Footprint.NOTHING);
        return isKnown && (core.isPresent() || gibibyte.isPresent())
                ? Optional.of(
                        core.orElse(0.0) * taskManagers.cores()
                                + gibibyte.orElse(0.0) * taskManagers.memory() / GIBIBYTE)
                : Optional.empty();
    }
}
