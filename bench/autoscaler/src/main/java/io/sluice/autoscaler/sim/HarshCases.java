// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import static org.apache.flink.autoscaler.topology.ShipStrategy.REBALANCE;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;

/**
 * Loads that are not smooth, jobs that can't grow, clusters that are full: each once for a job that
 * is rescaled in place and once for one that is upgraded, with one and with eight slots for each
 * TaskManager.
 */
final class HarshCases {
    static final int FIRST = 2000;

    private static final long SEED = 20_261_127;
    private static final double WEEK = 168;

    private enum Family {
        BURSTS,
        BURSTS_WITHOUT_BACKLOG,
        SAWTOOTH,
        SILENT_NIGHTS,
        WEEK,
        BLACK_FRIDAY,
        BACKLOG_OF_HOURS,
        BATCHES,
        DEARER_RECORDS,
        NOISY_NEIGHBOUR,
        SILENT_JOBMANAGER,
        FAILING_RESTARTS,
        FULL_CLUSTER,
        TWO_DAYS_UP,
        THIRTY_VERTICES,
        LIMITED_SINK,
        THREE_PARTITIONS,
        HOT_KEY,
        SHARED_PROCESSORS,
        CONTENTION
    }

    private HarshCases() {}

    static List<Case> all() {
        List<Case> cases = new ArrayList<>();
        for (Family family : Family.values()) {
            cases.add(of(family, true, cases.size()));
            cases.add(of(family, false, cases.size()));
        }
        return cases;
    }

    private static Case of(Family family, boolean inPlace, int number) {
        Random random = new Random(SEED + number);
        double rate = 2_000 + random.nextInt(3_000);
        Job job = job(family, rate, random);
        Load load = load(family, rate, random);
        double hours = hours(family);
        Case scenario =
                new Case(
                        (family + (inPlace ? " in place" : " by upgrade"))
                                .toLowerCase(Locale.ROOT)
                                .replace('_', '-'),
                        job,
                        load,
                        hours,
                        -1,
                        List.of(),
                        inPlace ? 3 : 90,
                        inPlace,
                        family != Family.BURSTS_WITHOUT_BACKLOG,
                        0.05,
                        (long) FIRST + number,
                        hours > 24 ? Case.EACH_MINUTE : Case.AS_THE_SERVICE,
                        number % 4 < 2 ? 1 : 8,
                        Conditions.KIND);
        Case conditioned = scenario.withConditions(conditions(family, scenario, rate));
        int slots = conditioned.slots(rate, Job.FITTING);
        return conditioned.withStart(
                Arrays.stream(job.least(rate, Job.FITTING))
                        .map(each -> family == Family.SHARED_PROCESSORS ? slots : each)
                        .boxed()
                        .toList());
    }

    private static double hours(Family family) {
        return switch (family) {
            case WEEK -> WEEK;
            case TWO_DAYS_UP -> 54;
            case SILENT_NIGHTS, FAILING_RESTARTS, SHARED_PROCESSORS -> 24;
            case BACKLOG_OF_HOURS, DEARER_RECORDS, THIRTY_VERTICES -> 8;
            default -> 12;
        };
    }

    private static Load load(Family family, double rate, Random random) {
        double hour = Load.HOUR;
        return switch (family) {
            case BURSTS, BURSTS_WITHOUT_BACKLOG ->
                    Load.bursts(rate, 3 * rate, hours(family), random);
            case SAWTOOTH -> Load.sawtooth(rate, 3.5 * rate, 90);
            case SILENT_NIGHTS -> Load.silent(Load.day(rate, 3 * rate), 4, 9);
            case WEEK -> Load.week(Load.day(rate, 3 * rate));
            case BLACK_FRIDAY ->
                    seconds ->
                            seconds < 6 * hour
                                    ? Load.ramp(rate, 6 * rate, 2 * hour, 2.5 * hour).at(seconds)
                                    : Load.ramp(6 * rate, rate, 6 * hour, 7 * hour).at(seconds);
            case BACKLOG_OF_HOURS -> Load.steady(rate);
            case BATCHES -> Load.batches(2 * rate, 4);
            case DEARER_RECORDS -> Load.steady(rate);
            case NOISY_NEIGHBOUR -> Load.steady(rate);
            case SILENT_JOBMANAGER, THIRTY_VERTICES -> Load.step(rate, 2.5 * rate, 2.2 * hour);
            case FAILING_RESTARTS, SHARED_PROCESSORS -> Load.day(rate, 3 * rate);
            case FULL_CLUSTER -> Load.step(rate, 2 * rate, hour);
            case TWO_DAYS_UP -> Load.ramp(rate, 4 * rate, 2 * hour, 50 * hour);
            case LIMITED_SINK, THREE_PARTITIONS, HOT_KEY, CONTENTION ->
                    Load.ramp(rate, 3 * rate, hour, 5 * hour);
        };
    }

    private static Job job(Family family, double rate, Random random) {
        boolean isContended = family == Family.CONTENTION || family == Family.TWO_DAYS_UP;
        JobDraft draft = new JobDraft(isContended ? Trait.CONTENDED : Trait.PLAIN, random);
        if (family == Family.THREE_PARTITIONS) {
            draft.sourceOfFewPartitions(rate / 2, 3);
        } else {
            draft.source(1, 3000);
        }
        if (family == Family.HOT_KEY) {
            draft.vertexWithHotKey(1000, 500 / rate, draft.from(0, REBALANCE, 1));
        } else {
            draft.vertex(1000, draft.from(0, REBALANCE, 1));
        }
        switch (family) {
            case LIMITED_SINK -> draft.slowSink(rate, draft.from(1, REBALANCE, 0.5));
            case THIRTY_VERTICES -> {
                for (int i = 1; i < 29; i++) {
                    draft.vertex(800 + 40 * i, draft.from(i, REBALANCE, 1));
                }
            }
            default -> draft.vertex(2000, draft.from(1, REBALANCE, 0.5));
        }
        return draft.job();
    }

    private static Conditions conditions(Family family, Case scenario, double rate) {
        Conditions kind = Conditions.KIND.with().noiseMemory(120).build();
        double hour = Load.HOUR;
        return switch (family) {
            case BACKLOG_OF_HOURS -> kind.withBacklog(3 * hour);
            case DEARER_RECORDS -> kind.withSpeed(seconds -> seconds < 3 * hour ? 1 : 0.5);
            case NOISY_NEIGHBOUR -> kind.withSpeed(seconds -> 0.8 + 0.2 * Math.cos(seconds / 400));
            case SILENT_JOBMANAGER -> kind.withSilence(12);
            case FAILING_RESTARTS -> kind.withFailing(0.3);
            case FULL_CLUSTER -> {
                int slots = scenario.slots(rate, Job.FITTING);
                yield kind.withRoom(seconds -> seconds < 5 * hour ? slots + 2 : 10_000);
            }
            case SHARED_PROCESSORS -> kind.withCoresEach(0.6);
            default -> kind;
        };
    }
}
