// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import java.time.Duration;
import java.time.Instant;

/**
 * What is remembered of one cluster.
 *
 * <pre>
 *   Closed ──threshold silences in a row──▶ Open ──pause over──▶ Probing ──answer──▶ Closed
 *                  or a long one             ▲                      │
 *                                            └──────silence─────────┘  (twice the pause)
 * </pre>
 *
 * A refused connection costs a caller nothing, and a few are usual while a JobManager starts. One
 * that accepts it and says nothing costs each the whole time it waits.
 */
sealed interface Circuit {
    record Closed(int silences) implements Circuit {}

    record Open(Instant until, Duration pause) implements Circuit {}

    /** One caller is asking; the others get no answer until {@code until}. */
    record Probing(Instant until, Duration pause) implements Circuit {}

    /** Whether a caller may ask now. */
    default boolean lets(Instant now) {
        return switch (this) {
            case Closed _ -> true;
            case Open(var until, _) -> !now.isBefore(until);
            case Probing(var until, _) -> !now.isBefore(until);
        };
    }

    /** The circuit once a caller that was let through has begun to ask. */
    default Circuit asking(Instant now) {
        return switch (this) {
            case Closed closed -> closed;
            case Open(_, var pause) -> new Probing(now.plus(pause), pause);
            case Probing(_, var pause) -> new Probing(now.plus(pause), pause);
        };
    }

    /** The circuit once a caller has waited for {@code waited} and got no answer. */
    default Circuit silent(Instant now, Duration waited, BreakerSettings settings) {
        return switch (this) {
            case Closed(var silences) when settings.bears(silences + 1, waited) ->
                    new Closed(silences + 1);
            case Closed _ -> open(now, settings.pauseAfter(waited));
            case Open open -> open;
            case Probing(_, var pause) -> open(now, settings.longer(pause));
        };
    }

    private static Circuit open(Instant now, Duration pause) {
        return new Open(now.plus(pause), pause);
    }
}
