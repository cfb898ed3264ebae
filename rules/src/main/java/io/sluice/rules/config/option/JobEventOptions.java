// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.option;

import static io.sluice.rules.config.option.OptionType.NUMBER;

import java.util.List;

/** How exceptions of a job are reported as events. */
public final class JobEventOptions {
    private static final OptionGroup OPTIONS = new OptionGroup();

    public static final Option<Integer> STACKTRACE_LINES =
            OPTIONS.option("events.exceptions.stacktrace-lines", NUMBER, "5")
                    .now("How many lines of a stack trace the event of an exception has.");

    public static final Option<Integer> LIMIT_PER_RECONCILIATION =
            OPTIONS.option("events.exceptions.limit-per-reconciliation", NUMBER, "10")
                    .now("How many events of exceptions one reconciliation may create.");

    /** All of these, in the order of the reference. */
    static final List<OperatorOption> ALL = OPTIONS.declared();

    private JobEventOptions() {}
}
