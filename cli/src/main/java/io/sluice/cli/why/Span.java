// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/** Points in time, for people: when, and how long that is from now. */
record Span(Instant now) {
    /** Such as {@code since 2026-03-01T12:00:00Z (3 min)}. */
    String since(Instant start) {
        return "since " + at(start) + " (" + amount(Duration.between(start, now)) + ")";
    }

    /** Such as {@code until 2026-03-01T12:00:00Z (in 3 min)}. */
    String until(Instant end) {
        return "until " + at(end) + " (" + distance(end) + ")";
    }

    /** Such as {@code 3 min ago} or {@code in 3 min}. */
    String distance(Instant time) {
        return time.isAfter(now)
                ? "in " + amount(Duration.between(now, time))
                : amount(Duration.between(time, now)) + " ago";
    }

    String at(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }

    private static String amount(Duration length) {
        Duration whole = length.isNegative() ? Duration.ZERO : length;
        if (whole.toSeconds() < 120) {
            return whole.toSeconds() + " s";
        }
        if (whole.toMinutes() < 120) {
            return whole.toMinutes() + " min";
        }
        return whole.toHours() < 48 ? whole.toHours() + " h" : whole.toDays() + " days";
    }
}
