// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.history;

import java.time.Instant;

/**
 * A published rescale.
 *
 * @param forBacklog whether it gave a late job what it takes to catch up; that is not needed for
 *     long
 */
public record Rescale(Instant at, Direction direction, boolean forBacklog) {
    public Rescale(Instant at, Direction direction) {
        this(at, direction, false);
    }
}
