// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import io.sluice.api.status.bluegreen.TransitionCheck;
import io.sluice.operator.bluegreen.analysis.Figures;
import io.sluice.operator.bluegreen.analysis.Figures.Progress;
import io.sluice.operator.bluegreen.analysis.Figures.QueryAnswer;
import io.sluice.operator.bluegreen.analysis.Figures.Watermark;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.DoublePredicate;

/**
 * One of the checks of an analysis, with what a look has found.
 *
 * @param name as its option is called
 * @param value empty if it is not known
 * @param passes whether a value that is known is right
 * @param bound what passes, for people
 * @param why the value is not known, for people
 */
record Check(
        String name, Optional<Double> value, DoublePredicate passes, String bound, String why) {
    static final String RESTARTS = "max-restarts";
    static final String CHECKPOINTS = "min-checkpoints";
    private static final String LAG = "max-lag-ratio";
    private static final String WATERMARK = "max-watermark-delay";
    private static final String QUERY = "query.";
    private static final String SILENT = "Flink does not tell it.";

    /** When a check ends an analysis by its failure. */
    enum Weight {
        /** At the first look at which it fails. */
        AT_ONCE,
        /** At the first look after the analysis' time. */
        AT_THE_END,
        /** Once it has failed at several looks in a row. */
        IN_A_ROW
    }

    static Weight weight(String name) {
        return switch (name) {
            case RESTARTS -> Weight.AT_ONCE;
            case CHECKPOINTS -> Weight.AT_THE_END;
            default -> Weight.IN_A_ROW;
        };
    }

    /** Those that the options ask for. */
    static List<Check> all(PairOptions options, Figures figures) {
        List<Check> checks = new ArrayList<>();
        checks.add(
                new Check(
                        RESTARTS,
                        figures.restarts().map(Long::doubleValue),
                        it -> it <= options.maxRestarts(),
                        "at most " + options.maxRestarts(),
                        SILENT));
        if (options.minCheckpoints() > 0) {
            checks.add(
                    new Check(
                            CHECKPOINTS,
                            figures.checkpoints().map(Long::doubleValue),
                            it -> it >= options.minCheckpoints(),
                            "at least " + options.minCheckpoints(),
                            SILENT));
        }
        options.maxLagRatio().ifPresent(most -> checks.add(lag(options, most, figures)));
        options.maxWatermarkDelay().ifPresent(most -> checks.add(watermark(most, figures)));
        options.queries().forEach(name -> checks.add(query(name, figures)));
        return checks;
    }

    /** An active half without pending records counts as one with a single record. */
    private static Check lag(PairOptions options, double most, Figures figures) {
        Optional<Double> other = figures.other().pending();
        Optional<Double> active = figures.active().pending();
        boolean isTolerated = other.filter(it -> it <= options.toleratedLag()).isPresent();
        return new Check(
                LAG,
                other.flatMap(it -> active.map(than -> it / Math.max(than, 1))),
                it -> isTolerated || it <= most,
                "at most " + shown(most),
                "the pending records of "
                        + (other.isEmpty() ? "the other half" : "the active half")
                        + " are not known.");
    }

    /** A half that lacks a watermark somewhere is not ahead of one that has all. */
    private static Check watermark(Duration most, Figures figures) {
        Progress active = figures.active();
        Optional<Watermark> other =
                figures.other()
                        .watermark()
                        .filter(
                                it ->
                                        it.isEverywhere()
                                                || active.watermark()
                                                        .filter(Watermark::isEverywhere)
                                                        .isEmpty());
        return new Check(
                WATERMARK,
                other.flatMap(
                        it -> active.watermark().map(than -> (than.millis() - it.millis()) / 1000)),
                it -> it <= most.toMillis() / 1000.0,
                "at most " + shown(most.toMillis() / 1000.0) + " s",
                "the watermark of "
                        + (other.isEmpty() ? "the other half" : "the active half")
                        + " is not known.");
    }

    private static Check query(String name, Figures figures) {
        Optional<QueryAnswer> answer =
                figures.queries().stream().filter(it -> it.name().equals(name)).findFirst();
        Optional<Double> min = answer.flatMap(QueryAnswer::min);
        Optional<Double> max = answer.flatMap(QueryAnswer::max);
        List<String> bounds = new ArrayList<>();
        min.ifPresent(it -> bounds.add("at least " + shown(it)));
        max.ifPresent(it -> bounds.add("at most " + shown(it)));
        return new Check(
                QUERY + name,
                answer.flatMap(QueryAnswer::value),
                it -> min.filter(least -> it < least).or(() -> max.filter(m -> it > m)).isEmpty(),
                String.join(" and ", bounds),
                answer.map(QueryAnswer::why).orElse("it was not asked."));
    }

    /** What is on record of it after this look. */
    TransitionCheck after(Optional<TransitionCheck> before) {
        int failures = before.map(TransitionCheck::failures).orElse(0);
        return new TransitionCheck(
                name,
                value,
                bound,
                value.map(it -> passes.test(it) ? 0 : failures + 1).orElse(failures),
                value.isPresent() ? Optional.empty() : Optional.of(why));
    }

    private static String shown(double value) {
        return BigDecimal.valueOf(value).stripTrailingZeros().toPlainString();
    }
}
