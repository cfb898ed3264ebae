// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules;

import static io.sluice.rules.Problems.at;

import io.sluice.api.FieldProblem;
import io.sluice.api.FlinkVersion;
import io.sluice.rules.config.KnownOptions;
import io.sluice.rules.config.SecretKeys;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiFunction;
import java.util.function.Function;

/** What is odd about a resource's own configuration. */
final class ConfigurationAdvice {
    private static final String FIELD = "spec.flinkConfiguration";

    static final List<Rule<JobReview>> ALL =
            List.of(
                    new Rule<>(
                            "unknown-config-key",
                            FIELD,
                            "A key that nobody reads is one letter away from one that is read.",
                            eachKey(ConfigurationAdvice::unknown)),
                    new Rule<>(
                            "operator-only-config-key",
                            FIELD,
                            "The operator reads it from its own configuration only.",
                            eachKey(ConfigurationAdvice::operatorOnly)),
                    new Rule<>(
                            "deprecated-config-key",
                            FIELD,
                            "The older spelling goes away some day.",
                            eachKey(ConfigurationAdvice::deprecated)),
                    new Rule<>(
                            "secret-in-plain-text",
                            FIELD,
                            "Whoever may read the resource reads the secret.",
                            eachKey(ConfigurationAdvice::secret)),
                    new Rule<>(
                            "scaling-needs-adaptive-scheduler",
                            FIELD,
                            "Flink 2.3 ignores pipeline.jobvertex-parallelism-overrides; only its"
                                    + " adaptive scheduler can be told another parallelism.",
                            ConfigurationAdvice::scheduler));

    private ConfigurationAdvice() {}

    private static Function<JobReview, List<FieldProblem>> eachKey(
            BiFunction<JobReview, String, Optional<String>> advice) {
        return review -> {
            Map<String, String> advised = new TreeMap<>();
            for (String key : review.own().entries().keySet()) {
                advice.apply(review, key).ifPresent(text -> advised.put(key, text));
            }
            return advised.entrySet().stream()
                    .map(
                            each ->
                                    new FieldProblem(
                                            Problems.configurationPath(each.getKey()),
                                            "",
                                            each.getValue()))
                    .toList();
        };
    }

    private static Optional<String> unknown(JobReview review, String key) {
        return KnownOptions.meantBy(key).map(known -> "is unknown; did you mean " + known + "?");
    }

    private static Optional<String> operatorOnly(JobReview review, String key) {
        return KnownOptions.isOperatorOnly(key)
                ? Optional.of("has no effect in a resource: it is the operator's own; remove it")
                : Optional.empty();
    }

    /** Flink's own newer spellings are only understood by Flink 1.20 and later. */
    private static Optional<String> deprecated(JobReview review, String key) {
        boolean understood =
                isOurs(key)
                        || review.version()
                                .filter(version -> version.isAtLeast(FlinkVersion.V1_20))
                                .isPresent();
        return KnownOptions.replacement(key)
                .filter(_ -> understood)
                .map(newest -> "is the older spelling of " + newest + "; use that");
    }

    private static Optional<String> secret(JobReview review, String key) {
        boolean hidden =
                SecretKeys.isSecret(key)
                        && review.own().get(key).filter(value -> !value.isBlank()).isPresent();
        return hidden
                ? Optional.of(
                        "is stored in plain text; mount a Secret through spec.podTemplate instead")
                : Optional.empty();
    }

    private static List<FieldProblem> scheduler(JobReview review) {
        boolean ignored =
                review.version().filter(each -> each.isAtLeast(FlinkVersion.V2_3)).isPresent()
                        && review.effective().flag("job.autoscaler.enabled", false)
                        && !review.effective()
                                .text("jobmanager.scheduler")
                                .orElse("default")
                                .equalsIgnoreCase("adaptive");
        return Problems.when(
                ignored,
                at(
                        Problems.configurationPath("job.autoscaler.enabled"),
                        "true",
                        "cannot scale this job without jobmanager.scheduler: adaptive"));
    }

    private static boolean isOurs(String key) {
        return key.startsWith("kubernetes.operator.") || key.startsWith("job.autoscaler.");
    }
}
