// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import static org.apache.flink.autoscaler.topology.ShipStrategy.HASH;
import static org.apache.flink.autoscaler.topology.ShipStrategy.REBALANCE;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.stream.Stream;

/** Every trace with jobs of every kind, all from one seed. */
final class Cases {
    static final int FIRST_HARD = 1000;

    private static final long SEED = 20_261_121;

    /**
     * With these the bare engine rescales a job ten times a day; its users report more than twenty
     * (FLINK-36018).
     */
    private static final double SWING = 0.4;

    private static final double SWING_MEMORY = 1200;
    private static final List<Shape> SHAPES = List.of(Shape.values());
    private static final List<Trait> TRAITS =
            List.copyOf(EnumSet.complementOf(EnumSet.of(Trait.CONTENDED)));

    private enum Shape {
        PIPELINE,
        LONG_PIPELINE,
        DIAMOND,
        TWO_SOURCES
    }

    private enum Trace {
        TOO_SMALL,
        TOO_LARGE,
        FITTING,
        STEP_UP,
        STEP_DOWN,
        RAMP_UP,
        RAMP_DOWN,
        DAY,
        SPIKES,
        OUTAGE,
        WANDERING
    }

    /** What one vertex or source keeps from being told, or from being done. */
    private enum Disturbance {
        /** A vertex that works by its timers is busy while no record comes in. */
        TIMERS,
        /** A sink of one of two pipelines can't do what comes in, with any parallelism. */
        SLOW_SINK,
        /** No source tells how many records wait. */
        NO_BACKLOG
    }

    private Cases() {}

    /** The kind, the hard and the harsh ones. */
    static List<Case> all() {
        return Stream.of(kind(), hard(), HarshCases.all()).flatMap(List::stream).toList();
    }

    /** 66 of them: eleven traces by six traits, with the four shapes in turns. */
    private static List<Case> kind() {
        List<Case> cases = new ArrayList<>();
        for (Trace trace : Trace.values()) {
            for (Trait trait : TRAITS) {
                int number = cases.size();
                cases.add(of(trace, trait, SHAPES.get(number % SHAPES.size()), number));
            }
        }
        return List.copyOf(cases);
    }

    /** Twelve of them: four traces by three hardships. */
    private static List<Case> hard() {
        List<Case> cases = new ArrayList<>();
        List<Trace> traces = List.of(Trace.TOO_SMALL, Trace.STEP_UP, Trace.RAMP_UP, Trace.DAY);
        for (Disturbance hardship : Disturbance.values()) {
            for (Trace trace : traces) {
                cases.add(of(trace, hardship, FIRST_HARD + cases.size()));
            }
        }
        return cases;
    }

    private static Case of(Trace trace, Disturbance hardship, int number) {
        Random random = new Random(SEED + number);
        double rate = 2_000 + random.nextInt(3_000);
        LoadProfile profile = profile(trace, rate, random);
        JobDraft draft = new JobDraft(Trait.PLAIN, random);
        draft.source(hardship == Disturbance.SLOW_SINK ? 0.7 : 1, 3000);
        draft.vertex(1000, draft.from(0, HASH, 1));
        switch (hardship) {
            case TIMERS -> draft.byTimers(draft.from(1, HASH, 0));
            case SLOW_SINK -> {
                draft.source(0.3, 3000);
                draft.slowSink(0.3 * rate * 1.2, draft.from(2, REBALANCE, 1));
            }
            case NO_BACKLOG -> draft.vertex(2000, draft.from(1, REBALANCE, 0.5));
        }
        Job job = draft.job();
        boolean inPlace = number % 2 == 0;
        List<Integer> start = scaled(job.least(profile.start(), Job.FITTING), profile.size());
        int slots = start.stream().mapToInt(Integer::intValue).max().orElse(1);
        return new Case(
                (trace + " " + hardship + (inPlace ? " in place" : " by upgrade"))
                        .toLowerCase(Locale.ROOT)
                        .replace('_', '-'),
                job,
                profile.load(),
                profile.hours(),
                -1,
                hardship == Disturbance.TIMERS ? start.stream().map(_ -> slots).toList() : start,
                inPlace ? 3 : 90,
                inPlace,
                hardship != Disturbance.NO_BACKLOG,
                0.03,
                number,
                Case.AS_THE_SERVICE,
                1,
                Conditions.KIND);
    }

