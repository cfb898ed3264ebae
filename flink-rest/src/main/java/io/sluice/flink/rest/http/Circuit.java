// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import java.time.Duration;
import java.time.Instant;

/**
 * What is remembered of one cluster.
 *
 * <pre>
 *   Closed ──threshold silences in a row──▶ Open ──pause over──▶ Probing ──answer──▶ Closed
 *                                            ▲                      │
 *                                            └──────silence─────────┘  (twice the pause)
 * </pre>
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

    default Circuit silent(Instant now, BreakerSettings settings) {
        return switch (this) {
            case Closed(var silences) when silences + 1 < settings.threshold() ->
                    new Closed(silences + 1);
            case Closed _ -> new Open(now.plus(settings.firstPause()), settings.firstPause());
            case Open open -> open;
            case Probing(_, var pause) -> {
                Duration longer = settings.longer(pause);
                yield new Open(now.plus(longer), longer);
            }
        };
    }
}
