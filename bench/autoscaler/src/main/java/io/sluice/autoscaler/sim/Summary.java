// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.ToDoubleFunction;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All cases in one table, and the bars they are held against. */
record Summary(List<Comparison> comparisons) {
    private static final int MOST_STEPS = 3;
    private static final double MOST_OVER = 0.15;
    private static final double MOST_LAGGING = 0.7;
    private static final double MOST_RESCALES = 0.6;
    private static final double MOST_PAID = 0.85;
    private static final double MOST_USELESS = 1.5;

    /** Seconds of load; a shorter lag is none. */
    private static final double LEAST_LAG = 60;

    /** A bar, what was reached, and whether that is enough. */
    record Bar(String what, String reached, boolean met) {}

    Summary {
        comparisons = List.copyOf(comparisons);
    }

    /** Those of the kind and the hard traces, and those of the harsh ones. */
    List<Bar> bars() {
        List<Bar> bars =
                new ArrayList<>(of(EnumSet.of(Case.Group.KIND, Case.Group.HARD)).barsWhereKind());
        Summary harsh = of(EnumSet.of(Case.Group.HARSH));
        if (!harsh.comparisons().isEmpty()) {
            bars.addAll(harsh.barsAgainst("the bare engine", Comparison::bareScore));
            bars.addAll(harsh.barsAgainst("the tuned engine", Comparison::tunedScore));
            bars.addAll(harsh.barsWhereHarsh());
        }
        return bars;
    }

    private Summary of(Set<Case.Group> groups) {
        return new Summary(
                comparisons.stream()
                        .filter(each -> groups.contains(each.scenario().group()))
                        .toList());
    }

    private List<Bar> barsAgainst(String whose, Function<Comparison, Score> other) {
        List<Comparison> slow =
                comparisons.stream()
                        .filter(
                                each ->
                                        each.oursScore().worstLag()
                                                > 2
                                                        * Math.max(
                                                                LEAST_LAG,
                                                                other.apply(each).worstLag()))
                        .toList();
        return List.of(
                share("slot hours", whose, MOST_PAID, other, Score::paid),
                share("rescales", whose, MOST_RESCALES, other, Score::rescales),
                share("hours of lag", whose, MOST_LAGGING, other, Score::lagging),
                share("mean lag, s", whose, 1, other, score -> score.lag() / comparisons.size()),
                new Bar(
                        "worst lag of a trace: at most twice that of " + whose,
                        slow.isEmpty()
                                ? "all"
                                : "not " + names(slow.stream().map(Comparison::scenario)),
                        slow.isEmpty()));
    }

    private List<Bar> barsWhereHarsh() {
        List<Comparison> useless =
                comparisons.stream()
                        .filter(each -> each.oursScore().useless() > MOST_USELESS)
                        .toList();
        int unexplained = sum(Comparison::oursScore, Score::unexplained);
        return List.of(
                new Bar(
                        "slots where none would do: at most 1.5 times those that help",
                        useless.isEmpty()
                                ? "all"
                                : "not " + names(useless.stream().map(Comparison::scenario)),
                        useless.isEmpty()),
                new Bar(
                        "reversals without a change of load or lag: 0",
                        unexplained
                                + " (bare "
                                + sum(Comparison::bareScore, Score::unexplained)
                                + ")",
                        unexplained == 0));
    }

    private static String names(Stream<Case> cases) {
        return cases.map(Case::name).collect(Collectors.joining(", "));
    }

    private Bar share(
            String what,
            String whose,
            double most,
            Function<Comparison, Score> other,
            ToDoubleFunction<Score> value) {
        double ours = total(Comparison::oursScore, value);
        double theirs = total(other, value);
        return new Bar(
                "%s: at most %s of %s".formatted(what, most, whose),
                "%s of %s (%.2f)".formatted(number(ours), number(theirs), ours / theirs),
                ours <= most * theirs);
    }

