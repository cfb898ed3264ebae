// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.http;

import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads how long an API server waits for an answer, which it says in each request's address. */
final class CallerTimeout {
    private static final String PARAMETER = "timeout=";

    /** Digits that no duration of a webhook needs more of; Kubernetes allows 30 seconds. */
    private static final Pattern PART = Pattern.compile("([0-9]{1,9})(ms|s|m|h)");

    private CallerTimeout() {}

    /**
     * Finds {@code timeout=10s}, or the like as Go writes durations.
     *
     * @param query of the address, empty if it has none
     * @return empty if it does not say, or not in whole milliseconds, or less than one
     */
    static Optional<Duration> of(String query) {
        for (String parameter : query.split("&", 16)) {
            if (parameter.startsWith(PARAMETER)) {
                return duration(parameter.substring(PARAMETER.length()));
            }
        }
        return Optional.empty();
    }

    private static Optional<Duration> duration(String text) {
        Duration sum = Duration.ZERO;
        Matcher part = PART.matcher(text);
        int end = 0;
        while (end < text.length()) {
            if (!part.region(end, text.length()).lookingAt()) {
                return Optional.empty();
            }
            sum = sum.plus(unit(part.group(2)).multipliedBy(Long.parseLong(part.group(1))));
            end = part.end();
        }
        return Optional.of(sum).filter(Duration::isPositive);
    }

    private static Duration unit(String word) {
        return switch (word) {
            case "ms" -> Duration.ofMillis(1);
            case "s" -> Duration.ofSeconds(1);
            case "m" -> Duration.ofMinutes(1);
            default -> Duration.ofHours(1);
        };
    }
}
