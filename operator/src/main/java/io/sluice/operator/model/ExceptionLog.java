// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import io.sluice.api.status.JobLog;
import io.sluice.flink.rest.JobException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;

/** Which exceptions of a job have been reported, by the record in the resource's status. */
public final class ExceptionLog {
    /** An older exception was reported, or missed, by whoever ran the resource before. */
    private static final Duration HORIZON = Duration.ofMinutes(30);

    private ExceptionLog() {}

    /** Whether the record knows of all {@code exceptions}. */
    public static boolean areTold(JobLog log, List<JobException> exceptions, Instant now) {
        return unreported(log, exceptions, now).findAny().isEmpty();
    }

    /**
     * Whether a job that last changed at {@code lastChange} threw nothing that is told of any more.
     */
    public static boolean areHistory(Instant lastChange, Instant now) {
        return lastChange.isBefore(now.minus(HORIZON));
    }

    /**
     * The exceptions that the job's record does not know of and that are young enough to be
     * reported.
     */
    public static Stream<JobException> unreported(
            JobLog log, List<JobException> exceptions, Instant now) {
        Instant horizon = now.minus(HORIZON);
        Instant since = log.toldUntil().filter(horizon::isBefore).orElse(horizon);
        return exceptions.stream().filter(exception -> exception.at().isAfter(since));
    }
}
