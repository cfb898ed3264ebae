// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import io.sluice.autoscaler.history.Direction;
import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What becomes of a {@link Proposal}. */
public sealed interface ScalePlan {
    /** Publish these overrides of all vertices. */
    record Apply(SortedMap<String, Integer> overrides, Direction direction) implements ScalePlan {
        public Apply {
            overrides = Collections.unmodifiableSortedMap(new TreeMap<>(overrides));
        }
    }

    /**
     * Leave what is published.
     *
     * @param until when this reason ends, if nothing else changes; empty if nobody can tell
     */
    record Hold(HoldReason reason, Optional<Instant> until) implements ScalePlan {
        public Hold(HoldReason reason) {
            this(reason, Optional.empty());
        }
    }
}
