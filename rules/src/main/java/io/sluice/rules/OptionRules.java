// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules;

import static io.sluice.rules.Problems.at;

import io.sluice.api.FieldProblem;
import io.sluice.rules.config.OptionType;
import io.sluice.rules.config.value.Period;
import java.util.ArrayList;
import java.util.List;

/** What the values of options have to look like. */
final class OptionRules {
    private static final List<String> INTERVALS =
            List.of(
                    "kubernetes.operator.periodic.savepoint.interval",
                    "kubernetes.operator.periodic.checkpoint.interval");

    static final List<Rule<JobReview>> ALL =
            List.of(
                    new Rule<>(
                            "config-value-type",
                            "spec.flinkConfiguration",
                            "An option that cannot be read would silently fall back to its"
                                    + " default.",
                            OptionRules::types),
                    new Rule<>(
                            "periodic-interval-syntax",
                            "spec.flinkConfiguration",
                            "A period that cannot be read never comes.",
                            OptionRules::intervals));

    private OptionRules() {}

    private static List<FieldProblem> types(JobReview review) {
        List<FieldProblem> problems = new ArrayList<>();
        OptionType.KNOWN.forEach(
                (key, type) ->
                        review.effective()
                                .text(key)
                                .filter(value -> !type.accepts(value))
                                .ifPresent(_ -> problems.add(at(review, key, type.complaint()))));
        return problems;
    }

    private static List<FieldProblem> intervals(JobReview review) {
        return INTERVALS.stream()
                .filter(
                        key ->
                                review.effective()
                                        .text(key)
                                        .filter(
                                                value ->
                                                        !OptionType.DURATION.accepts(value)
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