    private List<Bar> barsWhereKind() {
        double over = steadyOver(Comparison::oursScore);
        int ours = sum(Comparison::oursScore, Score::rescales);
        int bare = sum(Comparison::bareScore, Score::rescales);
        if (comparisons.isEmpty()) {
            return List.of();
        }
        List<Integer> steps = steps(Comparison::oursScore);
        Summary kind = of(EnumSet.of(Case.Group.KIND));
        int oursKind = kind.sum(Comparison::oursScore, Score::rescales);
        int bareKind = kind.sum(Comparison::bareScore, Score::rescales);
        double lagging = total(Comparison::oursScore, Score::lagging);
        double bareLagging = total(Comparison::bareScore, Score::lagging);
        double lag = mean(Comparison::oursScore, Score::lag);
        double bareLag = mean(Comparison::bareScore, Score::lag);
        int turned =
                comparisons.stream()
                        .filter(each -> each.scenario().isNoiseAlone())
                        .mapToInt(each -> each.oursScore().reversals())
                        .sum();
        return List.of(
                new Bar(
                        "median steps to within one of the best: 1",
                        text(steps.get(steps.size() / 2)),
                        steps.get(steps.size() / 2) <= 1),
                new Bar(
                        "most steps: " + MOST_STEPS,
                        text(steps.getLast()),
                        steps.getLast() <= MOST_STEPS),
                new Bar(
                        "slots too many at steady load: below 15 %",
                        percent(over)
                                + " (bare "
                                + percent(steadyOver(Comparison::bareScore))
                                + ")",
                        over < MOST_OVER),
                new Bar(
                        "rescales: at most 0.6 of the bare engine's",
                        ours + " of " + bare,
                        ours <= MOST_RESCALES * bare),
                new Bar(
                        "rescales of jobs that can be judged: at most half",
                        oursKind + " of " + bareKind,
                        oursKind * 2 <= bareKind),
                new Bar(
                        "lag: no more than the bare engine's",
                        number(lag) + " s of " + number(bareLag) + " s",
                        lag <= bareLag),
                new Bar(
                        "hours with more than two minutes of lag: at most 0.7 of the bare engine's",
                        number(lagging) + " of " + number(bareLagging),
                        lagging <= MOST_LAGGING * bareLagging),
                new Bar("reversals under noise alone: 0", Integer.toString(turned), turned == 0));
    }

    String text() {
        StringBuilder text = new StringBuilder();
        text.append(
                "%-40s %-10s %-16s %-20s %-20s %-12s %-14s %-18s %-18s %s%n"
                        .formatted(
                                "ours | bare engine | tuned engine",
                                "steps",
                                "over at steady",
                                "paid, slot h",
                                "under, slot h",
                                "turned",
                                "rescales",
                                "lagging, h",
                                "lag, s",
                                "worst lag, s"));
        for (Comparison each : comparisons) {
            text.append(row(each));
        }
        text.append('\n');
        for (Bar bar : bars()) {
            text.append(
                    "%-8s %-50s %s%n"
                            .formatted(bar.met() ? "met" : "MISSED", bar.what(), bar.reached()));
        }
        return text.toString();
    }

    private static String row(Comparison each) {
        return "%-40s %-10s %-16s %-20s %-20s %-12s %-14s %-18s %-18s %s%n"
                .formatted(
                        each.scenario().name(),
                        all(each, score -> score.steps().map(Summary::text).orElse("-")),
                        all(each, score -> score.steadyOver().map(Summary::percent).orElse("-")),
                        all(each, score -> number(score.paid())),
                        all(each, score -> number(score.under())),
                        all(each, score -> Integer.toString(score.reversals())),
                        all(each, score -> Integer.toString(score.rescales())),
                        all(each, score -> number(score.lagging())),
                        all(each, score -> number(score.lag())),
                        all(each, score -> number(score.worstLag())));
    }

    private static String all(Comparison each, Function<Score, String> of) {
        String two = of.apply(each.oursScore()) + " | " + of.apply(each.bareScore());
        return each.scenario().group() == Case.Group.HARSH
                ? two + " | " + of.apply(each.tunedScore())
                : two;
    }

    private List<Integer> steps(Function<Comparison, Score> of) {
        return scores(of).map(Score::steps).flatMap(Optional::stream).sorted().toList();
    }

    private double steadyOver(Function<Comparison, Score> of) {
        return scores(of)
                .map(Score::steadyOver)
                .flatMap(Optional::stream)
                .collect(Collectors.averagingDouble(Double::doubleValue));
    }

    private int sum(Function<Comparison, Score> of, ToIntFunction<Score> value) {
        return scores(of).mapToInt(value).sum();
    }

    private double total(Function<Comparison, Score> of, ToDoubleFunction<Score> value) {
        return scores(of).mapToDouble(value).sum();
    }

    private double mean(Function<Comparison, Score> of, ToDoubleFunction<Score> value) {
        return scores(of).mapToDouble(value).average().orElse(0);
    }

    private Stream<Score> scores(Function<Comparison, Score> of) {
        return comparisons.stream().map(of);
    }

    static String text(int steps) {
        return steps == Score.NEVER ? "never" : Integer.toString(steps);
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.0f %%", share * 100);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, value < 10 ? "%.1f" : "%.0f", value);
    }
}
