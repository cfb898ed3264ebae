// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cron;

import io.sluice.api.CronStatus;
import io.sluice.api.JobState;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What the steps of one decision hand on; nothing in it is mutable. */
record CronStatusDraft(
        CronObservedState snapshot,
        CronStatus memory,
        List<CronAction> actions,
        List<ResourceEvent> notes) {
    /** The state between runs (docs/contract/reconciler.md, section 14). */
    static final String SCHEDULED = "CRON_SCHEDULED";

    CronStatusDraft {
        actions = List.copyOf(actions);
        notes = List.copyOf(notes);
    }

    static CronStatusDraft of(CronObservedState snapshot) {
        return new CronStatusDraft(snapshot, snapshot.memory(), List.of(), List.of());
    }

    CronStatusDraft with(CronStatus next) {
        return new CronStatusDraft(snapshot, next, actions, notes);
    }

    CronStatusDraft doing(CronAction action) {
        List<CronAction> more = new ArrayList<>(actions);
        more.add(action);
        return new CronStatusDraft(snapshot, memory, more, notes);
    }

    CronStatusDraft telling(ResourceEvent event) {
        List<ResourceEvent> more = new ArrayList<>(notes);
        more.add(event);
        return new CronStatusDraft(snapshot, memory, actions, more);
    }

    /** Once in a decision, however many steps want it. */
    CronStatusDraft removing(CronRun run) {
        CronAction removal = new CronAction.DeleteRun(run.name(), run.uid());
        return actions.contains(removal)
                ? this
                : doing(removal).telling(CronEvents.removed(run.name()));
    }

    /** Nothing comes of {@code fire}. */
    CronStatusDraft dealtWith(Instant fire) {
        return with(remembered(Optional.of(fire), Optional.empty(), memory.nextFire()));
    }

    CronStatusDraft starting(Instant fire) {
        return with(remembered(Optional.of(fire), Optional.of(fire), memory.nextFire()));
    }

    CronStatusDraft started() {
        return with(remembered(memory.lastFire(), Optional.empty(), memory.nextFire()));
    }

    CronStatusDraft expecting(Optional<Instant> next) {
        return with(remembered(memory.lastFire(), memory.starting(), next));
    }

    private CronStatus remembered(
            Optional<Instant> last, Optional<Instant> starting, Optional<Instant> next) {
        return new CronStatus(
                memory.schedule(), memory.since(), last, starting, next, memory.active());
    }

    /** Until the next time, at the latest after a while; an edit wakes the template besides. */
    Optional<Duration> untilNext() {
        return memory.nextFire()
                .map(fire -> Duration.between(snapshot.now(), fire))
                .map(wait -> shorter(wait, snapshot.polls().steady()));
    }

    /** While a run is under way it is looked after more often; empty without one. */
    Optional<Duration> untilActiveChange() {
        return snapshot.active().isEmpty()
                ? Optional.empty()
                : untilNext()
                        .map(wait -> shorter(wait, snapshot.polls().progress()))
                        .or(() -> Optional.of(snapshot.polls().progress()));
    }

    CronDecision decided(Reason reason, String detail, Optional<Duration> checkAgain) {
        List<CronRun> active =
                snapshot.active().stream().sorted(Comparator.comparing(CronRun::fire)).toList();
        String job =
                active.isEmpty()
                        ? SCHEDULED
                        : active.getLast().job().map(JobState::wire).orElse(SCHEDULED);
        CronStatus shown =
                new CronStatus(
                        memory.schedule(),
                        memory.since(),
                        memory.lastFire(),
                        memory.starting(),
                        memory.nextFire(),
                        active.stream().map(CronRun::name).toList());
        return new CronDecision(reason, detail, shown, job, actions, notes, checkAgain);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
