// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.validation;

import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.CheckOptions;
import java.time.Duration;

/**
 * How validators are asked.
 *
 * @param timeout for all validators of one resource together
 * @param configuration fingerprint of the operator's configuration
 */
public record ValidationOptions(Duration timeout, String configuration) {
    public static ValidationOptions of(DefaultConfiguration configuration) {
        return new ValidationOptions(
                new Options(configuration.own()).get(CheckOptions.VALIDATION_TIMEOUT),
                configuration.fingerprint());
    }
}
