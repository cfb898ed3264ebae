// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.job;

import static io.sluice.rules.review.Problems.at;

import io.sluice.api.json.FieldProblem;
import io.sluice.rules.config.option.CheckedOptions;
import io.sluice.rules.config.option.Option;
import io.sluice.rules.config.option.OptionType;
import io.sluice.rules.config.option.SnapshotOptions;
import io.sluice.rules.config.value.Period;
import io.sluice.rules.review.JobReview;
import io.sluice.rules.review.Rule;
import java.util.ArrayList;
import java.util.List;

/** What the values of options have to look like. */
final class OptionRules {
    private static final List<Option<?>> INTERVALS =
            List.of(
                    SnapshotOptions.PERIODIC_SAVEPOINT_INTERVAL,
                    SnapshotOptions.PERIODIC_CHECKPOINT_INTERVAL);

    static final List<Rule<JobReview>> ALL =
            List.of(
                    new Rule<>(
                            "config-value-type",
                            "spec.flinkConfiguration",
                            "An option that can't be read would silently fall back to its default.",
                            OptionRules::types),
                    new Rule<>(
                            "periodic-interval-syntax",
                            "spec.flinkConfiguration",
                            "If the period can't be read, nothing is triggered.",
                            OptionRules::intervals));

    private OptionRules() {}

    private static List<FieldProblem> types(JobReview review) {
        List<FieldProblem> problems = new ArrayList<>();
        CheckedOptions.TYPES.forEach(
                (key, type) ->
                        review.effective()
                                .text(key)
                                .flatMap(type::complaint)
                                .ifPresent(text -> problems.add(at(review, key, text))));
        return problems;
    }

    private static List<FieldProblem> intervals(JobReview review) {
        return INTERVALS.stream()
                .map(Option::key)
                .filter(
                        key ->
                                review.effective()
                                        .text(key)
                                        .filter(
                                                value ->
                                                        OptionType.DURATION.read(value).isEmpty()
                                                                && !Period.isCron(value))
                                        .isPresent())
                .map(
                        key ->
                                at(
                                        review,
                                        key,
                                        "is neither a duration like '1 h' nor a Quartz cron"
                                                + " expression like '0 0 * * * ?'"))
                .toList();
    }
}