    private static Case of(Trace trace, Trait trait, Shape shape, int number) {
        Random random = new Random(SEED + number);
        double rate = 2_000 + random.nextInt(3_000);
        Job job = job(shape, trait, random);
        boolean inPlace = number % 2 == 0;
        double restart = inPlace ? 3 : 90;
        double noise = trait == Trait.NOISY ? 0.15 : 0.03;
        String name =
                (trace + " " + trait + " " + shape + (inPlace ? " in place" : " by upgrade"))
                        .toLowerCase(Locale.ROOT)
                        .replace('_', '-');
        LoadProfile profile = profile(trace, rate, random);
        return new Case(
                name,
                job,
                profile.load(),
                profile.hours(),
                profile.settled(),
                scaled(job.least(profile.start(), Job.FITTING), profile.size()),
                restart,
                inPlace,
                true,
                noise,
                number,
                Case.AS_THE_SERVICE,
                1,
                Conditions.KIND);
    }

    /**
     * What a trace does.
     *
     * @param settled see {@link Case}
     * @param start the load that the job is sized for at first
     * @param size by which factor it is sized wrong
     */
    private record LoadProfile(Load load, double hours, double settled, double start, double size) {
        /** Of a job that fits at first. */
        LoadProfile(Load load, double hours, double settled, double start) {
            this(load, hours, settled, start, 1);
        }
    }

    private static LoadProfile profile(Trace trace, double rate, Random random) {
        double high = 3 * rate;
        double hour = Load.HOUR;
        return switch (trace) {
            case TOO_SMALL -> new LoadProfile(Load.steady(rate), 9, 0, rate, 0.25);
            case TOO_LARGE -> new LoadProfile(Load.steady(rate), 9, 0, rate, 4);
            case FITTING -> new LoadProfile(Load.steady(rate), 24, 0, rate);
            case STEP_UP -> new LoadProfile(Load.step(rate, high, 2 * hour), 11, 2, rate);
            case STEP_DOWN -> new LoadProfile(Load.step(high, rate, 2 * hour), 11, 2, high);
            case RAMP_UP -> new LoadProfile(Load.ramp(rate, high, hour, 5 * hour), 14, 5, rate);
            case RAMP_DOWN -> new LoadProfile(Load.ramp(high, rate, hour, 5 * hour), 14, 5, high);
            case DAY -> new LoadProfile(Load.day(rate, high), 48, -1, rate);
            case SPIKES ->
                    new LoadProfile(
                            Load.spikes(rate, 2 * rate, 4 + random.nextInt(6)), 12, -1, rate);
            case OUTAGE ->
                    new LoadProfile(Load.outage(rate, 2 * hour, 3 * hour, 60), 12, 3.1, rate);
            case WANDERING ->
                    new LoadProfile(
                            Load.wandering(rate, SWING, SWING_MEMORY, 48, random), 48, -1, rate);
        };
    }

    private static List<Integer> scaled(int[] parallelisms, double factor) {
        return Arrays.stream(parallelisms)
                .map(each -> Math.clamp((long) Math.ceil(each * factor), 1, Node.MAX_PARALLELISM))
                .boxed()
                .toList();
    }

    private static Job job(Shape shape, Trait trait, Random random) {
        JobDraft draft = new JobDraft(trait, random);
        switch (shape) {
            case PIPELINE -> {
                draft.source(1, 3000);
                draft.vertex(1000, draft.from(0, HASH, 1));
                draft.vertex(2000, draft.from(1, REBALANCE, 0.5));
            }
            case LONG_PIPELINE -> {
                draft.source(1, 2500);
                for (int i = 0; i < 4; i++) {
                    draft.vertex(
                            900 + 500.0 * i, draft.from(i, i % 2 == 0 ? HASH : REBALANCE, 0.9));
                }
            }
            case DIAMOND -> {
                draft.source(1, 3000);
                draft.vertex(800, draft.from(0, HASH, 0.6));
                draft.vertex(1200, draft.from(0, REBALANCE, 0.4));
                draft.vertex(1500, draft.from(1, HASH, 1), draft.from(2, HASH, 1));
            }
            case TWO_SOURCES -> {
                draft.source(0.7, 2000);
                draft.source(0.3, 1000);
                draft.vertex(900, draft.from(0, HASH, 1), draft.from(1, HASH, 1));
                draft.vertex(2500, draft.from(2, REBALANCE, 1));
            }
        }
        return draft.job();
    }
}
