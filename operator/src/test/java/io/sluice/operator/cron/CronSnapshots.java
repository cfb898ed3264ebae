// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cron;

import io.sluice.api.status.CronStatus;
import io.sluice.api.status.JobState;
import io.sluice.operator.model.Refusal;
import io.sluice.operator.model.SpecView;
import io.sluice.rules.cron.CronAnnotations;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A template as a test wants it: made by default, changed by what the test is about. */
record CronSnapshots(CronObservedState snapshot, Map<String, String> annotations) {
    static final Instant CREATED = Instant.parse("2026-03-01T00:10:00Z");
    static final String NAME = "orders";

    /** Each hour on the hour, seen ten minutes past midnight, right after it was made. */
    static CronSnapshots aTemplate() {
        return new CronSnapshots(
                        new CronObservedState(
                                new CronObservedState.Identity(NAME, 1, false),
                                Optional.empty(),
                                Optional.empty(),
                                false,
                                CronStatus.NONE,
                                List.of(),
                                List.of(),
                                Optional.empty(),
                                CREATED,
                                CREATED,
                                new CronObservedState.Polls(
                                        Duration.ofMinutes(1), Duration.ofSeconds(10))),
                        Map.of())
                .with(CronAnnotations.EXPRESSION, "@hourly");
    }

    CronSnapshots with(String annotation, String value) {
        Map<String, String> all = new TreeMap<>(annotations);
        all.put(annotation, value);
        var read = CronAnnotations.read(all);
        return new CronSnapshots(
                snapshot.with()
                        .plan(read.value())
                        .objection(
                                read.problems().isEmpty()
                                        ? Optional.empty()
                                        : Optional.of(
                                                new SpecView.Invalid(
                                                        read.problems().stream()
                                                                .map(Object::toString)
                                                                .toList())))
                        .build(),
                all);
    }

    CronDecision decide() {
        return CronDecider.decide(snapshot);
    }

    /**
     * As the next reconciliation sees it: what was decided is remembered, and nothing else has
     * changed.
     */
    CronSnapshots decided() {
        return with(snapshot.withMemory(decide().memory()));
    }

    CronSnapshots at(String now) {
        return with(snapshot.withNow(Instant.parse(now)));
    }

    CronSnapshots suspended(boolean suspended) {
        return with(snapshot.withSuspended(suspended));
    }

    CronSnapshots withRun(String fire, CronRun.Phase phase) {
        return withRun(fire, phase, false);
    }

    CronSnapshots withRun(String fire, CronRun.Phase phase, boolean deleting) {
        Instant at = Instant.parse(fire);
        List<CronRun> more = new ArrayList<>(snapshot.runs());
        more.add(
                new CronRun(
                        snapshot.plan().orElseThrow().runName(NAME, at),
                        "uid-" + fire,
                        at,
                        phase,
                        deleting,
                        Optional.of(
                                switch (phase) {
                                    case ACTIVE -> JobState.RUNNING;
                                    case SUCCEEDED -> JobState.FINISHED;
                                    case FAILED -> JobState.FAILED;
                                })));
        return with(snapshot.withRuns(more));
    }

    CronSnapshots withoutRuns() {
        return with(snapshot.withRuns(List.of()));
    }

    CronSnapshots refused(String why) {
        return with(snapshot.withRefusal(Optional.of(new Refusal(why, 1, Instant.EPOCH))));
    }

    CronSnapshots deleted() {
        return with(snapshot.withIdentity(new CronObservedState.Identity(NAME, 1, true)));
    }

    private CronSnapshots with(CronObservedState next) {
        return new CronSnapshots(next, annotations);
    }
}
