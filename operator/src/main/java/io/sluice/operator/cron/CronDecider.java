// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cron;

import io.sluice.api.status.CronStatus;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.SpecView;
import io.sluice.rules.cron.ConcurrencyPolicy;
import io.sluice.rules.cron.CronPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * What to do about the template of a cron job: pure and total.
 *
 * <pre>
 *   deleted? ─▶ usable? ─▶ suspended? ─▶ due? ─▶ starting recorded ─▶ room? ─▶ run created ─▶ starting cleared
 *                                          │ too late, or one runs and must not be disturbed: left out
 * </pre>
 *
 * A time is dealt with once: it is recorded before anything is done about it, and a run bears the
 * name of its time, so that creating it again changes nothing.
 */
final class CronDecider {
    private CronDecider() {}

    static CronDecision decide(CronObservedState snapshot) {
        CronStatusDraft draft = CronStatusDraft.of(snapshot);
        if (snapshot.identity().deleting()) {
            return deleting(draft);
        }
        if (snapshot.objection().isPresent()) {
            return held(draft, snapshot.objection().get());
        }
        if (snapshot.plan().isEmpty()) {
            return draft.decided(Reason.SPEC_INVALID, "", Optional.empty());
        }
        CronPlan plan = snapshot.plan().get();
        CronStatusDraft tidied = History.tidied(draft, plan);
        return snapshot.suspended() ? suspended(tidied) : scheduled(tidied, plan);
    }

    /** No run begins; those under way go on. */
    private static CronDecision held(CronStatusDraft draft, SpecView.Invalid objection) {
        Reason reason = objection.reason();
        String detail = String.join("\n", objection.problems());
        CronStatusDraft told =
                reason == Reason.VALIDATING
                        ? draft
                        : draft.withEvent(
                                CronEvents.held(
                                        reason, draft.snapshot().identity().generation(), detail));
        return told.decided(
                reason, detail, objection.checkAgain(draft.snapshot().polls().steady()));
    }

    private static CronDecision deleting(CronStatusDraft draft) {
        List<CronRun> runs = draft.snapshot().runs();
        if (runs.isEmpty()) {
            return draft.doing(new CronAction.ReleaseTemplate())
                    .withEvent(CronEvents.released())
                    .decided(Reason.DELETED, "", Optional.empty());
        }
        CronStatusDraft next = draft;
        for (CronRun run : runs) {
            next = run.deleting() ? next : next.removing(run);
        }
        String first = runs.stream().map(CronRun::name).min(Comparator.naturalOrder()).orElse("");
        return next.decided(
                Reason.DELETING,
                "Waits for its run '" + first + "'.",
                Optional.of(draft.snapshot().polls().progress()));
    }

    /** Runs under way go on; times that come meanwhile are not made up for. */
    private static CronDecision suspended(CronStatusDraft draft) {
        CronStatus memory = draft.memory();
        return draft.withMemory(
                        memory.with()
                                .schedule("")
                                .since(
                                        memory.since()
                                                .or(() -> Optional.of(draft.snapshot().created())))
                                .starting(Optional.empty())
                                .nextFire(Optional.empty())
                                .active(List.of())
                                .build())
                .decided(Reason.SUSPENDED, "", draft.untilActiveChange());
    }

    private static CronDecision scheduled(CronStatusDraft draft, CronPlan plan) {
        CronStatusDraft counted = counting(draft, plan);
        CronStatusDraft due =
                latestFire(counted, plan).map(fire -> takeUp(counted, plan, fire)).orElse(counted);
        return due.memory()
                .starting()
                .map(fire -> starting(due, plan, fire))
                .orElseGet(() -> waiting(due, plan));
    }

    /** A new schedule counts from the moment it is seen, the first from the template's creation. */
    private static CronStatusDraft counting(CronStatusDraft draft, CronPlan plan) {
        CronStatus memory = draft.memory();
        if (memory.schedule().equals(plan.schedule()) && memory.since().isPresent()) {
            return draft;
        }
        Instant since =
                memory.since().isEmpty() ? draft.snapshot().created() : draft.snapshot().now();
        return draft.withMemory(
                memory.with()
                        .schedule(plan.schedule())
                        .since(Optional.of(since))
                        .nextFire(Optional.empty())
                        .active(List.of())
                        .build());
    }

