// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import io.sluice.rules.config.option.ClientOptions;
import io.sluice.rules.config.option.Option;
import io.sluice.rules.config.value.MemorySize;

/**
 * Reads how much a JobManager may answer, which the operator and the autoscaler limit by the same
 * options. The client that keeps to these limits does not know options, and makes its own record of
 * them.
 */
public final class AnswerOptions {
    private AnswerOptions() {}

    /** Makes a record of the limits; {@code listBytes}, {@code bytes} and so on are bytes. */
    @FunctionalInterface
    public interface Limits<T> {
        T of(
                int listBytes,
                int bytes,
                int bytesInFlight,
                int jobs,
                int vertices,
                int exceptions,
                int traceLength,
                int checkpoints,
                int taskManagers,
                int entries,
                int tokens,
                int textLength);
    }

    /**
     * What {@code limits} makes of the values of {@code options}.
     *
     * @throws ArithmeticException if a size is 2 GiB or more
     */
    public static <T> T read(Options options, Limits<T> limits) {
        return limits.of(
                bytes(options, ClientOptions.MAX_LIST_SIZE),
                bytes(options, ClientOptions.MAX_SIZE),
                bytes(options, ClientOptions.MAX_IN_FLIGHT),
                options.get(ClientOptions.MAX_JOBS),
                options.get(ClientOptions.MAX_VERTICES),
                options.get(ClientOptions.MAX_EXCEPTIONS),
                options.get(ClientOptions.MAX_TRACE_LENGTH),
                options.get(ClientOptions.MAX_CHECKPOINTS),
                options.get(ClientOptions.MAX_TASK_MANAGERS),
                options.get(ClientOptions.MAX_ENTRIES),
                options.get(ClientOptions.MAX_TOKENS),
                options.get(ClientOptions.MAX_TEXT_LENGTH));
    }

    private static int bytes(Options options, Option<MemorySize> option) {
        return Math.toIntExact(options.get(option).bytes());
    }
}
