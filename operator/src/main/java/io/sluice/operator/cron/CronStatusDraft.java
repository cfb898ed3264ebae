// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cron;

import io.sluice.api.status.CronStatus;
import io.sluice.api.status.JobState;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** What the steps of one decision hand on; nothing in it is mutable. */
@RecordBuilder
record CronStatusDraft(
        CronObservedState snapshot,
        CronStatus memory,
        List<CronAction> actions,
        List<ResourceEvent> notes)
        implements CronStatusDraftBuilder.With {
    /** The state between runs (docs/contract/reconciler.md, section 14). */
    static final String SCHEDULED = "CRON_SCHEDULED";

    CronStatusDraft {
        actions = List.copyOf(actions);
        notes = List.copyOf(notes);
    }

    static CronStatusDraft of(CronObservedState snapshot) {
        return new CronStatusDraft(snapshot, snapshot.memory(), List.of(), List.of());
    }

    CronStatusDraft doing(CronAction action) {
        List<CronAction> more = new ArrayList<>(actions);
        more.add(action);
        return withActions(more);
    }

    CronStatusDraft withEvent(ResourceEvent event) {
        List<ResourceEvent> more = new ArrayList<>(notes);
        more.add(event);
        return withNotes(more);
    }

    /** Once in a decision, however many steps want it. */
    CronStatusDraft removing(CronRun run) {
        CronAction removal = new CronAction.DeleteRun(run.name(), run.uid());
        return actions.contains(removal)
                ? this
                : doing(removal).withEvent(CronEvents.removed(run.name()));
    }

    /** The time {@code fire} is over, and no run was started for it. */
    CronStatusDraft dealtWith(Instant fire) {
        return withMemory(
                memory.with().lastFire(Optional.of(fire)).starting(Optional.empty()).build());
    }

    CronStatusDraft starting(Instant fire) {
        return withMemory(
                memory.with().lastFire(Optional.of(fire)).starting(Optional.of(fire)).build());
    }

    CronStatusDraft started() {
        return withMemory(memory.withStarting(Optional.empty()));
    }

    CronStatusDraft expecting(Optional<Instant> next) {
        return withMemory(memory.withNextFire(next));
    }

    /** The time until the next run, limited; an edit of the template is seen in any case. */
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
        CronStatus shown = memory.withActive(active.stream().map(CronRun::name).toList());
        return new CronDecision(reason, detail, shown, job, actions, notes, checkAgain);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }
}
