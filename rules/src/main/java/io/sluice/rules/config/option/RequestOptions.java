// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.option;

import static io.sluice.rules.config.option.OptionType.DURATION;
import static io.sluice.rules.config.option.OptionType.oneOf;

import java.time.Duration;
import java.util.List;

/** How the operator submits session jobs and deletes clusters. */
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

    /** All of these, in the order of the reference. */
    static final List<OperatorOption> ALL = OPTIONS.declared();

    private RequestOptions() {}
}
