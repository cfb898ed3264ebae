// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.ordinary;

import java.time.Instant;

/**
 * An action that is over.
 *
 * @param name of the resource
 * @param millis how long it took
 */
public record Measured(String name, Instant end, long millis) {
    public Instant begin() {
        return end.minusMillis(millis);
    }
}
