// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.config;

import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.CheckOptions;
import java.time.Duration;

/**
 * What makes the operator unwell.
 *
 * @param canaryTimeout after which a canary's change must have been seen
 * @param stopsOnInformerError whether it does not start if a watch can't be opened
 */
public record HealthOptions(Duration canaryTimeout, boolean stopsOnInformerError) {
    public static HealthOptions of(DefaultConfiguration configuration) {
        Options options = new Options(configuration.own());
        return new HealthOptions(
                options.get(CheckOptions.CANARY_TIMEOUT),
                options.get(CheckOptions.STOP_ON_INFORMER_ERROR));
    }
}
