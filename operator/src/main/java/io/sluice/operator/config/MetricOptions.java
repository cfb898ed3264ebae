// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.config;

import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
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
                options.flag("kubernetes.operator.jvm.metrics.enabled", true),
                options.flag("kubernetes.operator.josdk.metrics.enabled", true),
                options.flag("kubernetes.operator.kubernetes.client.metrics.enabled", true),
                options.duration(
                                "kubernetes.operator.kubernetes.client.metrics.slow.request.threshold")
                        .orElse(Duration.ofSeconds(5)),
                options.flag("kubernetes.operator.resource.metrics.enabled", true),
                options.flag("kubernetes.operator.resource.lifecycle.metrics.enabled", true),
                options.flag(
                        "kubernetes.operator.resource.lifecycle.namespace.histograms.enabled",
                        true));
    }
}
