// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import io.sluice.api.status.LifecycleState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * When a resource was seen in which lifecycle state, and what that makes of times
 * (docs/contract/metrics.md, section 3). It begins anew with the process: what happened before is
 * nobody's time.
 */
record LifecycleTrack(LifecycleState now, Map<LifecycleState, Seen> seen) {
    private static final Set<LifecycleState> RESTING =
            Set.of(
                    LifecycleState.SUSPENDED,
                    LifecycleState.STABLE,
                    LifecycleState.ROLLED_BACK,
                    LifecycleState.FAILED,
                    LifecycleState.DELETED);

    record Seen(Instant first, Instant last) {
        Duration time() {
            return Duration.between(first, last);
        }
    }

    /** A time that can be measurements now. */
    sealed interface Measurement {
        Duration time();

        record TimeInState(LifecycleState in, Duration time) implements Measurement {}

        record TransitionTime(Transition by, Duration time) implements Measurement {}
    }

    /** The track from now on, and what can be measurements. */
    record Step(LifecycleTrack next, List<Measurement> measurements) {}

    /** Between which states; {@code direct} if nothing may lie between. */
    enum Transition {
        RESUME("Resume", Set.of(LifecycleState.SUSPENDED), Set.of(LifecycleState.STABLE), false),
        UPGRADE("Upgrade", Set.of(LifecycleState.STABLE), Set.of(LifecycleState.STABLE), false),
        SUSPEND(
                "Suspend",
                Set.of(LifecycleState.DEPLOYED, LifecycleState.STABLE, LifecycleState.ROLLED_BACK),
                Set.of(LifecycleState.UPGRADING, LifecycleState.SUSPENDED),
                true),
        SUBMISSION(
                "Submission",
                Set.of(LifecycleState.UPGRADING),
                Set.of(LifecycleState.DEPLOYED),
                true),
        ROLLBACK_SUBMISSION(
                "Submission",
                Set.of(LifecycleState.ROLLING_BACK),
                Set.of(LifecycleState.ROLLED_BACK),
                true),
        STABILIZATION(
                "Stabilization",
                Set.of(LifecycleState.DEPLOYED),
                Set.of(LifecycleState.STABLE),
                true),
        ROLLBACK(
                "Rollback",
                Set.of(LifecycleState.DEPLOYED),
                Set.of(LifecycleState.ROLLED_BACK),
                false);

        private final String word;
        private final Set<LifecycleState> from;
        private final Set<LifecycleState> to;
        private final boolean direct;

        Transition(String word, Set<LifecycleState> from, Set<LifecycleState> to, boolean direct) {
            this.word = word;
            this.from = from;
            this.to = to;
            this.direct = direct;
        }

        String word() {
            return word;
        }

        private boolean sinceEntry() {
            return this == STABILIZATION || this == ROLLBACK;
        }
    }

    LifecycleTrack {
        seen = Collections.unmodifiableMap(new LinkedHashMap<>(seen));
    }

    /** What was made before it was first seen has been created since then. */
    static LifecycleTrack first(LifecycleState state, Instant created, Instant now) {
        Instant since = state == LifecycleState.CREATED ? created : now;
        return new LifecycleTrack(state, Map.of(state, new Seen(since, now)));
    }

    Step next(LifecycleState state, Instant at) {
        Map<LifecycleState, Seen> times = new EnumMap<>(LifecycleState.class);
        times.putAll(seen);
        if (state == now) {
            times.computeIfPresent(state, (_, before) -> new Seen(before.first(), at));
            return new Step(new LifecycleTrack(state, times), List.of());
        }
        List<Measurement> measurements = new ArrayList<>(transitions(state, at));
        for (LifecycleState each : forgotten(state)) {
            Seen before = times.remove(each);
            if (before != null) {
                measurements.add(new Measurement.TimeInState(each, before.time()));
            }
        }
        times.merge(state, new Seen(at, at), (before, _) -> new Seen(before.first(), at));
        return new Step(new LifecycleTrack(state, times), List.copyOf(measurements));
    }

    private List<Measurement> transitions(LifecycleState to, Instant at) {
        List<Measurement> measurements = new ArrayList<>();
        for (Transition each : Transition.values()) {
            if (!each.to.contains(to)) {
                continue;
            }
            for (LifecycleState from : each.from) {
                Seen before = seen.get(from);
                if (before != null && (!each.direct || from == now)) {
                    Instant base = each.sinceEntry() ? before.first() : before.last();
                    measurements.add(
                            new Measurement.TransitionTime(each, Duration.between(base, at)));
                }
            }
        }
        return measurements;
    }

    /** Which states' times are measurements, and begin anew, when {@code state} is entered. */
    private List<LifecycleState> forgotten(LifecycleState state) {
        if (RESTING.contains(state)) {
            return List.copyOf(seen.keySet());
        }
        if (state == LifecycleState.UPGRADING) {
            return seen.keySet().stream()
                    .filter(each -> each != LifecycleState.UPGRADING && each != now)
                    .toList();
        }
        return List.of();
    }
}
