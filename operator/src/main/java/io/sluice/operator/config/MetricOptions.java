// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.config;

import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.SeriesOptions;
import java.time.Duration;

/**
 * Which series the operator shows; all of them unless it is told otherwise.
 *
 * @param runtime the Java runtime's
 * @param framework of reconciliations: how long they take and wait
 * @param client of requests to the API server
 * @param slowRequest what of these takes longer counts as slow
 * @param resources one and more for each resource, and their sums by namespace
 * @param lifecycle how long resources stay in a state
 * @param lifecycleByNamespace these for each namespace
 */
public record MetricOptions(
        boolean runtime,
        boolean framework,
        boolean client,
        Duration slowRequest,
        boolean resources,
        boolean lifecycle,
        boolean lifecycleByNamespace) {
    public static MetricOptions of(DefaultConfiguration configuration) {
        Options options = new Options(configuration.own());
        return new MetricOptions(
                options.get(SeriesOptions.JAVA_RUNTIME),
                options.get(SeriesOptions.RECONCILIATIONS),
                options.get(SeriesOptions.KUBERNETES_CLIENT),
                options.get(SeriesOptions.SLOW_REQUEST_THRESHOLD),
                options.get(SeriesOptions.RESOURCES),
                options.get(SeriesOptions.LIFECYCLE),
                options.get(SeriesOptions.LIFECYCLE_BY_NAMESPACE));
    }
}
