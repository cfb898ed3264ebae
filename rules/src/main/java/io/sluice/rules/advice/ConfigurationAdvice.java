// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.advice;

import static io.sluice.rules.review.Problems.at;

import io.sluice.api.json.FieldProblem;
import io.sluice.api.spec.FlinkVersion;
import io.sluice.rules.config.InertOptions;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.AutoscalerOptions;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.config.option.Option;
import io.sluice.rules.review.JobReview;
import io.sluice.rules.review.Problems;
import io.sluice.rules.review.Rule;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Stream;

/** What is odd about a resource's own configuration. */
public final class ConfigurationAdvice {
    /** Unknown keys of a resource for which a known one is looked for. */
    public static final int MOST_GUESSES = 20;

    private static final String FIELD = "spec.flinkConfiguration";

    static final List<Rule<JobReview>> ALL =
            List.of(
                    new Rule<>(
                            "unknown-config-key",
                            FIELD,
                            "The key is unknown, and its spelling is close to that of a known key,"
                                    + " or it begins like a key of the operator or of the"
                                    + " autoscaler, so that nobody else can know it.",
                            review -> unknown(review, KeyFacts::meantBy)),
                    new Rule<>(
                            "config-key-without-effect",
                            FIELD,
                            "The Apache operator knows the key, and it has no effect here. The"
                                    + " warning says what happens instead.",
                            eachKey(ConfigurationAdvice::inert)),
                    new Rule<>(
                            "operator-only-config-key",
                            FIELD,
                            "The operator reads it from its own configuration only.",
                            eachKey(ConfigurationAdvice::operatorOnly)),
                    new Rule<>(
                            "deprecated-config-key",
                            FIELD,
                            "A later version may not know the older spelling any more.",
                            eachKey(ConfigurationAdvice::deprecated)),
                    new Rule<>(
                            "secret-in-plain-text",
                            FIELD,
                            "Everybody who may read the resource can read the secret.",
                            eachKey(ConfigurationAdvice::secret)),
                    new Rule<>(
                            "scaling-needs-adaptive-scheduler",
                            FIELD,
                            "Flink 2.3 ignores pipeline.jobvertex-parallelism-overrides, and can"
                                    + " change the parallelism only with the adaptive scheduler.",
                            ConfigurationAdvice::scheduler),
                    new Rule<>(
                            "job-result-deleted",
                            FIELD,
                            "A JobManager that restarts after its job has ended finds no result,"
                                    + " and runs the job again from where it was first started.",
                            ConfigurationAdvice::result));

    private ConfigurationAdvice() {}

    private static Function<JobReview, List<FieldProblem>> eachKey(
            BiFunction<JobReview, KeyFacts, Optional<String>> advice) {
        return review ->
                oddKeys(review)
                        .flatMap(
                                facts ->
                                        advice.apply(review, facts).stream()
                                                .map(text -> problem(facts.key(), text)))
                        .toList();
    }

    private static Stream<KeyFacts> oddKeys(JobReview review) {
        return review.own().entries().keySet().stream()
                .map(KeyFacts::of)
                .filter(KeyFacts::isOdd)
                .sorted(Comparator.comparing(KeyFacts::key));
    }

    private static FieldProblem problem(String key, String text) {
        return new FieldProblem(Problems.configurationPath(key), "", text);
    }

    /**
     * Of the first {@value #MOST_GUESSES} unknown keys. A plugin's keys are few; whoever writes
     * thousands must not choose how much is compared.
     *
     * @param meantBy the known key that an unknown one was probably meant to be
     */
    public static List<FieldProblem> unknown(
            JobReview review, Function<String, Optional<String>> meantBy) {
        return oddKeys(review)
                .filter(KeyFacts::unknown)
                .map(KeyFacts::key)
                .limit(MOST_GUESSES)
                .flatMap(
                        key ->
                                meantBy
                                        .apply(key)
                                        .map(known -> "is unknown; did you mean " + known + "?")
                                        .or(() -> unread(key))
                                        .map(text -> problem(key, text))
                                        .stream())
                .toList();
    }

    /** A plugin or a file system of Flink may know any other key. */
    private static Optional<String> unread(String key) {
        return Option.isOurs(key)
                ? Optional.of("is unknown and has no effect; remove it")
                : Optional.empty();
    }

    private static Optional<String> inert(JobReview review, KeyFacts key) {
        return review.own()
                .get(key.key())
                .filter(_ -> key.inert())
                .flatMap(value -> InertOptions.instead(key.key(), value))
                .map(text -> "has no effect. " + text);
    }

    private static Optional<String> operatorOnly(JobReview review, KeyFacts key) {
        return key.operatorOnly()
                ? Optional.of(
                        "has no effect in a resource, because the operator reads it from its"
                                + " own configuration; remove it")
                : Optional.empty();
    }

    /** Flink's own newer spellings are only understood by Flink 1.20 and later. */
    private static Optional<String> deprecated(JobReview review, KeyFacts key) {
        boolean understood =
                Option.isOurs(key.key())
                        || review.version()
                                .filter(version -> version.isAtLeast(FlinkVersion.V1_20))
                                .isPresent();
        return key.newest()
                .filter(_ -> understood)
                .map(newest -> "is the older spelling of " + newest + "; use that");
    }

    private static Optional<String> secret(JobReview review, KeyFacts key) {
        boolean hidden =
                key.secret()
                        && review.own()
                                .get(key.key())
                                .filter(value -> !value.isBlank())
                                .isPresent();
        return hidden
                ? Optional.of(
                        "is stored in plain text; mount a Secret through spec.podTemplate instead")
                : Optional.empty();
    }

    private static List<FieldProblem> result(JobReview review) {
        boolean deleted =
                review.job().isPresent()
                        && review.effective().isHighlyAvailable()
                        && new Options(review.own())
                                .value(FlinkOptions.DELETES_RESULTS)
                                .orElse(false);
        return Problems.when(
                deleted,
                at(
                        Problems.configurationPath(FlinkOptions.DELETES_RESULTS.key()),
                        "true",
                        "makes a JobManager that restarts after the job has ended run it again"
                                + " from the start; remove it"));
    }

    private static List<FieldProblem> scheduler(JobReview review) {
        boolean ignored =
                review.version().filter(each -> each.isAtLeast(FlinkVersion.V2_3)).isPresent()
                        && review.effective().get(AutoscalerOptions.ENABLED)
                        && !review.effective().isAdaptive();
        return Problems.when(
                ignored,
                at(
                        Problems.configurationPath(AutoscalerOptions.ENABLED.key()),
                        "true",
                        "cannot scale this job without jobmanager.scheduler: adaptive"));
    }
}
