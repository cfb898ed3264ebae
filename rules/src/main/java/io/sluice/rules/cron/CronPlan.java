// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.cron;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.Locale;
import java.util.Optional;

/**
 * What the annotations of a FlinkDeployment say that is the template of a cron job's runs
 * (docs/contract/reconciler.md, section 14).
 *
 * @param expression as it was written
 * @param startingDeadline how late a run may begin; empty: however late, until the next is due
 * @param succeeded how many finished runs are kept
 * @param failed how many failed runs are kept
 */
public record CronPlan(
        String expression,
        ZoneId zone,
        CronTimes times,
        ConcurrencyPolicy concurrency,
        Optional<Duration> startingDeadline,
        int succeeded,
        int failed) {
    private static final DateTimeFormatter SUFFIX =
            DateTimeFormatter.ofPattern("MMddHHmm", Locale.ROOT);

    /** The latest time that has come by {@code now}, that moment included. */
    public Optional<Instant> last(Instant now) {
        return times.last(now);
    }

    /** The first time after {@code now}; empty if none comes any more. */
    public Optional<Instant> next(Instant now) {
        return times.next(now);
    }

    /** What a run is called: {@code {name}-{MMddHHmm}}, by the clock of the zone. */
    public String runName(String template, Instant fire) {
        return template + "-" + SUFFIX.format(fire.atZone(zone));
    }

    /** What has to stay the same for the times to be the same. */
    public String schedule() {
        return expression + " " + zone.getId();
    }
}
