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
                            "for each answer of a JobManager; connecting to it may take 3 s of"
                                    + " that");

    public static final Option<MemorySize> MAX_LIST_SIZE =
            OPTIONS.option("flink.client.answer.max-list-size", MEMORY, "8 m")
                    .atStart(
                            "of an answer that lists something; these bounds hold for the"
                                    + " autoscaler too, and an answer that exceeds one is not"
                                    + " used");

    public static final Option<MemorySize> MAX_SIZE =
            OPTIONS.option("flink.client.answer.max-size", MEMORY, "1 m")
                    .atStart("of any other answer, faults included");

    public static final Option<MemorySize> MAX_IN_FLIGHT =
            OPTIONS.option("flink.client.answer.max-in-flight", MEMORY, "32 m")
                    .atStart(
                            "of all answers above 16 KiB that are read at the same time; one"
                                    + " JobManager may have half of it; at least twice the others");

    public static final Option<Integer> MAX_JOBS =
            OPTIONS.option("flink.client.answer.max-jobs", NUMBER, "10000")
                    .atStart("jobs that a JobManager may list");

    public static final Option<Integer> MAX_VERTICES =
            OPTIONS.option("flink.client.answer.max-vertices", NUMBER, "10000")
                    .atStart("vertices that a job may have");

    public static final Option<Integer> MAX_EXCEPTIONS =
            OPTIONS.option("flink.client.answer.max-exceptions", NUMBER, "100")
                    .atStart("exceptions of a job that are kept, the newest");

    public static final Option<Integer> MAX_TRACE_LENGTH =
            OPTIONS.option("flink.client.answer.max-trace-length", NUMBER, "32768")
                    .atStart("characters that are kept of a stack trace");

    public static final Option<Integer> MAX_CHECKPOINTS =
            OPTIONS.option("flink.client.answer.max-checkpoints", NUMBER, "10000")
                    .atStart("entries of a job's history of checkpoints");

    public static final Option<Integer> MAX_TASK_MANAGERS =
            OPTIONS.option("flink.client.answer.max-task-managers", NUMBER, "10000")
                    .atStart("TaskManagers of a JobManager");

    public static final Option<Integer> MAX_ENTRIES =
            OPTIONS.option("flink.client.answer.max-entries", NUMBER, "10000")
                    .atStart("entries of a job's configuration, or metrics");

    public static final Option<Integer> MAX_TOKENS =
            OPTIONS.option("flink.client.answer.max-tokens", NUMBER, "1000000")
                    .atStart(
                            "tokens of JSON in one answer; a quarter of it where the autoscaler's"
                                    + " engine reads");

    public static final Option<Integer> MAX_TEXT_LENGTH =
            OPTIONS.option("flink.client.answer.max-text-length", NUMBER, "1048576")
                    .atStart("characters of one text in an answer");

    public static final Option<MemorySize> STATE_MAX_SIZE =
            OPTIONS.option("autoscaler.state.max-size", MEMORY, "4 m")
                    .atStart(
                            "bytes of all that the autoscaler stores of a job, once it is"
                                    + " unpacked; an entry that goes beyond it, or beyond the next"
                                    + " two or flink.client.answer.max-vertices, is not used, and"
                                    + " what is written keeps to them by leaving out the oldest"
                                    + " samples");

    public static final Option<MemorySize> STATE_MAX_PACKED_SIZE =
            OPTIONS.option("autoscaler.state.max-packed-size", MEMORY, "1000000 b")
                    .atStart(
                            "bytes of the same as it is stored in a ConfigMap, which holds no more"
                                    + " than this");

    public static final Option<Integer> STATE_MAX_DEPTH =
            OPTIONS.option("autoscaler.state.max-depth", NUMBER, "12")
                    .atStart(
                            "levels of YAML in an entry of it, of which Flink's autoscaler writes"
                                    + " five");

    /** All of these, in the order of the reference. */
    static final List<OperatorOption> ALL = OPTIONS.declared();

    private ClientOptions() {}
}
