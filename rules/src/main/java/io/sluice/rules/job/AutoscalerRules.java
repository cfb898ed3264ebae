// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.job;

import static io.sluice.rules.review.Problems.at;
import static io.sluice.rules.review.Problems.when;

import io.sluice.api.json.FieldProblem;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.AutoscalerOptions;
import io.sluice.rules.config.option.Option;
import io.sluice.rules.config.option.OptionType;
import io.sluice.rules.config.option.ProcessOptions;
import io.sluice.rules.config.value.FlinkDuration;
import io.sluice.rules.config.value.Period;
import io.sluice.rules.review.JobReview;
import io.sluice.rules.review.Problems;
import io.sluice.rules.review.Rule;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** What the autoscaler can work with. None of it is looked at while it is off. */
final class AutoscalerRules {
    private static final int MOST_PARTS = 2;

    /**
     * A number and its limits, both inclusive.
     *
     * @param applies whether the feature it belongs to is on
     */
    private record Limit(
            String key,
            Function<Options, Double> least,
            Function<Options, Double> most,
            Predicate<Options> applies) {
        static Limit of(Option<?> option, double least, double most) {
            return new Limit(option.key(), _ -> least, _ -> most, _ -> true);
        }

        Limit onlyWith(Option<Boolean> feature) {
            return new Limit(key, least, most, options -> options.get(feature));
        }
    }

    private static final List<Limit> LIMITS =
            List.of(
                    Limit.of(AutoscalerOptions.SCALE_DOWN_MAX_FACTOR, 0, Double.POSITIVE_INFINITY),
                    Limit.of(AutoscalerOptions.SCALE_UP_MAX_FACTOR, 0, Double.POSITIVE_INFINITY),
                    Limit.of(AutoscalerOptions.UTILIZATION_TARGET, 0, 1),
                    Limit.of(AutoscalerOptions.UTILIZATION_BOUNDARY, 0, Double.POSITIVE_INFINITY),
                    new Limit(
                            AutoscalerOptions.UTILIZATION_MAX.key(),
                            AutoscalerRules::target,
                            _ -> 1.0,
                            _ -> true),
                    new Limit(
                            AutoscalerOptions.UTILIZATION_MIN.key(),
                            _ -> 0.0,
                            AutoscalerRules::target,
                            _ -> true),
                    Limit.of(AutoscalerOptions.GC_PRESSURE_THRESHOLD, 0, 1),
                    Limit.of(AutoscalerOptions.HEAP_USAGE_THRESHOLD, 0, 1),
                    Limit.of(AutoscalerOptions.OBSERVED_SCALABILITY_COEFFICIENT_MIN, 0.01, 1)
                            .onlyWith(AutoscalerOptions.OBSERVED_SCALABILITY),
                    Limit.of(AutoscalerOptions.EFFECTIVENESS_THRESHOLD, 0, 1)
                            .onlyWith(AutoscalerOptions.EFFECTIVENESS_DETECTION),
                    Limit.of(AutoscalerOptions.MEMORY_TUNING_OVERHEAD, 0, 1)
                            .onlyWith(AutoscalerOptions.MEMORY_TUNING));

    static final List<Rule<JobReview>> ALL =
            List.of(
                    new Rule<>(
                            "autoscaler-type",
                            "spec.flinkConfiguration",
                            "The autoscaler would silently use its default instead.",
                            whileOn(AutoscalerRules::types)),
                    new Rule<>(
                            "autoscaler-range",
                            "spec.flinkConfiguration",
                            "The autoscaler can't use a target, factor or share outside of these"
                                    + " limits.",
                            whileOn(AutoscalerRules::ranges)),
                    new Rule<>(
                            "excluded-periods-parts",
                            "spec.flinkConfiguration",
                            "A period is a daily range, a cron expression, or one of each.",
                            whileOn(AutoscalerRules::parts)),
                    new Rule<>(
                            "excluded-periods-syntax",
                            "spec.flinkConfiguration",
                            "A period that can't be read excludes nothing.",
                            whileOn(AutoscalerRules::syntax)),
                    new Rule<>(
                            "excluded-periods-kinds",
                            "spec.flinkConfiguration",
                            "Joined periods exclude only the time that they share, and two daily"
                                    + " ranges or two cron expressions rarely share any.",
                            whileOn(AutoscalerRules::kinds)),
                    new Rule<>(
                            "window-covers-reconcile",
                            "spec.flinkConfiguration",
                            "The autoscaler reads the metrics of a job once in each of the"
                                    + " operator's reconcile intervals. A shorter window holds"
                                    + " fewer than two of these reads, and the job is never"
                                    + " scaled.",
                            whileOn(AutoscalerRules::window)));

