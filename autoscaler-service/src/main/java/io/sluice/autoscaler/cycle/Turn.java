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

    private record Running(Future<?> look, Instant since) {}

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
    synchronized void start(Supplier<Future<?>> submit, Instant now) {
        running = Optional.of(new Running(submit.get(), now));
    }

    synchronized void done(Instant now, Duration interval) {
        running = Optional.empty();
        schedule = schedule.next(now, interval);
    }

    synchronized void giveUpAfter(Duration budget, Instant now) {
        running.filter(look -> look.since().plus(budget).isBefore(now))
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
