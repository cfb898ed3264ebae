// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.advice;

import static io.sluice.rules.review.Problems.at;
import static io.sluice.rules.review.Problems.configurationPath;
import static io.sluice.rules.review.Problems.missing;
import static io.sluice.rules.review.Problems.when;

import io.sluice.api.json.FieldProblem;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.FlinkVersion;
import io.sluice.api.spec.ResourceSpec;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.config.value.MemorySize;
import io.sluice.rules.config.value.Quantity;
import io.sluice.rules.deployment.Component;
import io.sluice.rules.deployment.DeploymentReview;
import io.sluice.rules.deployment.VersionRules;
import io.sluice.rules.review.Rule;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** What is odd about a FlinkDeployment. */
final class DeploymentAdvice {
    /** Units that both have. Those in lower case, but for one, are Flink's alone. */
    private static final Pattern SHARED_UNIT = Pattern.compile("(\\d+)\\s*([kMGT])");

    static final List<Rule<DeploymentReview>> ALL =
            List.of(
                    new Rule<>(
                            "deprecated-flink-version",
                            "spec.flinkVersion",
                            "The next major version of the operator will not start this version of"
                                    + " Flink.",
                            DeploymentAdvice::version),
                    new Rule<>(
                            "ambiguous-unit",
                            "spec.jobManager.resource, spec.taskManager.resource",
                            "Flink reads k, M, G and T as powers of 1024, and Kubernetes reads them"
                                    + " as powers of 1000.",
                            DeploymentAdvice::units),
                    new Rule<>(
                            "session-cluster-zookeeper-root",
                            "spec.flinkConfiguration",
                            "Flink keeps the metadata of a session cluster in ZooKeeper under the"
                                    + " cluster's name alone.",
                            DeploymentAdvice::zooKeeper));

    private DeploymentAdvice() {}

    private static List<FieldProblem> version(DeploymentReview review) {
        return review.spec().flinkVersion().stream()
                .filter(version -> !version.isAtLeast(FlinkVersion.V1_19))
                .filter(version -> version.isSupported() || VersionRules.startsNothing(review))
                .map(
                        version ->
                                at(
                                        "spec.flinkVersion",
                                        version.wire(),
                                        version.isSupported()
                                                ? "is deprecated; move to v1_19 or later"
                                                : "is no longer supported, and no restart is"
                                                        + " accepted; move to v1_19 or later"))
                .toList();
    }

    private static List<FieldProblem> zooKeeper(DeploymentReview review) {
        var options = new Options(review.effective());
        return when(
                review.spec().job().isEmpty()
                        && options.usesZooKeeper()
                        && !options.isSet(FlinkOptions.ZOOKEEPER_ROOT),
                missing(
                        configurationPath(FlinkOptions.ZOOKEEPER_ROOT.key()),
                        "is not set, so that a session cluster of the same name in another"
                                + " namespace that uses the same ZooKeeper would share its"
                                + " metadata; set it to a node of this namespace's own"));
    }

    private static List<FieldProblem> units(DeploymentReview review) {
        return Stream.of(Component.values())
                .flatMap(
                        component ->
                                Stream.of(
                                        unit(review, component, "memory", ResourceSpec::memory),
                                        unit(
                                                review,
                                                component,
                                                "ephemeralStorage",
                                                ResourceSpec::ephemeralStorage)))
                .flatMap(Optional::stream)
                .toList();
    }

    private static Optional<FieldProblem> unit(
            DeploymentReview review,
            Component component,
            String field,
            Function<ResourceSpec, Optional<String>> of) {
        Optional<String> size = size(review.spec(), component, of);
        boolean isNew = !size.equals(review.old().flatMap(old -> size(old, component, of)));
        return size.filter(_ -> isNew)
                .flatMap(DeploymentAdvice::readings)
                .map(text -> at(component.path("resource." + field), size.orElse(""), text));
    }

    private static Optional<String> size(
            FlinkDeploymentSpec spec,
            Component component,
            Function<ResourceSpec, Optional<String>> of) {
        return component.of(spec).resource().flatMap(of).map(String::strip);
    }

    private static Optional<String> readings(String text) {
        var matcher = SHARED_UNIT.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String decimal = matcher.group(1) + matcher.group(2);
        String binary = matcher.group(1) + matcher.group(2).toUpperCase(Locale.ROOT) + "i";
        return MemorySize.parse(text)
                .flatMap(
                        size ->
                                Quantity.parse(decimal)
                                        .map(
                                                other ->
                                                        "is "
                                                                + size.bytes()
                                                                + " bytes here, not "
                                                                + other.amount().toBigInteger()
                                                                + "; write "
                                                                + binary
                                                                + " to be clear"));
    }
}
