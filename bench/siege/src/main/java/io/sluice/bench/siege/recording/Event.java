// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.recording;

import java.time.Duration;
import java.time.Instant;

/**
 * Something that began and ended while users waited.
 *
 * @param name of the resource that it was about; empty if it was about none
 * @param text what it was
 */
record Event(Instant begin, Duration length, String name, String text) {
    Instant end() {
        return begin.plus(length);
    }
}
