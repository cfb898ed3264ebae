// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.value;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Durations as Flink's options write them: {@code 15 s}, {@code 5min}, {@code 1 d}, or ISO 8601.
 */
public final class FlinkDuration {
    private static final Pattern SYNTAX = Pattern.compile("(\\d{1,19})\\s*([a-zµ]*)");

    private static final Map<String, ChronoUnit> UNITS =
            Map.ofEntries(
                    Map.entry("d", ChronoUnit.DAYS),
                    Map.entry("day", ChronoUnit.DAYS),
                    Map.entry("days", ChronoUnit.DAYS),
                    Map.entry("h", ChronoUnit.HOURS),
                    Map.entry("hour", ChronoUnit.HOURS),
                    Map.entry("hours", ChronoUnit.HOURS),
                    Map.entry("m", ChronoUnit.MINUTES),
                    Map.entry("min", ChronoUnit.MINUTES),
                    Map.entry("minute", ChronoUnit.MINUTES),
                    Map.entry("minutes", ChronoUnit.MINUTES),
                    Map.entry("s", ChronoUnit.SECONDS),
                    Map.entry("sec", ChronoUnit.SECONDS),
                    Map.entry("secs", ChronoUnit.SECONDS),
                    Map.entry("second", ChronoUnit.SECONDS),
                    Map.entry("seconds", ChronoUnit.SECONDS),
                    Map.entry("", ChronoUnit.MILLIS),
                    Map.entry("ms", ChronoUnit.MILLIS),
                    Map.entry("milli", ChronoUnit.MILLIS),
                    Map.entry("millis", ChronoUnit.MILLIS),
                    Map.entry("millisecond", ChronoUnit.MILLIS),
                    Map.entry("milliseconds", ChronoUnit.MILLIS),
                    Map.entry("µs", ChronoUnit.MICROS),
                    Map.entry("micro", ChronoUnit.MICROS),
                    Map.entry("micros", ChronoUnit.MICROS),
                    Map.entry("microsecond", ChronoUnit.MICROS),
                    Map.entry("microseconds", ChronoUnit.MICROS),
                    Map.entry("ns", ChronoUnit.NANOS),
                    Map.entry("nano", ChronoUnit.NANOS),
                    Map.entry("nanos", ChronoUnit.NANOS),
                    Map.entry("nanosecond", ChronoUnit.NANOS),
                    Map.entry("nanoseconds", ChronoUnit.NANOS));

    private FlinkDuration() {}

    /** Empty if {@code text} is no duration. */
    public static Optional<Duration> parse(String text) {
        String lower = text.strip().toLowerCase(Locale.ROOT);
        var matcher = SYNTAX.matcher(lower);
        try {
            if (!matcher.matches()) {
                return Optional.of(Duration.parse(lower));
            }
            return Optional.ofNullable(UNITS.get(matcher.group(2)))
                    .map(unit -> Duration.of(Long.parseLong(matcher.group(1)), unit));
        } catch (DateTimeException | ArithmeticException | NumberFormatException notADuration) {
            return Optional.empty();
        }
    }
}
