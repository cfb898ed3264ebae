// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** All cases in one table, and the bars they are held against. */
record Summary(List<Comparison> comparisons) {
    private static final int MOST_STEPS = 3;
    private static final double MOST_OVER = 0.15;
    private static final double MOST_LAGGING = 0.7;
    private static final double MOST_RESCALES = 0.6;

    /** A bar, what was reached, and whether that is enough. */
    record Bar(String what, String reached, boolean met) {}

    Summary {
        comparisons = List.copyOf(comparisons);
    }

    List<Bar> bars() {
        List<Integer> steps = steps(Comparison::oursScore);
        double over = steadyOver(Comparison::oursScore);
        int ours = sum(Comparison::oursScore, Score::rescales);
        int bare = sum(Comparison::bareScore, Score::rescales);
        Summary kind =
                new Summary(
                        comparisons.stream().filter(each -> !each.scenario().isHard()).toList());
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
                "%-58s %s%n"
                        .formatted(
                                "ours | bare engine",
                                "steps      over at steady   over, slot h   under, slot h"
                                        + "   turned   rescales   lagging, h   lag, s        worst"
                                        + " lag, s"));
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
        Score ours = each.oursScore();
        Score bare = each.bareScore();
        return "%-58s %-10s %-16s %-14s %-15s %-8s %-10s %-12s %-13s %s%n"
                .formatted(
                        each.scenario().name(),
                        pair(ours, bare, score -> score.steps().map(Summary::text).orElse("-")),
                        pair(
                                ours,
                                bare,
                                score -> score.steadyOver().map(Summary::percent).orElse("-")),
                        pair(ours, bare, score -> number(score.over())),
                        pair(ours, bare, score -> number(score.under())),
                        pair(ours, bare, score -> Integer.toString(score.reversals())),
                        pair(ours, bare, score -> Integer.toString(score.rescales())),
                        pair(ours, bare, score -> number(score.lagging())),
                        pair(ours, bare, score -> number(score.lag())),
                        pair(ours, bare, score -> number(score.worstLag())));
    }

    private static String pair(Score ours, Score bare, Function<Score, String> of) {
        return of.apply(ours) + " | " + of.apply(bare);
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

    private int sum(Function<Comparison, Score> of, Function<Score, Integer> value) {
        return scores(of).mapToInt(value::apply).sum();
    }

    private double total(Function<Comparison, Score> of, Function<Score, Double> value) {
        return scores(of).mapToDouble(value::apply).sum();
    }

    private double mean(Function<Comparison, Score> of, Function<Score, Double> value) {
        return scores(of).mapToDouble(value::apply).average().orElse(0);
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
