// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.canary;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * A change that this process asked for, and whether it was seen (docs/contract/reconciler.md,
 * section 15).
 *
 * @param generation before the change
 * @param asked when the change was tried first
 * @param accepted whether the API server has taken it
 * @param seen when a reconciliation saw a later generation
 */
record Canary(long generation, Instant asked, boolean accepted, Optional<Instant> seen) {
    static Canary ask(long generation, Instant now) {
        return new Canary(generation, now, false, Optional.empty());
    }

    Canary accept() {
        return new Canary(generation, asked, true, seen);
    }

    Canary see(long current, Instant now) {
        return seen.isEmpty() && current > generation
                ? new Canary(generation, asked, true, Optional.of(now))
                : this;
    }

    /** Whether it is time for the next change. */
    boolean isOver(Duration pause, Instant now) {
        return seen.isPresent() && !now.isBefore(asked.plus(pause));
    }

    boolean isMissed(Duration timeout, Instant now) {
        return seen.isEmpty() && now.isAfter(asked.plus(timeout));
    }

    Optional<Duration> took() {
        return seen.map(end -> Duration.between(asked, end));
    }
}
