// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import io.prometheus.client.Histogram;
import io.sluice.autoscaler.collect.EngineOptions;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.collect.Subject;
import io.sluice.autoscaler.explain.Explanations;
import io.sluice.autoscaler.jobs.Jobs;
import io.sluice.autoscaler.jobs.Watched;
import io.sluice.process.Progress;
import io.sluice.process.metric.Series;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/**
 * Gives every job its turn, each on a virtual thread of its own: a JobManager that does not answer
 * delays only its own job, and a job is never looked at twice at once.
 */
public final class JobScheduler implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(JobScheduler.class);
    private static final Duration TICK = Duration.ofMillis(500);
    private static final Duration STALE = Duration.ofSeconds(60);

    /** Far longer than a look may take, which is given up after its budget. */
    private static final Duration STUCK = Duration.ofMinutes(5);

    private final Jobs jobs;
    private final Predicate<JobKey> isOurs;
    private final CycleDependencies world;
    private final Explanations explanations;
    private final Duration budget;
    private final LookLimit.Places places;
    private final Histogram cycleSeconds;
    private final Map<JobKey, Turn> turns = new HashMap<>();
    private final ExecutorService cycles = Executors.newVirtualThreadPerTaskExecutor();
    private final ScheduledExecutorService ticker =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().name("cycles").daemon().factory());
    private final Progress progress = new Progress(STUCK, () -> 0, System::nanoTime);
    private volatile Instant lastTick;

    public JobScheduler(
            Jobs jobs,
            Predicate<JobKey> isOurs,
            CycleDependencies world,
            Explanations explanations,
            Duration budget,
            LookLimit limit,
            Series series) {
        this.jobs = jobs;
        this.isOurs = isOurs;
        this.world = world;
        this.explanations = explanations;
        this.budget = budget;
        places = new LookLimit.Places(limit, ticker);
        cycleSeconds =
                series.seconds(
                        "sluice_autoscaler_cycle_seconds", 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30);
        series.gauge("sluice_work_oldest_seconds", () -> progress.oldest().toMillis() / 1000.0);
        lastTick = world.uptime().instant();
    }

    public void start() {
        var _ =
                ticker.scheduleWithFixedDelay(
                        this::safeTick, 0, TICK.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Why the process had better be restarted; empty while cycles go on. */
    public Optional<String> wrong() {
        return lastTick.plus(STALE).isAfter(world.uptime().instant())
                ? progress.wrong()
                : Optional.of("no cycle began for " + STALE.toSeconds() + " s");
    }

    /** Ends the ticker; a look under way is given up. */
    @Override
    public void close() {
        ticker.shutdownNow();
        cycles.shutdownNow();
    }

    private void safeTick() {
        try {
            tick(world.uptime().instant());
        } catch (RuntimeException failed) {
            LOG.atError().setCause(failed).log("a round failed; the next one follows");
        }
    }

    private void tick(Instant now) {
        lastTick = now;
        if (!jobs.isKnown()) {
            return;
        }
        Set<JobKey> there = new HashSet<>();
        for (Watched watched : jobs.all()) {
            JobKey key = watched.key();
            if (!isOurs.test(key)) {
                continue;
            }
            there.add(key);
            Turn turn = turns.computeIfAbsent(key, _ -> new Turn(new JobCycle(key, world), now));
            turn.giveUpAfter(budget, now);
            if (turn.isDue(now)) {
                turn.start(() -> cycles.submit(() -> look(turn, watched)));
            }
        }
        dropAllBut(there);
    }

    private void look(Turn turn, Watched watched) {
        JobKey key = watched.key();
        Subject subject = watched.subject().get();
        try {
            try (var _ = places.take()) {
                turn.begin(world.uptime().instant());
                look(turn, key, subject);
            }
        } catch (InterruptedException givenUp) {
            Thread.currentThread().interrupt();
        } finally {
            Duration interval =
                    subject.optionsIfOn()
                            .map(EngineOptions::interval)
                            .orElse(EngineOptions.DEFAULT_INTERVAL);
            turn.done(world.uptime().instant(), interval);
        }
        if (!isOurs.test(key) || jobs.find(key).isEmpty()) {
            explanations.remove(key);
        }
    }

    private void look(Turn turn, JobKey key, Subject subject) {
        try (var _ = progress.begin("the job of " + key.namespace() + "/" + key.name());
                var _ = cycleSeconds.startTimer();
                var _ = MDC.putCloseable("resource.namespace", key.namespace());
                var _ = MDC.putCloseable("resource.name", key.name());
                var _ = MDC.putCloseable("job.key", key.uid())) {
            turn.cycle()
                    .run(subject, () -> jobs.subjectOf(key))
                    .ifPresentOrElse(explanations::put, () -> explanations.remove(key));
        }
    }

    private void dropAllBut(Set<JobKey> there) {
        turns.entrySet()
                .removeIf(
                        entry -> {
                            boolean gone = !there.contains(entry.getKey());
                            if (gone) {
                                entry.getValue().giveUp();
                                explanations.remove(entry.getKey());
                                world.rescaling().end(entry.getKey());
                                world.states().leave(entry.getKey());
                                world.events().leave(entry.getKey());
                            }
                            return gone;
                        });
    }
}
