// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.bluegreen;

import static io.sluice.rules.review.Problems.at;
import static io.sluice.rules.review.Problems.missing;
import static io.sluice.rules.review.Problems.when;

import io.sluice.api.json.FieldProblem;
import io.sluice.rules.config.AnalysisQueries;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.BlueGreenOptions;
import io.sluice.rules.config.option.Option;
import io.sluice.rules.review.Rule;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What the analysis of a pair has to satisfy, and what is worth knowing of it. */
final class AnalysisRules {
    private static final String CONFIGURATION = "spec.configuration";
    private static final int MOST_QUERIES = 10;

    static final Rule<PairReview> QUERIES =
            new Rule<>(
                    "bluegreen-query",
                    CONFIGURATION,
                    "What Prometheus is asked, and where it is, only the operator's configuration"
                            + " says. A name that it does not define would check nothing.",
                    AnalysisRules::queries);

    static final List<Rule<PairReview>> ADVICE =
            List.of(
                    new Rule<>(
                            "bluegreen-operator-only-key",
                            CONFIGURATION,
                            "The operator reads it from its own configuration only.",
                            AnalysisRules::operatorOnly),
                    new Rule<>(
                            "bluegreen-analysis-too-short",
                            CONFIGURATION,
                            "A check aborts a transition only after it has failed at several looks"
                                    + " in a row, which have to fit into the analysis.",
                            AnalysisRules::tooShort),
                    new Rule<>(
                            "bluegreen-analysis-without-active-half",
                            CONFIGURATION,
                            "With stop-first the active half does not run during the analysis, so"
                                    + " that nothing can be compared with it.",
                            AnalysisRules::nothingToCompare));

    private AnalysisRules() {}

    private static List<FieldProblem> queries(PairReview review) {
        List<String> names = review.configuration().get(BlueGreenOptions.ANALYSIS_QUERIES);
        String path = pathOf(BlueGreenOptions.ANALYSIS_QUERIES);
        if (names.isEmpty()) {
            return List.of();
        }
        if (names.size() > MOST_QUERIES) {
            return List.of(
                    at(
                            path,
                            names.size() + " names",
                            "may have " + MOST_QUERIES + " names; leave some out"));
        }
        AnalysisQueries defined = AnalysisQueries.of(review.half().granted());
        Optional<FieldProblem> undefined =
                names.stream()
                        .filter(name -> defined.find(name).isEmpty())
                        .findFirst()
                        .map(name -> at(path, name, undefined(defined)));
        boolean hasAddress =
                new Options(review.half().granted())
                        .get(BlueGreenOptions.PROMETHEUS_ADDRESS)
                        .isPresent();
        return undefined
                .map(List::of)
                .orElseGet(
                        () ->
                                when(
                                        !hasAddress,
                                        at(
                                                path,
                                                String.join(", ", names),
                                                "can't be asked: the operator's configuration"
                                                        + " names no Prometheus; remove it, or have"
                                                        + " your platform team set "
                                                        + BlueGreenOptions.PROMETHEUS_ADDRESS
                                                                .key())));
    }

    private static String undefined(AnalysisQueries defined) {
        return defined.queries().isEmpty()
                ? "is not a query of the operator's configuration, which defines none; remove it,"
                        + " or have your platform team define it with "
                        + BlueGreenOptions.QUERY.key()
                : "is not a query of the operator's configuration; write one of "
                        + String.join(", ", defined.queries().keySet());
    }

    private static List<FieldProblem> operatorOnly(PairReview review) {
        return review.spec().configuration().entries().keySet().stream()
                .sorted()
                .filter(
                        key ->
                                BlueGreenOptions.of(key)
                                        .filter(option -> !option.ofResources())
                                        .isPresent())
                .map(
                        key ->
                                missing(
                                        CONFIGURATION + "[" + key + "]",
                                        "has no effect in a resource, because the operator reads it"
                                                + " from its own configuration; remove it"))
                .toList();
    }

    private static List<FieldProblem> tooShort(PairReview review) {
        Options options = review.configuration();
        Duration needed = looks(options);
        Duration duration = options.get(BlueGreenOptions.ANALYSIS_DURATION);
        return checks(review)
                .filter(_ -> duration.compareTo(needed) < 0)
                .map(
                        option ->
                                missing(
                                        pathOf(option),
                                        duration.isZero()
                                                ? "has no effect, because there is no analysis; set"
                                                        + " "
                                                        + BlueGreenOptions.ANALYSIS_DURATION.key()
                                                : "can hardly abort a transition: the analysis of "
                                                        + duration.toSeconds()
                                                        + " s ends before failure-limit looks; set "
                                                        + BlueGreenOptions.ANALYSIS_DURATION.key()
                                                        + " to "
                                                        + needed.toSeconds()
                                                        + " s or more"))
                .toList();
    }

    private static List<FieldProblem> nothingToCompare(PairReview review) {
        return checks(review)
                .filter(option -> !option.equals(BlueGreenOptions.ANALYSIS_QUERIES))
                .filter(_ -> !review.overlaps())
                .map(
                        option ->
                                missing(
                                        pathOf(option),
                                        "is never known with "
                                                + BlueGreenOptions.HANDOVER.key()
                                                + ": stop-first; remove it, or use a query"))
                .toList();
    }

    /** How long a check takes to fail for good. */
    private static Duration looks(Options options) {
        return options.get(BlueGreenOptions.ANALYSIS_INTERVAL)
                .multipliedBy(options.get(BlueGreenOptions.ANALYSIS_FAILURE_LIMIT));
    }

    /** How long the analysis takes at most: a check that does not pass at its end may do so yet. */
    static Duration longest(PairReview review) {
        Options options = review.configuration();
        Duration duration = options.get(BlueGreenOptions.ANALYSIS_DURATION);
        return duration.isZero() || checks(review).findAny().isEmpty()
                ? duration
                : duration.plus(looks(options));
    }

    /** Those that a resource asks for, of the checks that compare or ask. */
    private static Stream<Option<?>> checks(PairReview review) {
        return Stream.<Option<?>>of(
                        BlueGreenOptions.ANALYSIS_MAX_LAG_RATIO,
                        BlueGreenOptions.ANALYSIS_MAX_WATERMARK_DELAY,
                        BlueGreenOptions.ANALYSIS_QUERIES)
                .filter(review.configuration()::isSet);
    }

    private static String pathOf(Option<?> option) {
        return CONFIGURATION + "[" + option.key() + "]";
    }
}
