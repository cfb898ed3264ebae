// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import io.sluice.api.status.snapshot.SnapshotState;
import io.sluice.operator.decide.step.RetentionLimits;
import io.sluice.operator.statesnapshot.SnapshotHistory.Entry;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/**
 * Which of the snapshots that the operator has made for a job are deleted (docs/contract/
 * snapshots.md, section 5): those beyond {@code kubernetes.operator.savepoint.history.max.count}
 * and {@code …max.age}, but never the newest one, the newest complete one, or one that is not at
 * rest. The newest snapshot of a job decides for all of them, so that the job's configuration is
 * read once and not for each.
 */
final class SnapshotRetention {
    /** After a start of the operator, all snapshots of a job are known by then. */
    static final Duration SETTLED = Duration.ofSeconds(30);

    /** After such a time the job's configuration is read again, as it may have other limits now. */
    static final Duration RECHECK = Duration.ofHours(10);

    /**
     * What the newest snapshot of a job knows of all of them.
     *
     * @param entries oldest first; empty if another one decides, or there is only one
     * @param limits empty if they were not read: it is too early, or the job is gone
     */
    record Siblings(List<Entry> entries, Optional<RetentionLimits> limits) {
        static final Siblings NONE = new Siblings(List.of(), Optional.empty());

        Siblings {
            entries = List.copyOf(entries);
        }

        /** Those for whose retention the snapshot {@code uid} is responsible. */
        static List<Entry> decidedBy(String uid, List<Entry> entries) {
            boolean isNewest = !entries.isEmpty() && entries.getLast().uid().equals(uid);
            return isNewest && entries.size() > 1 ? entries : List.of();
        }
    }

    private SnapshotRetention() {}

    /** Whether the job's configuration is to be read now. */
    static boolean isDue(List<Entry> entries, Instant now) {
        return !entries.isEmpty()
                && entries.getLast()
                        .seenAtRest()
                        .filter(at -> !now.isBefore(at.plus(SETTLED)))
                        .isPresent();
    }

    /** The decision, and, for a snapshot that it leaves at rest, the deletions that are due. */
    static SnapshotDecision with(SnapshotDecision decision, SnapshotObservedState observed) {
        List<Entry> entries = observed.siblings().entries();
        if (entries.isEmpty() || !decision.status().state().isAtRest()) {
            return decision;
        }
        if (observed.siblings().limits().isEmpty()) {
            return isDue(entries, observed.now())
                    ? decision.again(RECHECK)
                    : decision.again(
                            Duration.between(
                                    observed.now(),
                                    entries.getLast()
                                            .seenAtRest()
                                            .orElse(observed.now())
                                            .plus(SETTLED)));
        }
        RetentionLimits limits = observed.siblings().limits().get();
        if (!limits.deletes()) {
            return decision.again(RECHECK);
        }
        List<SnapshotAction> actions = new ArrayList<>(decision.actions());
        overdue(entries, limits, observed.now())
                .forEach(
                        entry -> actions.add(new SnapshotAction.Delete(entry.name(), entry.uid())));
        return decision.doing(actions)
                .again(
                        nextExpiry(entries, limits, observed.now())
                                .map(time -> Duration.between(observed.now(), time))
                                .filter(time -> time.compareTo(RECHECK) < 0)
                                .orElse(RECHECK));
    }

    /** Whether any is to be deleted now. */
    static boolean deletes(List<Entry> entries, RetentionLimits limits, Instant now) {
        return limits.deletes() && !overdue(entries, limits, now).isEmpty();
    }

    /** Those to delete now. */
    static List<Entry> overdue(List<Entry> entries, RetentionLimits limits, Instant now) {
        int tooMany = entries.size() - limits.count();
        Optional<Instant> oldest = limits.age().map(now::minus);
        Optional<Entry> newestComplete =
                entries.reversed().stream()
                        .filter(it -> it.state() == SnapshotState.COMPLETED)
                        .findFirst();
        return IntStream.range(0, Math.max(0, entries.size() - 1))
                .filter(
                        i ->
                                i < tooMany
                                        || oldest.filter(entries.get(i).created()::isBefore)
                                                .isPresent())
                .mapToObj(entries::get)
                .filter(Entry::isAtRest)
                .filter(it -> !newestComplete.equals(Optional.of(it)))
                .toList();
    }

    private static Optional<Instant> nextExpiry(
            List<Entry> entries, RetentionLimits limits, Instant now) {
        return limits.age()
                .flatMap(
                        age ->
                                entries.stream()
                                        .limit(entries.size() - 1L)
                                        .map(it -> it.created().plus(age))
                                        .filter(now::isBefore)
                                        .findFirst())
                .map(time -> time.plusMillis(1));
    }
}
