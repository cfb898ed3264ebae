// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.cron;

import com.cronutils.model.time.ExecutionTime;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.time.zone.ZoneOffsetTransition;
import java.util.Optional;

/**
 * The times of a cron expression by the clock on a wall of {@code zone}. A time that is left out
 * when the clock is put forward comes at the first moment after the gap; one that comes twice when
 * it is put back counts the first time only. So a daily run neither fails to appear nor comes
 * twice.
 */
record CronTimes(ExecutionTime times, ZoneId zone) {
    private static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");

    /** The latest time that has come by {@code now}, that moment included. */
    Optional<Instant> last(Instant now) {
        return times.lastExecution(wall(now).plusSeconds(1).atZone(ZoneOffset.UTC))
                .map(local -> instant(local.toLocalDateTime()));
    }

    /** The first time after {@code now}. */
    Optional<Instant> next(Instant now) {
        var local = times.nextExecution(wall(now).atZone(ZoneOffset.UTC));
        while (local.isPresent() && !instant(local.get().toLocalDateTime()).isAfter(now)) {
            local = times.nextExecution(local.get());
        }
        return local.map(found -> instant(found.toLocalDateTime()));
    }

    /** Whether it ever comes: 30 February does not. */
    boolean everComes() {
        return next(LONG_AGO).isPresent();
    }

    /**
     * The clock's time, to the second; in an hour that comes again, the last that counted in it the
     * first time.
     */
    private LocalDateTime wall(Instant now) {
        LocalDateTime local = LocalDateTime.ofInstant(now, zone).truncatedTo(ChronoUnit.SECONDS);
        return Optional.ofNullable(zone.getRules().getTransition(local))
                .filter(ZoneOffsetTransition::isOverlap)
                .filter(transition -> !now.isBefore(transition.getInstant()))
                .map(transition -> transition.getDateTimeBefore().minusSeconds(1))
                .orElse(local);
    }

    private Instant instant(LocalDateTime local) {
        return Optional.ofNullable(zone.getRules().getTransition(local))
                .filter(ZoneOffsetTransition::isGap)
                .map(ZoneOffsetTransition::getInstant)
                .orElseGet(() -> local.atZone(zone).toInstant());
    }
}
