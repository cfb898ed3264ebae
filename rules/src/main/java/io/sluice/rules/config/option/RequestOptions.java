// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.option;

import static io.sluice.rules.config.option.OptionType.DURATION;
import static io.sluice.rules.config.option.OptionType.FLAG;
import static io.sluice.rules.config.option.OptionType.oneOf;

import java.time.Duration;
import java.util.List;

/** How the operator asks JobManagers, submits session jobs and deletes clusters. */
public final class RequestOptions {
    private static final OptionGroup OPTIONS = new OptionGroup();

    public static final Option<Duration> SUBMISSION_TIMEOUT =
            OPTIONS.option("job.submission.timeout", DURATION, "10 min")
                    .now("How long the submission of a session job may take.");

    public static final Option<String> DELETION_PROPAGATION =
            OPTIONS.option(
                            "resource.deletion.propagation",
                            oneOf("FOREGROUND", "BACKGROUND"),
                            "FOREGROUND")
                    .now("The propagation policy for the removal of a cluster.");

    /** Only the chart can tell: a user must not have jobs accepted that nobody can reach. */
    public static final Option<Boolean> REST_TLS =
            OPTIONS.option("rest.tls.enabled", FLAG, "false")
                    .addedBySluice()
                    .now(
                            "Whether the operator and the autoscaler have certificates for"
                                    + " JobManagers whose REST API uses TLS. The chart sets it"
                                    + " with jobManagerTls.secretName.");

    /** All of these, in the order of the reference. */
    static final List<OperatorOption> ALL = OPTIONS.declared();

    private RequestOptions() {}
}
