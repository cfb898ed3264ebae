// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.function.Supplier;

/** When a job is looked at next, or since when it is being looked at. */
final class Turn {
    private final JobCycle cycle;
    private LookSchedule schedule;
    private Optional<Running> running = Optional.empty();

    /**
     * @param since when it got its place; empty while it waits for one
     */
    private record Running(Future<?> look, Optional<Instant> since) {}

    Turn(JobCycle cycle, Instant due) {
        this.cycle = cycle;
        schedule = LookSchedule.from(due);
    }

    JobCycle cycle() {
        return cycle;
    }

    synchronized boolean isDue(Instant now) {
        return running.isEmpty() && !now.isBefore(schedule.due());
    }

    /** A look that ends before this returns waits in {@link #done} until it has begun. */
    synchronized void start(Supplier<Future<?>> submit) {
        running = Optional.of(new Running(submit.get(), Optional.empty()));
    }

    synchronized void begin(Instant now) {
        running = running.map(waiting -> new Running(waiting.look(), Optional.of(now)));
    }

    synchronized void done(Instant now, Duration interval) {
        running = Optional.empty();
        schedule = schedule.next(now, interval);
    }

    synchronized void giveUpAfter(Duration budget, Instant now) {
        running.filter(
                        look ->
                                look.since()
                                        .filter(since -> since.plus(budget).isBefore(now))
                                        .isPresent())
                .ifPresent(
                        look -> {
                            cycle.cutShort();
                            look.look().cancel(true);
                        });
    }

    synchronized void giveUp() {
        running.ifPresent(look -> look.look().cancel(true));
    }
}
