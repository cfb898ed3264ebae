// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.validation;

import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import java.time.Duration;

/**
 * How validators are asked.
 *
 * @param timeout for all validators of one resource together
 * @param configuration fingerprint of the operator's configuration
 */
public record ValidationOptions(Duration timeout, String configuration) {
    static final String TIMEOUT = "kubernetes.operator.validation.timeout";
    private static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(10);

    public static ValidationOptions of(DefaultConfiguration configuration) {
        return new ValidationOptions(
                new Options(configuration.own())
                        .duration(TIMEOUT)
                        .filter(Duration::isPositive)
                        .orElse(DEFAULT_TIMEOUT),
                configuration.fingerprint());
    }
}
