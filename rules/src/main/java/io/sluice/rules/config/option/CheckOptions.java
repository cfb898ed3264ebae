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
                            "after which a change of a resource labelled flink.apache.org/canary:"
                                    + " \"true\" must have been seen, or /healthz fails");

    public static final Option<List<String>> CANARY_RESOURCES =
            OPTIONS.option("health.canary.resources", LIST, "")
                    .now(
                            "where canaries may be: namespaces, or namespace/name for a single"
                                    + " one; the namespace of the release if it is not set."
                                    + " Elsewhere a resource with the label is refused");

    public static final Option<Duration> VALIDATION_TIMEOUT =
            OPTIONS.option("validation.timeout", DURATION, "10 s")
                    .where(Duration::isPositive)
                    .now(
                            "for all validators of plugins together to check one spec in the"
                                    + " operator; then it is not carried out, and checked again");

    public static final Option<Boolean> STOP_ON_INFORMER_ERROR =
            OPTIONS.option("startup.stop-on-informer-error", FLAG, "true")
                    .atStart("end if a watch can't be opened at the start");

    /** All of these, in the order of the reference. */
    static final List<OperatorOption> ALL = OPTIONS.declared();

    private CheckOptions() {}
}
