// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.option;

import static io.sluice.rules.config.option.OptionType.DURATION;
import static io.sluice.rules.config.option.OptionType.FLAG;
import static io.sluice.rules.config.option.OptionType.LIST;

import java.time.Duration;
import java.util.List;

/** What the operator checks about itself and with the help of validators. */
public final class CheckOptions {
    private static final OptionGroup OPTIONS = new OptionGroup();

    public static final Option<Duration> CANARY_TIMEOUT =
            OPTIONS.option("health.canary.resource.timeout", DURATION, "1 min")
                    .where(Duration::isPositive)
                    .now(
                            "The time within which a change of a resource with the label"
                                    + " flink.apache.org/canary: \"true\" must be seen. Otherwise"
                                    + " /healthz fails.");

    public static final Option<List<String>> CANARY_RESOURCES =
            OPTIONS.option("health.canary.resources", LIST, "")
                    .addedBySluice()
                    .now(
                            "Where canaries may be: namespaces, or namespace/name for a single"
                                    + " resource. If it is not set, this is the namespace of the"
                                    + " release. Elsewhere a resource with the label is refused.");

    public static final Option<Duration> VALIDATION_TIMEOUT =
            OPTIONS.option("validation.timeout", DURATION, "10 s")
                    .where(Duration::isPositive)
                    .addedBySluice()
                    .now(
                            "How long all validators of plugins together may take to check a spec"
                                    + " in the operator. After that the spec is not carried out,"
                                    + " and is checked again.");

    public static final Option<Boolean> STOP_ON_INFORMER_ERROR =
            OPTIONS.option("startup.stop-on-informer-error", FLAG, "true")
                    .atStart(
                            "Whether the operator ends if a watch can't be opened when it starts.");

    /** All of these, in the order of the reference. */
    static final List<OperatorOption> ALL = OPTIONS.declared();

    private CheckOptions() {}
}