    private AutoscalerRules() {}

    private static Function<JobReview, List<FieldProblem>> whileOn(
            Function<JobReview, List<FieldProblem>> check) {
        return review ->
                review.effective().get(AutoscalerOptions.ENABLED) ? check.apply(review) : List.of();
    }

    private static List<FieldProblem> types(JobReview review) {
        return applying(review)
                .filter(limit -> number(review.effective(), limit.key()).isEmpty())
                .map(limit -> at(review, limit.key(), "must be a number like 0.7"))
                .toList();
    }

    private static List<FieldProblem> ranges(JobReview review) {
        List<FieldProblem> problems = new ArrayList<>();
        applying(review)
                .forEach(
                        limit -> {
                            double least = limit.least().apply(review.effective());
                            double most = limit.most().apply(review.effective());
                            number(review.effective(), limit.key())
                                    .filter(value -> value < least || value > most)
                                    .ifPresent(
                                            _ ->
                                                    problems.add(
                                                            at(
                                                                    review,
                                                                    limit.key(),
                                                                    range(least, most))));
                        });
        return problems;
    }

    private static Stream<Limit> applying(JobReview review) {
        return LIMITS.stream()
                .filter(limit -> review.effective().text(limit.key()).isPresent())
                .filter(limit -> limit.applies().test(review.effective()));
    }

    private static String range(double least, double most) {
        return Double.isInfinite(most)
                ? "must be at least " + least
                : "must be between " + least + " and " + most;
    }

    private static double target(Options options) {
        return options.get(AutoscalerOptions.UTILIZATION_TARGET);
    }

    private static Optional<Double> number(Options options, String key) {
        return options.text(key).flatMap(OptionType.DECIMAL::read);
    }

    private static List<FieldProblem> parts(JobReview review) {
        return periods(
                review,
                parts -> parts.size() > MOST_PARTS,
                "has more than two parts; join one daily range and one cron expression by &&, and"
                        + " separate periods by ;");
    }

    private static List<FieldProblem> syntax(JobReview review) {
        return periods(
                review,
                parts -> parts.stream().anyMatch(part -> Period.of(part) == Period.NONE),
                "is neither a daily range like 09:30-18:00 nor a Quartz cron expression of 6 or 7"
                        + " fields like '* * 9-11 * * ?'");
    }

    private static List<FieldProblem> kinds(JobReview review) {
        return periods(
                review,
                parts ->
                        parts.size() == MOST_PARTS
                                && Period.of(parts.getFirst()) != Period.NONE
                                && Period.of(parts.getFirst()) == Period.of(parts.getLast()),
                "joins two of a kind; join a daily range and a cron expression, or separate periods"
                        + " by ;");
    }

    private static List<FieldProblem> window(JobReview review) {
        String interval =
                review.granted()
                        .text(ProcessOptions.RECONCILE_INTERVAL.key())
                        .filter(text -> FlinkDuration.parse(text).isPresent())
                        .orElseGet(ProcessOptions.RECONCILE_INTERVAL::defaultText);
        Duration window = review.effective().get(AutoscalerOptions.METRICS_WINDOW);
        return when(
                FlinkDuration.parse(interval)
                        .filter(pause -> window.compareTo(pause) < 0)
                        .isPresent(),
                at(
                        review,
                        AutoscalerOptions.METRICS_WINDOW.key(),
                        "must be at least "
                                + interval
                                + ", the operator's "
                                + ProcessOptions.RECONCILE_INTERVAL.key()
                                + "; make it several times as long"));
    }

    private static List<FieldProblem> periods(
            JobReview review, Predicate<List<String>> isWrong, String message) {
        return review.effective().get(AutoscalerOptions.EXCLUDED_PERIODS).stream()
                .filter(period -> isWrong.test(List.of(period.split("&&", -1))))
                .map(
                        period ->
                                new FieldProblem(
                                        Problems.configurationPath(
                                                AutoscalerOptions.EXCLUDED_PERIODS.key()),
                                        period,
                                        message))
                .toList();
    }
}
