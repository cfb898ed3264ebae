// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cron;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.CronStatus;
import io.sluice.api.status.JobState;
import io.sluice.operator.cron.CronRun.Phase;
import io.sluice.rules.cron.CronAnnotations;
import io.sluice.rules.cron.CronPlan;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * A seeded loop over observe, decide and act with crashes between any two effects, runs that end,
 * fail, hang and take their time to go, over days in which clocks change.
 */
class CronSimTest {
    private static final int SEEDS = 20;
    private static final int STEPS = 100;

    @ParameterizedTest
    @CsvSource({"Replace, Europe/Berlin", "Forbid, America/New_York", "Allow, Asia/Kolkata"})
    void startsEachTimeAtMostOnceAndInPeaceAlways(String policy, String zone) {
        for (long seed = 0; seed < SEEDS; seed++) {
            new Sim(seed, policy, zone).run();
        }
    }

    /** One template and its runs, without an API server. */
    private static final class Sim {
        private final long seed;
        private final Random random;
        private final CronPlan plan;
        private final boolean alone;
        private final Instant created;
        private final Map<String, CronRun> runs = new HashMap<>();
        private final List<Instant> made = new ArrayList<>();
        private CronStatus stored = CronStatus.NONE;
        private Instant now;

        Sim(long seed, String policy, String zone) {
            this.seed = seed;
            random = new Random(seed);
            plan =
                    CronAnnotations.read(
                                    Map.of(
                                            CronAnnotations.EXPRESSION,
                                            "*/20 * * * *",
                                            CronAnnotations.TIME_ZONE,
                                            zone,
                                            CronAnnotations.CONCURRENCY,
                                            policy,
                                            CronAnnotations.SUCCEEDED,
                                            Integer.toString(random.nextInt(3))))
                            .value()
                            .orElseThrow();
            alone = !policy.equals("Allow");
            created =
                    Instant.parse(
                            random.nextBoolean() ? "2026-10-25T00:00:00Z" : "2026-03-29T00:00:00Z");
            now = created;
        }

        void run() {
            for (int step = 0; step < STEPS; step++) {
                now = now.plus(Duration.ofSeconds(random.nextInt(900)));
                disturb();
                pass(random.nextInt(4) == 0 ? random.nextInt(3) : Integer.MAX_VALUE);
            }
            inPeace();
        }

        /** What clusters do meanwhile. */
        private void disturb() {
            for (CronRun run : List.copyOf(runs.values())) {
                switch (random.nextInt(6)) {
                    case 0 -> put(run, Phase.SUCCEEDED);
                    case 1 -> put(run, Phase.FAILED);
                    default -> {}
                }
                if (run.deleting() && random.nextBoolean()) {
                    runs.remove(run.name());
                }
            }
        }

        private void put(CronRun run, Phase phase) {
            if (run.phase() == Phase.ACTIVE) {
                runs.put(
                        run.name(),
                        run.with()
                                .phase(phase)
                                .job(
                                        Optional.of(
                                                phase == Phase.FAILED
                                                        ? JobState.FAILED
                                                        : JobState.FINISHED))
                                .build());
            }
        }

        /** The process dies after so many effects, the status being the first. */
        private void pass(int effects) {
            CronDecision decision = decide();
            if (effects == 0) {
                return;
            }
            stored = decision.memory();
            decision.actions().stream().limit(effects - 1L).forEach(this::perform);
        }

        private CronDecision decide() {
            return CronDecider.decide(
                    new CronObservedState(
                            new CronObservedState.Identity("orders", 1, false),
                            Optional.of(plan),
                            Optional.empty(),
                            false,
                            stored,
                            List.of(),
                            List.copyOf(runs.values()),
                            Optional.empty(),
                            created,
                            now,
                            new CronObservedState.Polls(
                                    Duration.ofMinutes(1), Duration.ofSeconds(10))));
        }

        private void perform(CronAction action) {
            switch (action) {
                case CronAction.CreateRun(var name, var fire) -> create(name, fire);
                case CronAction.DeleteRun(var name, var uid) ->
                        Optional.ofNullable(runs.get(name))
                                .filter(run -> run.uid().equals(uid))
                                .ifPresent(this::beginDeletion);
                case CronAction.ReleaseTemplate() -> throw new AssertionError("nobody asked");
            }
        }

        private void create(String name, Instant fire) {
            if (runs.containsKey(name)) {
                return;
            }
            boolean runsAlone = runs.values().stream().noneMatch(CronRun::isActive);
            assertThat(runsAlone || !alone).as("seed %d: beside another at %s", seed, now).isTrue();
            assertThat(made).as("seed %d: made again at %s", seed, now).doesNotContain(fire);
            assertThat(fire).as("seed %d", seed).isAfter(created).isBeforeOrEqualTo(now);
            made.add(fire);
            runs.put(
                    name,
                    new CronRun(
                            name,
                            "uid" + made.size(),
                            fire,
                            Phase.ACTIVE,
                            false,
                            Optional.empty()));
        }

        private void beginDeletion(CronRun run) {
            runs.put(run.name(), run.withDeleting(true));
        }

        /** Without faults each time has its run, and no more are kept than asked for. */
        private void inPeace() {
            for (int times = 0; times < 4; times++) {
                settle();
                now = plan.next(now).orElseThrow();
                for (int passes = 0; passes < 4; passes++) {
                    pass(Integer.MAX_VALUE);
                    runs.values().removeIf(CronRun::deleting);
                }
                assertThat(made).as("seed %d at %s", seed, now).contains(now);
            }
            settle();
            assertThat(runs.values()).hasSizeLessThanOrEqualTo(plan.succeeded() + plan.failed());
        }

        private void settle() {
            List.copyOf(runs.values()).forEach(run -> put(run, Phase.SUCCEEDED));
            for (int passes = 0; passes < 4; passes++) {
                pass(Integer.MAX_VALUE);
                List.copyOf(runs.values()).forEach(run -> put(run, Phase.SUCCEEDED));
                runs.values().removeIf(CronRun::deleting);
            }
        }
    }
}
