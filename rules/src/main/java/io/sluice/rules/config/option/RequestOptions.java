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
                    .now("for a session job to be submitted");

    public static final Option<String> DELETION_PROPAGATION =
            OPTIONS.option(
                            "resource.deletion.propagation",
                            oneOf("FOREGROUND", "BACKGROUND"),
                            "FOREGROUND")
                    .now("of a cluster's removal");

    /** All of these, in the order of the reference. */
    static final List<OperatorOption> ALL = OPTIONS.declared();

    private RequestOptions() {}
}
