// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.option;

import static io.sluice.rules.config.option.OptionType.FLAG;
import static io.sluice.rules.config.option.OptionType.TEXT;
import static io.sluice.rules.config.option.OptionType.oneOf;

import java.util.List;
import java.util.Optional;

/** What clusters of Flink get where their resource says nothing. */
public final class PodOptions {
    private static final OptionGroup OPTIONS = new OptionGroup();

    public static final Option<String> FILL_IN =
            OPTIONS.option(
                            "pod-security.fill-in",
                            oneOf("restricted", "baseline", "none"),
                            "restricted")
                    .addedBySluice()
                    .now(
                            "What is filled in for the security contexts of Flink's pods where a"
                                    + " pod template says nothing: what the Pod Security standard"
                                    + " restricted asks for; with baseline, that for Flink's own"
                                    + " container only; or nothing. Where"
                                    + " admission.pod-security is restricted, this is restricted"
                                    + " too. A change affects clusters that start after it.");

    public static final Option<Boolean> FIXED_USER =
            OPTIONS.option("pod-security.fixed-user", FLAG, "true")
                    .addedBySluice()
                    .now(
                            "Whether this includes user and group 9999, those of Flink's images."
                                    + " With false the platform has to choose them, as OpenShift"
                                    + " does.");

    public static final Option<Optional<String>> LOG4J =
            OPTIONS.option("flink-logging.log4j-console.properties", TEXT)
                    .addedBySluice()
                    .now(
                            "The whole file with which Flink configures Log4j, for resources"
                                    + " without spec.logConfiguration. A change affects clusters"
                                    + " that start after it.");

    public static final Option<Optional<String>> LOGBACK =
            OPTIONS.option("flink-logging.logback-console.xml", TEXT)
                    .addedBySluice()
                    .now("The same for Logback.");

    /** All of these, in the order of the reference. */
    static final List<OperatorOption> ALL = OPTIONS.declared();

    private PodOptions() {}
}
