// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.operator.bluegreen.analysis.Figures;
import io.sluice.operator.bluegreen.analysis.Figures.Progress;
import io.sluice.operator.bluegreen.analysis.Figures.QueryAnswer;
import io.sluice.operator.bluegreen.analysis.ProgressReader;
import io.sluice.operator.bluegreen.analysis.PrometheusAnswer;
import io.sluice.operator.bluegreen.analysis.PrometheusQueries;
import io.sluice.operator.bluegreen.decide.HalfView.Half;
import io.sluice.operator.bluegreen.decide.PairDecider;
import io.sluice.operator.bluegreen.decide.PairObservedState;
import io.sluice.operator.bluegreen.decide.PairOptions;
import io.sluice.rules.config.AnalysisQueries;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.BlueGreenOptions;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Makes a look of the analysis: asks the halves and Prometheus what the options want to know.
 *
 * @param rest asks JobManagers
 * @param prometheus asks Prometheus
 * @param defaults say what Prometheus is asked, and where it is
 */
record FigureReader(
        JobManagerRest rest,
        PrometheusQueries prometheus,
        Supplier<DefaultConfiguration> defaults,
        InstantSource clock) {
    private static final String RESTARTS = "numRestarts";
    private static final String CHECKPOINTS = "numberOfCompletedCheckpoints";

    /** For all queries of a look together. What has not been asked by then is not known. */
    private static final Duration FOR_QUERIES = Duration.ofSeconds(10);

    /** Nobody is asked unless a look is due. */
    PairObservedState looked(PairObservedState observed) {
        return PairDecider.isLookDue(observed)
                ? observed.status()
                        .transition()
                        .map(transition -> observed.withFigures(read(observed, transition)))
                        .orElse(observed)
                : observed;
    }

    private Figures read(PairObservedState observed, PairTransition transition) {
        PairOptions options = PairOptions.of(observed.wish());
        Optional<Half> other = observed.half(transition.to()).half();
        Optional<Half> active = transition.from().flatMap(color -> observed.half(color).half());
        var wanted =
                new ProgressReader.Wanted(
                        options.maxLagRatio().isPresent(), options.maxWatermarkDelay().isPresent());
        Optional<Map<String, Double>> counts = other.flatMap(this::counts);
        return new Figures(
                true,
                count(counts, RESTARTS),
                count(counts, CHECKPOINTS),
                progress(other, wanted),
                progress(active, wanted),
                queries(observed, transition, options.queries()));
    }

    private Optional<Map<String, Double>> counts(Half half) {
        return half.jobManager()
                .flatMap(
                        at ->
                                half.jobId()
                                        .flatMap(
                                                id ->
                                                        rest.metrics(
                                                                        at,
                                                                        id,
                                                                        List.of(
                                                                                RESTARTS,
                                                                                CHECKPOINTS))
                                                                .answer()));
    }

    private static Optional<Long> count(Optional<Map<String, Double>> counts, String name) {
        return counts.flatMap(it -> Optional.ofNullable(it.get(name))).map(Double::longValue);
    }

    private Progress progress(Optional<Half> half, ProgressReader.Wanted wanted) {
        return half.flatMap(Half::jobManager)
                .flatMap(
                        at ->
                                half.flatMap(Half::jobId)
                                        .map(id -> new ProgressReader(rest).read(at, id, wanted)))
                .orElse(Progress.UNKNOWN);
    }

    /** One that does not answer in time is not asked again in this look. */
    private List<QueryAnswer> queries(
            PairObservedState observed, PairTransition transition, List<String> names) {
        List<QueryAnswer> answers = new ArrayList<>();
        if (names.isEmpty()) {
            return answers;
        }
        FlinkConfiguration granted =
                defaults.get()
                        .granted(
                                observed.identity().namespace(),
                                observed.wish().spec().template().spec().flinkVersion());
        AnalysisQueries defined = AnalysisQueries.of(granted);
        Optional<PrometheusQueries.Place> place = place(new Options(granted));
        var about = about(observed, transition);
        var until = clock.instant().plus(FOR_QUERIES);
        for (String name : names) {
            answers.add(
                    defined.find(name)
                            .map(
                                    query ->
                                            answer(
                                                    name,
                                                    query,
                                                    clock.instant().isBefore(until)
                                                            ? place
                                                            : Optional.empty(),
                                                    about))
                            .orElseGet(
                                    () ->
                                            new QueryAnswer(
                                                    name,
                                                    Optional.empty(),
                                                    Optional.empty(),
                                                    Optional.empty(),
                                                    "the operator's configuration does not define"
                                                            + " it.")));
        }
        return answers;
    }

    private QueryAnswer answer(
            String name,
            AnalysisQueries.Query query,
            Optional<PrometheusQueries.Place> place,
            AnalysisQueries.Names about) {
        PrometheusAnswer answer =
                place.flatMap(at -> query.about(about).map(text -> prometheus.ask(at, text)))
                        .orElseGet(() -> new PrometheusAnswer.Unknown("It could not be asked."));
        return switch (answer) {
            case PrometheusAnswer.Known(var value) ->
                    new QueryAnswer(name, Optional.of(value), query.min(), query.max(), "");
            case PrometheusAnswer.Unknown(var why) ->
                    new QueryAnswer(name, Optional.empty(), query.min(), query.max(), why);
        };
    }

    private static AnalysisQueries.Names about(
            PairObservedState observed, PairTransition transition) {
        String pair = observed.identity().name();
        HalfColor to = transition.to();
        return new AnalysisQueries.Names(
                observed.identity().namespace(),
                pair,
                to.nameIn(pair),
                transition.from().orElse(to.other()).nameIn(pair));
    }

    private static Optional<PrometheusQueries.Place> place(Options platforms) {
        return platforms
                .get(BlueGreenOptions.PROMETHEUS_ADDRESS)
                .map(
                        address ->
                                new PrometheusQueries.Place(
                                        address,
                                        platforms
                                                .get(BlueGreenOptions.PROMETHEUS_TOKEN_FILE)
                                                .map(Path::of),
                                        platforms
                                                .get(BlueGreenOptions.PROMETHEUS_CA_FILE)
                                                .map(Path::of)));
    }
}
