// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.value;

import com.cronutils.model.Cron;
import com.cronutils.model.CronType;
import com.cronutils.model.definition.CronDefinitionBuilder;
import com.cronutils.parser.CronParser;
import java.time.DateTimeException;
import java.time.LocalTime;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A time that comes again: each day from one time to another ({@code 09:30-18:00}), or as a Quartz
 * cron expression of six or seven fields says.
 */
public enum Period {
    DAILY,
    CRON,
    /** Neither. */
    NONE;

    private static final Pattern TIMES =
            Pattern.compile("(\\d{2}:\\d{2}(?::\\d{2})?)-(\\d{2}:\\d{2}(?::\\d{2})?)");

    /** Built on the first use: few resources have a period, and the grammar is large. */
    private static final class Quartz {
        static final CronParser PARSER =
                new CronParser(CronDefinitionBuilder.instanceDefinitionFor(CronType.QUARTZ));
    }

    public static Period of(String text) {
        String period = text.strip();
        if (isDaily(period)) {
            return DAILY;
        }
        return isCron(period) ? CRON : NONE;
    }

    public static boolean isCron(String text) {
        return cron(text).isPresent();
    }

    static Optional<Cron> cron(String text) {
        try {
            return Optional.of(Quartz.PARSER.parse(text.strip()));
        } catch (IllegalArgumentException notCron) {
            return Optional.empty();
        }
    }

    private static boolean isDaily(String text) {
        var times = TIMES.matcher(text);
        try {
            return times.matches()
                    && LocalTime.parse(times.group(1)) != null
                    && LocalTime.parse(times.group(2)) != null;
        } catch (DateTimeException noTime) {
            return false;
        }
    }
}
