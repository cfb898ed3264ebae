// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/** What becomes of a {@link Proposal}. */
public sealed interface ScalePlan {
    /** Publish these overrides of all vertices. */
    record Apply(SortedMap<String, Integer> overrides) implements ScalePlan {
        public Apply {
            overrides = Collections.unmodifiableSortedMap(new TreeMap<>(overrides));
        }
    }

    /** Leave what is published. */
    record Hold(HoldReason reason) implements ScalePlan {}
}
