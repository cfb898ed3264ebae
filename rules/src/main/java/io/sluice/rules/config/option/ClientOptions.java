// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.option;

import static io.sluice.rules.config.option.OptionType.DURATION;
import static io.sluice.rules.config.option.OptionType.MEMORY;
import static io.sluice.rules.config.option.OptionType.NUMBER;

import io.sluice.rules.config.value.MemorySize;
import java.time.Duration;
import java.util.List;

/**
 * How long and how much a JobManager may answer, and how much is stored of what the autoscaler
 * learns.
 */
public final class ClientOptions {
    private static final OptionGroup OPTIONS = new OptionGroup();

    public static final Option<Duration> TIMEOUT =
            OPTIONS.option("flink.client.timeout", DURATION, "5 s")
                    .formerly("observer.flink.client.timeout")
                    .where(Duration::isPositive)
                    .checkedInResources()
                    .atStart(
                            "How long an answer of a JobManager may take. Connecting may take 3 s"
                                    + " of that.");

    public static final Option<MemorySize> MAX_LIST_SIZE =
            OPTIONS.option("flink.client.answer.max-list-size", MEMORY, "8 m")
                    .addedBySluice()
                    .atStart(
                            "The largest size of an answer that is a list. These limits apply to"
                                    + " the autoscaler too, and an answer that exceeds one is not"
                                    + " used.");

    public static final Option<MemorySize> MAX_SIZE =
            OPTIONS.option("flink.client.answer.max-size", MEMORY, "1 m")
                    .addedBySluice()
                    .atStart("The largest size of any other answer, including errors.");

    public static final Option<MemorySize> MAX_IN_FLIGHT =
            OPTIONS.option("flink.client.answer.max-in-flight", MEMORY, "32 m")
                    .addedBySluice()
                    .atStart(
                            "The largest size of all answers above 16 KiB that are read at the same"
                                    + " time. One JobManager may use half of it. It must be at"
                                    + " least twice the other two.");

    public static final Option<Integer> MAX_JOBS =
            OPTIONS.option("flink.client.answer.max-jobs", NUMBER, "10000")
                    .addedBySluice()
                    .atStart("How many jobs a JobManager may list.");

    public static final Option<Integer> MAX_VERTICES =
            OPTIONS.option("flink.client.answer.max-vertices", NUMBER, "10000")
                    .addedBySluice()
                    .atStart("How many vertices a job may have.");

    public static final Option<Integer> MAX_EXCEPTIONS =
            OPTIONS.option("flink.client.answer.max-exceptions", NUMBER, "100")
                    .addedBySluice()
                    .atStart("How many exceptions of a job are kept. The newest are kept.");

    public static final Option<Integer> MAX_TRACE_LENGTH =
            OPTIONS.option("flink.client.answer.max-trace-length", NUMBER, "32768")
                    .addedBySluice()
                    .atStart("How many characters of a stack trace are kept.");

    public static final Option<Integer> MAX_CHECKPOINTS =
            OPTIONS.option("flink.client.answer.max-checkpoints", NUMBER, "10000")
                    .addedBySluice()
                    .atStart("How many entries the checkpoint history of a job may have.");

    public static final Option<Integer> MAX_TASK_MANAGERS =
            OPTIONS.option("flink.client.answer.max-task-managers", NUMBER, "10000")
                    .addedBySluice()
                    .atStart("How many TaskManagers a JobManager may list.");

    public static final Option<Integer> MAX_ENTRIES =
            OPTIONS.option("flink.client.answer.max-entries", NUMBER, "10000")
                    .addedBySluice()
                    .atStart(
                            "How many entries the configuration of a job, or a list of metrics, may"
                                    + " have.");

    public static final Option<Integer> MAX_TOKENS =
            OPTIONS.option("flink.client.answer.max-tokens", NUMBER, "1000000")
                    .addedBySluice()
                    .atStart(
                            "How many JSON tokens one answer may have. The autoscaler's engine"
                                    + " reads a quarter of it.");

    public static final Option<Integer> MAX_TEXT_LENGTH =
            OPTIONS.option("flink.client.answer.max-text-length", NUMBER, "1048576")
                    .addedBySluice()
                    .atStart("How many characters one text in an answer may have.");

    public static final Option<MemorySize> STATE_MAX_SIZE =
            OPTIONS.option("autoscaler.state.max-size", MEMORY, "4 m")
                    .addedBySluice()
                    .atStart(
                            "The largest size of everything that the autoscaler stores of a job,"
                                    + " unpacked. An entry that exceeds this, one of the next two"
                                    + " options or flink.client.answer.max-vertices is not used."
                                    + " The autoscaler keeps within these limits by leaving out"
                                    + " the oldest samples.");

    public static final Option<MemorySize> STATE_MAX_PACKED_SIZE =
            OPTIONS.option("autoscaler.state.max-packed-size", MEMORY, "1000000 b")
                    .addedBySluice()
                    .atStart(
                            "The largest size of the same as it is stored in a ConfigMap, which"
                                    + " can't hold more than the default.");

    public static final Option<Integer> STATE_MAX_DEPTH =
            OPTIONS.option("autoscaler.state.max-depth", NUMBER, "12")
                    .addedBySluice()
                    .atStart(
                            "How many levels of YAML an entry of it may have. Flink's autoscaler"
                                    + " writes five.");

    /** All of these, in the order of the reference. */
    static final List<OperatorOption> ALL = OPTIONS.declared();

    private ClientOptions() {}
}
