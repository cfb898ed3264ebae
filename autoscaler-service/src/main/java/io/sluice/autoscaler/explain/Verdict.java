// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.explain;

import io.sluice.autoscaler.govern.HoldReason;
import java.util.Collections;
import java.util.Locale;
import java.util.SortedMap;
import java.util.TreeMap;

/** How the last look at a job ended. */
public sealed interface Verdict {
    /** Nothing was evaluated: the job is not ready for it, or does not answer. */
    record Waiting(String why) implements Verdict {}

    /** There are not yet enough samples to decide on. */
    record Collecting(int samples) implements Verdict {}

    /** The engine wants no change, or none that it may make: its events say which. */
    record Balanced() implements Verdict {}

    /** A change was proposed and the governor held it back. */
    record Held(HoldReason reason, SortedMap<String, Integer> proposed) implements Verdict {
        public Held {
            proposed = Collections.unmodifiableSortedMap(new TreeMap<>(proposed));
        }
    }

    /** New overrides were published. */
    record Scaled(SortedMap<String, Integer> overrides) implements Verdict {
        public Scaled {
            overrides = Collections.unmodifiableSortedMap(new TreeMap<>(overrides));
        }
    }

    record Failed(String why) implements Verdict {}

    /** The word for this verdict in JSON. */
    default String word() {
        return getClass().getSimpleName().toLowerCase(Locale.ROOT);
    }

    /** For people. */
    default String why() {
        return switch (this) {
            case Waiting(var why) -> why;
            case Collecting(var samples) ->
                    "the metrics window is not full yet; samples so far: " + samples;
            case Balanced _ -> "the engine wants no change";
            case Held(var reason, _) -> reason.text();
            case Scaled _ -> "target rates need another parallelism";
            case Failed(var why) -> why;
        };
    }
}
