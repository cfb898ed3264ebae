// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.deployment;

import static io.sluice.rules.review.Problems.at;
import static io.sluice.rules.review.Problems.isBlank;
import static io.sluice.rules.review.Problems.missing;
import static io.sluice.rules.review.Problems.when;

import io.sluice.api.json.FieldProblem;
import io.sluice.api.spec.ComponentSpec;
import io.sluice.api.spec.ResourceSpec;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.value.MemorySize;
import io.sluice.rules.review.Rule;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** How much memory and local disk a component gets, in the older form or at all. */
final class MemoryRules {
    private static final String SIZES = "cannot be read as a size; write it like 2g, 2048m or 2Gi";

    static final List<Rule<DeploymentReview>> ALL =
            Stream.of(Component.values()).flatMap(MemoryRules::of).toList();

    private MemoryRules() {}

    private static Stream<Rule<DeploymentReview>> of(Component component) {
        return Stream.of(
                new Rule<>(
                        component.rule("memory-required"),
                        component.path("resource.memory"),
                        "Flink refuses to start without knowing its memory.",
                        review -> required(component, review)),
                new Rule<>(
                        component.rule("memory-parse"),
                        component.path("resource.memory"),
                        "The container's size and the JVM's follow from it.",
                        review -> parse(component, review, "memory", ResourceSpec::memory)),
                new Rule<>(
                        component.rule("ephemeral-storage-parse"),
                        component.path("resource.ephemeralStorage"),
                        "The container's local disk follows from it.",
                        review ->
                                parse(
                                        component,
                                        review,
                                        "ephemeralStorage",
                                        ResourceSpec::ephemeralStorage)));
    }

    private static List<FieldProblem> required(Component component, DeploymentReview review) {
        ComponentSpec spec = component.of(review);
        boolean sized =
                !isBlank(spec.resource().flatMap(ResourceSpec::memory))
                        || spec.resources()
                                .filter(
                                        resources ->
                                                resources.requests().containsKey("memory")
                                                        || resources.limits().containsKey("memory"))
                                .isPresent()
                        || component.isSizedBy(new Options(review.effective()));
        return when(
                !sized,
                missing(
                        component.path("resource.memory"),
                        "is missing; set it (for example 2g), or "
                                + component.path("resources.requests.memory")
                                + ", or "
                                + component.processMemoryKey()
                                + " in spec.flinkConfiguration"));
    }

    private static List<FieldProblem> parse(
            Component component,
            DeploymentReview review,
            String field,
            Function<ResourceSpec, Optional<String>> of) {
        return component.of(review).resource().flatMap(of).stream()
                .filter(text -> !text.isBlank() && MemorySize.parse(text).isEmpty())
                .map(text -> at(component.path("resource." + field), text, SIZES))
                .toList();
    }
}
