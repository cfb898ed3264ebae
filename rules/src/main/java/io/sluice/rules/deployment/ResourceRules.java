// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.deployment;

import static io.sluice.rules.review.Problems.at;

import io.sluice.api.json.FieldProblem;
import io.sluice.rules.config.value.Quantity;
import io.sluice.rules.review.Rule;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Requests and limits of a component, as Kubernetes reads them. */
final class ResourceRules {
    private static final Set<String> SIZED = Set.of("cpu", "memory");

    static final List<Rule<DeploymentReview>> ALL =
            Stream.of(Component.values()).flatMap(ResourceRules::of).toList();

    /** One entry of requests or limits. */
    private record Entry(String name, String path, String text) {
        /** Empty if it cannot be read. */
        Optional<Quantity> quantity() {
            return Quantity.parse(text);
        }
    }

    private ResourceRules() {}

    private static Stream<Rule<DeploymentReview>> of(Component component) {
        String field = component.path("resources");
        return Stream.of(
                new Rule<>(
                        component.rule("resource-parse"),
                        field,
                        "Kubernetes refuses a pod with a quantity that it can't read.",
                        review -> parse(component, review)),
                new Rule<>(
                        component.rule("resource-positive"),
                        field,
                        "Flink cannot run in a container without memory or processor time.",
                        review -> positive(component, review)),
                new Rule<>(
                        component.rule("resource-not-negative"),
                        field,
                        "Kubernetes refuses a pod with a negative quantity.",
                        review -> notNegative(component, review)),
                new Rule<>(
                        component.rule("request-within-limit"),
                        field,
                        "Kubernetes refuses a pod that requests more than its limit.",
                        review -> withinLimit(component, review)));
    }

    private static List<FieldProblem> parse(Component component, DeploymentReview review) {
        return entries(component, review)
                .filter(entry -> entry.quantity().isEmpty())
                .map(
                        entry ->
                                at(
                                        entry.path(),
                                        entry.text(),
                                        "is not a Kubernetes quantity; write it like 500m, 2 or"
                                                + " 2Gi"))
                .toList();
    }

    private static List<FieldProblem> positive(Component component, DeploymentReview review) {
        return entries(component, review)
                .filter(entry -> SIZED.contains(entry.name()))
                .filter(entry -> entry.quantity().filter(q -> q.sign() <= 0).isPresent())
                .map(entry -> at(entry.path(), entry.text(), "must be more than 0"))
                .toList();
    }

    private static List<FieldProblem> notNegative(Component component, DeploymentReview review) {
        return entries(component, review)
                .filter(entry -> !SIZED.contains(entry.name()))
                .filter(entry -> entry.quantity().filter(q -> q.sign() < 0).isPresent())
                .map(entry -> at(entry.path(), entry.text(), "must not be negative"))
                .toList();
    }

    private static List<FieldProblem> withinLimit(Component component, DeploymentReview review) {
        var limits =
                component
                        .of(review)
                        .resources()
                        .map(r -> r.limits())
                        .orElse(Map.<String, String>of());
        return entries(component, review)
                .filter(entry -> entry.path().startsWith(component.path("resources.requests")))
                .filter(entry -> SIZED.contains(entry.name()))
                .flatMap(
                        entry ->
                                Optional.ofNullable(limits.get(entry.name()))
                                        .flatMap(limit -> beyond(entry, limit))
                                        .stream())
                .toList();
    }

    private static Optional<FieldProblem> beyond(Entry request, String limit) {
        return request.quantity()
                .filter(
                        quantity ->
                                Quantity.parse(limit)
                                        .filter(most -> quantity.compareTo(most) > 0)
                                        .isPresent())
                .map(
                        _ ->
                                at(
                                        request.path(),
                                        request.text(),
                                        "is more than the limit '"
                                                + limit
                                                + "'; lower the request or raise the limit"));
    }

    private static Stream<Entry> entries(Component component, DeploymentReview review) {
        return component.of(review).resources().stream()
                .flatMap(
                        resources ->
                                Stream.concat(
                                        entries(component, "requests", resources.requests()),
                                        entries(component, "limits", resources.limits())));
    }

    private static Stream<Entry> entries(
            Component component, String side, Map<String, String> quantities) {
        return new TreeMap<>(quantities)
                .entrySet().stream()
                        .map(
                                entry ->
                                        new Entry(
                                                entry.getKey(),
                                                component.path(
                                                        "resources." + side + "." + entry.getKey()),
                                                entry.getValue()));
    }
}
