// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.explain;

import io.sluice.autoscaler.govern.HoldReason;
import java.time.Instant;
import java.util.Collections;
import java.util.Locale;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** How the last look at a job ended. */
public sealed interface Verdict {
    /** Nothing was evaluated: the job is not ready for it, or does not answer. */
    record Waiting(String why) implements Verdict {}

    /** There are not yet enough samples to decide on. */
    record Collecting(int samples) implements Verdict {}

    /**
     * The engine wants no change, or none that it may make: its events say which.
     *
     * @param asIs whether it did propose something, which is what is published already
     */
    record Balanced(boolean asIs) implements Verdict {
        public Balanced() {
            this(false);
        }
    }

    /**
     * A change was proposed and the governor held it back.
     *
     * @param until when the reason ends, if nothing else changes; empty if nobody can tell
     */
    record Held(HoldReason reason, Optional<Instant> until, SortedMap<String, Integer> proposed)
            implements Verdict {
        public Held {
            proposed = Collections.unmodifiableSortedMap(new TreeMap<>(proposed));
        }
    }

    /** A change would have been made if the job's mode were {@code apply}. */
    record Recommended(SortedMap<String, Integer> overrides) implements Verdict {
        public Recommended {
            overrides = Collections.unmodifiableSortedMap(new TreeMap<>(overrides));
        }
    }

    /**
     * New overrides were published.
     *
     * @param fitted whether for a load that has stayed the same for long
     * @param leftOut why a vertex stays as it is though a change was proposed for it, by vertex id
     */
    record Scaled(
            SortedMap<String, Integer> overrides,
            boolean fitted,
            SortedMap<String, HoldReason> leftOut)
            implements Verdict {
        public Scaled {
            leftOut = Collections.unmodifiableSortedMap(new TreeMap<>(leftOut));
            overrides = Collections.unmodifiableSortedMap(new TreeMap<>(overrides));
        }
    }

    record Failed(String why) implements Verdict {}

    /** The parallelism that was proposed or published, by vertex id; empty if none was. */
    default SortedMap<String, Integer> wanted() {
        return switch (this) {
            case Held(_, _, var proposed) -> proposed;
            case Recommended(var overrides) -> overrides;
            case Scaled(var overrides, _, _) -> overrides;
            case Waiting _, Collecting _, Balanced _, Failed _ -> Collections.emptySortedMap();
        };
    }

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
            case Balanced(var asIs) ->
                    asIs
                            ? "the engine's proposal, sized for the expected load, is already"
                                    + " published"
                            : "the engine wants no change";
            case Held(var reason, _, _) -> reason.text();
            case Recommended _ -> HoldReason.RECOMMEND_ONLY.text();
            case Scaled(_, var fitted, var leftOut) ->
                    (fitted
                                    ? "the load has stayed the same for"
                                            + " job.autoscaler.governor.calm: the job is fitted to"
                                            + " it"
                                    : "the target rates need another parallelism")
                            + leftOut.values().stream()
                                    .distinct()
                                    .map(HoldReason::text)
                                    .map("; some vertices keep theirs: "::concat)
                                    .collect(Collectors.joining());
            case Failed(var why) -> why;
        };
    }

    /** What is next, for people. */
    default String next() {
        return switch (this) {
            case Waiting _ -> "the job is looked at again with the next cycle";
            case Collecting _ -> "a decision once the window is full";
            case Balanced _ -> "a change once a vertex leaves its bounds";
            case Held(_, var until, _) ->
                    until.map(at -> "decided anew with each cycle; this reason ends at " + at)
                            .orElse("decided anew with each cycle");
            case Recommended _ -> "nothing, unless you act on it";
            case Scaled _ -> "the operator applies it; then a new window is collected";
            case Failed _ -> "the next cycle tries again";
        };
    }
}
