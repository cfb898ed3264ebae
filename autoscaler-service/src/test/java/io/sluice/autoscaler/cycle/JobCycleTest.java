// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.autoscaler.collect.EngineClient;
import io.sluice.autoscaler.collect.Footprint;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.collect.JobManagerLimits;
import io.sluice.autoscaler.collect.Subject;
import io.sluice.autoscaler.decide.EngineEvent;
import io.sluice.autoscaler.decide.Engines;
import io.sluice.autoscaler.explain.Verdict;
import io.sluice.autoscaler.flink.FlinkReplies;
import io.sluice.autoscaler.govern.Allowance;
import io.sluice.autoscaler.jobs.Pairs;
import io.sluice.autoscaler.publish.JobEvents;
import io.sluice.autoscaler.publish.JobStates;
import io.sluice.autoscaler.publish.Loaded;
import io.sluice.autoscaler.publish.MemoryStates;
import io.sluice.autoscaler.publish.Realizer;
import io.sluice.autoscaler.publish.Stored;
import io.sluice.autoscaler.state.StateLimits;
import io.sluice.flink.rest.http.HttpJobManagerRest;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntSupplier;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class JobCycleTest {
    private static final JobKey ORDERS = new JobKey("shop", "orders", "u-1");
    private static final JobKey BILLS = new JobKey("shop", "bills", "u-2");

    private final FlinkReplies flink = new FlinkReplies();
    private final HttpJobManagerRest http = new HttpJobManagerRest(JobManagerLimits.DEFAULT);
    private final EngineClient client = new EngineClient(Duration.ofSeconds(5));
    private final BreakableStates states = new BreakableStates();
    private final List<EngineEvent> events = new ArrayList<>();
    private final Rescaling rescaling =
            new Rescaling(
                    this::mayBeRescaledAtOnce, _ -> Footprint.NOTHING, _ -> Allowance.UNLIMITED);
    private final Map<String, String> options = new HashMap<>(options());
    private IntSupplier atOnce = () -> 10;
    private Duration passed = Duration.ZERO;
    private Optional<Long> nonce = Optional.empty();
    private JobCycle cycle = new JobCycle(ORDERS, world());

    @AfterEach
    void close() {
        client.close();
        http.close();
        flink.close();
    }

    @Test
    void givesItsPlaceBackWhenItIsSwitchedOff() {
        scale();
        assertThat(
                        rescaling
                                .rescalingLimits(BILLS, subject(), Footprint.NOTHING, Instant.now())
                                .underWay())
                .isOne();

        assertThat(cycle.run(new Subject.Off(), Subject.Off::new)).isEmpty();

        assertThat(
                        rescaling
                                .rescalingLimits(BILLS, subject(), Footprint.NOTHING, Instant.now())
                                .underWay())
                .isZero();
    }

    @Test
    void startsFromNothingAsAskedThoughItWasRestartedMeanwhile() {
        scale();
        assertThat(stored()).containsKey("parallelismOverrides");

        nonce = Optional.of(1L);
        restart();
        look();

        assertThat(stored())
                .containsEntry("governorResetNonce", "1")
                .doesNotContainKeys("parallelismOverrides", "governorRescales");
    }

    @Test
    void startsFromNothingThoughALookFailedBefore() {
        scale();
        nonce = Optional.of(1L);
        states.refused = _ -> true;
        look();
        states.refused = _ -> false;

        look();

        assertThat(stored()).doesNotContainKey("parallelismOverrides");
    }

    @Test
    void keepsWhatWasStoredBeforeNoncesWere() {
        String overrides = FlinkReplies.LOAD + ":1," + FlinkReplies.WORK + ":2";
        states.save(ORDERS, Map.of("parallelismOverrides", overrides), Stored.NOTHING);
        nonce = Optional.of(7L);

        look();

        assertThat(stored()).containsEntry("parallelismOverrides", overrides);
    }

    @Test
    void goesOnCountingWhatIdlesAfterARestart() {
        flink.runsWith(4);
        flink.load(100, 30);
        double before = idleAbove(0);

        restart();
        passed = passed.plus(Duration.ofMinutes(3));
        look();
        assertThat(idle()).as("time in which nobody looked").isEqualTo(before);

        idleAbove(before);
    }

    @Test
    void theLoadIsAsSteadyAfterARestartAsBefore() {
        flink.load(500, 700);
        String since =
                await().pollInterval(Duration.ofMillis(100))
                        .until(
                                () -> {
                                    passed = passed.plus(Duration.ofMinutes(3));
                                    look();
                                    return steadySince();
                                },
                                known -> !known.isEmpty());
        assertThat(stored()).containsKey("governorHours");

        restart();
        passed = passed.plus(Duration.ofMinutes(3));
        look();

        assertThat(steadySince()).isEqualTo(since);
    }

    private String steadySince() {
        return stored().getOrDefault("governorSteadyLoad", "").replaceFirst(" .*", "");
    }

    /** Slot seconds that are stored, once they are more. */
    private double idleAbove(double before) {
        return await().pollInterval(Duration.ofMillis(100))
                .until(
                        () -> {
                            passed = passed.plus(Duration.ofMinutes(3));
                            look();
                            return idle();
                        },
                        idle -> idle > before);
    }

    private double idle() {
        return Double.parseDouble(stored().getOrDefault("governorIdle", "0 ").split(" ", -1)[0]);
    }

    @Test
    void announcesAScalingOnce() {
        scale();

        for (int i = 0; i < 3; i++) {
            await().pollInterval(Duration.ofMillis(100))
                    .until(() -> look().why(), why -> why.contains("already published"));
        }

        assertThat(events)
                .extracting(EngineEvent::reason)
                .filteredOn("ScalingReport"::equals)
                .hasSize(1);
    }

    @Test
    void tellsOfAQuotaThatIsInTheWay() {
        options.put("job.autoscaler.quota.cpu", "1");
        options.put("job.autoscaler.scaling.event.interval", "7 min");
        flink.load(1000, 990);

        await().pollInterval(Duration.ofMillis(100))
                .until(this::look, Verdict.Held.class::isInstance);

        assertThat(events)
                .singleElement()
                .satisfies(
                        event -> {
                            assertThat(event.severity()).isEqualTo(EngineEvent.Severity.WARNING);
                            assertThat(event.reason()).isEqualTo("ResourceQuotaReached");
                            assertThat(event.quiet()).contains(Duration.ofMinutes(7));
                            assertThat(event.message())
                                    .contains("1 -> 2", "raise job.autoscaler.quota.cpu=1");
                        });
    }

    @Test
    void tellsOfAHoldThatLastsOnceAndStoresItForTheOperator() {
        options.put("job.autoscaler.governor.mode", "recommend");
        flink.load(1000, 990);
        await().pollInterval(Duration.ofMillis(100))
                .until(this::look, Verdict.Recommended.class::isInstance);

        assertThat(events).isEmpty();

        for (int i = 0; i < 3; i++) {
            passed = passed.plus(Duration.ofMinutes(6));
            await().pollInterval(Duration.ofMillis(100))
                    .until(this::look, Verdict.Recommended.class::isInstance);
        }

        assertThat(events)
                .singleElement()
                .satisfies(
                        event -> {
                            assertThat(event.reason()).isEqualTo("ScalingHeld");
                            assertThat(event.message()).contains("mode is recommend", "1 -> 2");
                        });
        assertThat(stored().get("governorHold")).startsWith("RECOMMEND_ONLY: ").contains("1 -> 2");

        options.put("job.autoscaler.governor.mode", "apply");
        scale();

        assertThat(stored()).doesNotContainKey("governorHold");
    }

    @Test
    void tellsOnceOfStoredStateThatIsTooLargeAndOverwritesIt() {
        String many = "a:1,".repeat(200_000);
        states.save(ORDERS, Map.of("parallelismOverrides", many), Stored.NOTHING);

        look();
        states.refused = _ -> true;
        look();

        assertThat(stored()).doesNotContainKey("parallelismOverrides");
        assertThat(events)
                .filteredOn(event -> event.reason().equals("AutoscalerStateDiscarded"))
                .singleElement()
                .satisfies(
                        event ->
                                assertThat(event.message())
                                        .contains("parallelismOverrides is too large"));
    }

    @Test
    void tellsOnceOfAFailureOutsideTheEngine() {
        states.refused = _ -> true;

        for (int i = 0; i < 3; i++) {
            assertThat(look()).isEqualTo(new Verdict.Failed("nobody may write"));
        }

        assertThat(events)
                .singleElement()
                .satisfies(
                        event -> {
                            assertThat(event.severity()).isEqualTo(EngineEvent.Severity.WARNING);
                            assertThat(event.reason()).isEqualTo("AutoscalerError");
                            assertThat(event.message()).isEqualTo("nobody may write");
                        });
    }

    @Test
    void tellsOfALookThatTookTooLongButNotOfOneThatWasGivenUp() {
        states.whileLoading = () -> Thread.currentThread().interrupt();
        assertThat(look()).isEqualTo(new Verdict.Failed(Failure.TOO_LONG));
        assertThat(events).isEmpty();

        restart();
        states.whileLoading =
                () -> {
                    cycle.cutShort();
                    Thread.currentThread().interrupt();
                };
        assertThat(look()).isEqualTo(new Verdict.Failed(Failure.TOO_LONG));
        assertThat(events).extracting(EngineEvent::reason).containsExactly("AutoscalerError");
    }

    @Test
    void givesItsPlaceBackWhenNothingCouldBePublished() {
        states.refused = data -> data.containsKey("parallelismOverrides");
        flink.load(1000, 990);

        await().pollInterval(Duration.ofMillis(100))
                .until(this::look, Verdict.Failed.class::isInstance);

        assertThat(
                        rescaling
                                .rescalingLimits(BILLS, subject(), Footprint.NOTHING, Instant.now())
                                .underWay())
                .isZero();
    }

    @Test
    void holdsWhatAnotherJobWasFasterWith() {
        flink.load(1000, 990);
        AtomicInteger asked = new AtomicInteger();
        atOnce = () -> asked.getAndIncrement() % 2 == 0 ? 1 : 0;

        await().pollInterval(Duration.ofMillis(100))
                .until(this::look, Verdict.Held.class::isInstance);

        assertThat(stored()).doesNotContainKeys("parallelismOverrides", "scalingHistory");
        assertThat(events).isEmpty();
    }

    private void scale() {
        flink.load(1000, 990);
        await().pollInterval(Duration.ofMillis(100))
                .until(this::look, Verdict.Scaled.class::isInstance);
    }

    private Verdict look() {
        return cycle.run(subject(), this::subject).orElseThrow().verdict();
    }

    private void restart() {
        cycle = new JobCycle(ORDERS, world());
    }

    private int mayBeRescaledAtOnce() {
        return atOnce.getAsInt();
    }

    private Map<String, String> stored() {
        return states.load(ORDERS).data();
    }

    private Subject.Scalable subject() {
        return new Subject.Scalable(
                new FlinkConfiguration(options),
                FlinkReplies.JOB,
                nonce,
                "orders",
                new Footprint(1, 1L << 30),
                1);
    }

    private CycleDependencies world() {
        InstantSource clock = () -> Instant.now().plus(passed);
        return new CycleDependencies(
                (_, _) -> flink.at(),
                http,
                client,
                new Engines(StateLimits.DEFAULT),
                states,
                recording(),
                Pairs.NONE,
                Realizer.OPERATOR,
                rescaling,
                Duration.ZERO,
                clock,
                clock);
    }

    private JobEvents recording() {
        return new JobEvents() {
            @Override
            public void publish(JobKey key, EngineEvent event) {
                events.add(event);
            }

            @Override
            public void leave(JobKey key) {}
        };
    }

    private static Map<String, String> options() {
        return Map.of(
                "jobmanager.scheduler", "adaptive",
                "job.autoscaler.enabled", "true",
                "job.autoscaler.metrics.window", "500 ms",
                "job.autoscaler.stabilization.interval", "0 s",
                "job.autoscaler.catch-up.duration", "0 s",
                "job.autoscaler.utilization.max", "0.8");
    }

    /** Those of one job, which nobody may write for a while. */
    private static final class BreakableStates implements JobStates {
        private final MemoryStates kept = new MemoryStates();
        private Predicate<Map<String, String>> refused = _ -> false;
        private Runnable whileLoading = () -> {};

        @Override
        public Loaded load(JobKey key) {
            whileLoading.run();
            return kept.load(key);
        }

        @Override
        public Stored save(JobKey key, Map<String, String> data, Stored before) {
            if (refused.test(data)) {
                throw new IllegalStateException("nobody may write");
            }
            return kept.save(key, data, before);
        }

        @Override
        public void wipe(JobKey key, Predicate<String> entries) {
            kept.wipe(key, entries);
        }

        @Override
        public void leave(JobKey key) {
            kept.leave(key);
        }
    }
}
