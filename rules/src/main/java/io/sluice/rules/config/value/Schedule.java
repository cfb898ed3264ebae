// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.value;

import com.cronutils.model.time.ExecutionTime;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.util.Optional;

/**
 * When something comes again and again: after each duration, or as a Quartz cron expression says,
 * in UTC. Times missed are not made up for: of all that have passed only the last counts.
 */
public sealed interface Schedule {
    /**
     * @param interval more than nothing; times are counted from the last one that counted, so that
     *     they don't drift
     */
    record Every(Duration interval) implements Schedule {
        @Override
        public Optional<Instant> due(Instant last, Instant now) {
            long times = Duration.between(last, now).dividedBy(interval);
            return times < 1
                    ? Optional.empty()
                    : Optional.of(last.plus(interval.multipliedBy(times)));
        }

        @Override
        public Optional<Instant> next(Instant last, Instant now) {
            return Optional.of(due(last, now).orElse(last).plus(interval));
        }
    }

    /** The times of a cron expression. */
    record Cron(ExecutionTime times) implements Schedule {
        @Override
        public Optional<Instant> due(Instant last, Instant now) {
            return times.lastExecution(utc(now))
                    .map(ZonedDateTime::toInstant)
                    .filter(last::isBefore);
        }

        @Override
        public Optional<Instant> next(Instant last, Instant now) {
            return times.nextExecution(utc(now)).map(ZonedDateTime::toInstant);
        }

        private static ZonedDateTime utc(Instant instant) {
            return instant.atZone(ZoneOffset.UTC);
        }
    }

    /** The latest time after {@code last} that has come by {@code now}, if one has. */
    Optional<Instant> due(Instant last, Instant now);

    /** The first time after {@code now}; empty if none comes any more. */
    Optional<Instant> next(Instant last, Instant now);

    /** Empty if {@code text} is neither a duration above zero nor a cron expression. */
    static Optional<Schedule> parse(String text) {
        Optional<Duration> interval = FlinkDuration.parse(text);
        if (interval.isPresent()) {
            return interval.filter(Duration::isPositive).map(Every::new);
        }
        return Period.cron(text).map(cron -> new Cron(ExecutionTime.forCron(cron)));
    }
}