    /** The latest time that has come and was not dealt with; those before it are left out. */
    private static Optional<Instant> latestFire(CronStatusDraft draft, CronPlan plan) {
        CronStatus memory = draft.memory();
        return plan.last(draft.snapshot().now())
                .filter(fire -> memory.since().filter(fire::isAfter).isPresent())
                .filter(fire -> memory.lastFire().filter(last -> !fire.isAfter(last)).isEmpty());
    }

    private static CronStatusDraft takeUp(CronStatusDraft draft, CronPlan plan, Instant fire) {
        if (isTooLate(draft, plan, fire)) {
            return draft.dealtWith(fire).withEvent(CronEvents.missed(fire));
        }
        List<CronRun> active = draft.snapshot().active();
        if (plan.concurrency() == ConcurrencyPolicy.FORBID && !active.isEmpty()) {
            return draft.dealtWith(fire)
                    .withEvent(CronEvents.leftOut(fire, active.getFirst().name()));
        }
        return draft.starting(fire);
    }

    private static boolean isTooLate(CronStatusDraft draft, CronPlan plan, Instant fire) {
        return plan.startingDeadline()
                .filter(deadline -> fire.plus(deadline).isBefore(draft.snapshot().now()))
                .isPresent();
    }

    private static CronDecision starting(CronStatusDraft draft, CronPlan plan, Instant fire) {
        String name = plan.runName(draft.snapshot().identity().name(), fire);
        Optional<CronRun> there = draft.snapshot().named(name);
        if (there.filter(run -> run.fire().equals(fire)).isPresent()) {
            return waiting(draft.started(), plan);
        }
        if (isTooLate(draft, plan, fire)) {
            return waiting(draft.started().withEvent(CronEvents.missed(fire)), plan);
        }
        List<CronRun> inTheWay =
                draft.snapshot().runs().stream()
                        .filter(run -> isInTheWay(run, name, plan))
                        .toList();
        if (!inTheWay.isEmpty()) {
            CronStatusDraft next = draft;
            for (CronRun run : inTheWay) {
                next = run.deleting() ? next : next.removing(run);
            }
            return next.decided(
                    Reason.CRON_STARTING,
                    "Waits until " + inTheWay.getFirst().name() + " is gone.",
                    Optional.of(draft.snapshot().polls().progress()));
        }
        CronStatusDraft creating = draft.doing(new CronAction.CreateRun(name, fire));
        Duration steady = draft.snapshot().polls().steady();
        return draft.snapshot()
                .refusal()
                .map(
                        refusal ->
                                (refusal.isDue(draft.snapshot().now(), steady) ? creating : draft)
                                        .withEvent(CronEvents.refused(name, refusal.message()))
                                        .decided(
                                                Reason.CRON_REFUSED,
                                                refusal.message(),
                                                Optional.of(steady)))
                .orElseGet(
                        () ->
                                creating.withEvent(CronEvents.submitted(name))
                                        .decided(
                                                Reason.CRON_STARTING,
                                                "",
                                                Optional.of(draft.snapshot().polls().progress())));
    }

    /** One of the same name is of another year. */
    private static boolean isInTheWay(CronRun run, String name, CronPlan plan) {
        return run.name().equals(name)
                || (plan.concurrency() == ConcurrencyPolicy.REPLACE && run.isActive());
    }

    private static CronDecision waiting(CronStatusDraft draft, CronPlan plan) {
        Optional<Instant> next = plan.next(draft.snapshot().now());
        CronStatusDraft known = draft.expecting(next);
        List<CronRun> active = draft.snapshot().active();
        if (!active.isEmpty()) {
            return known.decided(
                    Reason.CRON_RUNNING, active.getLast().name(), known.untilActiveChange());
        }
        return next.map(
                        fire ->
                                known.decided(
                                        Reason.CRON_SCHEDULED,
                                        "Next: " + fire + ".",
                                        known.untilNext()))
                .orElseGet(() -> known.decided(Reason.CRON_OVER, "", Optional.empty()));
    }
}
