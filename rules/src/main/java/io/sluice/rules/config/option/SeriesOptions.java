// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.option;

import static io.sluice.rules.config.option.OptionType.DURATION;
import static io.sluice.rules.config.option.OptionType.FLAG;

import java.time.Duration;
import java.util.List;

/** Which series the operator has at /metrics. */
public final class SeriesOptions {
    private static final OptionGroup OPTIONS = new OptionGroup();

    public static final Option<Boolean> JAVA_RUNTIME =
            OPTIONS.option("jvm.metrics.enabled", FLAG, "true")
                    .atStart("Whether there are metrics of the Java runtime.");

    public static final Option<Boolean> RECONCILIATIONS =
            OPTIONS.option("josdk.metrics.enabled", FLAG, "true")
                    .atStart(
                            "Whether there are metrics of reconciliations: how long they take and"
                                    + " wait.");

    public static final Option<Boolean> KUBERNETES_CLIENT =
            OPTIONS.option("kubernetes.client.metrics.enabled", FLAG, "true")
                    .atStart("Whether there are metrics of requests to the API server.");

    public static final Option<Duration> SLOW_REQUEST_THRESHOLD =
            OPTIONS.option("kubernetes.client.metrics.slow.request.threshold", DURATION, "5 s")
                    .atStart("A request that takes longer counts as slow.");

    public static final Option<Boolean> RESOURCES =
            OPTIONS.option("resource.metrics.enabled", FLAG, "true")
                    .atStart(
                            "Whether there are metrics of each resource, and their sums by"
                                    + " namespace.");

    public static final Option<Boolean> LIFECYCLE =
            OPTIONS.option("resource.lifecycle.metrics.enabled", FLAG, "true")
                    .atStart(
                            "Whether there are metrics of how long resources stay in a lifecycle"
                                    + " state, and of how long upgrades keep jobs down.");

    public static final Option<Boolean> LIFECYCLE_BY_NAMESPACE =
            OPTIONS.option("resource.lifecycle.namespace.histograms.enabled", FLAG, "true")
                    .atStart("Whether these metrics have the namespace as a label.");

    /** All of these, in the order of the reference. */
    static final List<OperatorOption> ALL = OPTIONS.declared();

    private SeriesOptions() {}
}
