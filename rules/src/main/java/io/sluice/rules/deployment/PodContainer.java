// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.rules.pod.FillIn;
import io.sluice.rules.pod.FlinkPod;
import java.util.List;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * A container of a component's pods as they take effect.
 *
 * @param podSpec of the pod that has it
 * @param list the field of {@code podSpec} that it is in
 */
record PodContainer(Component component, JsonNode podSpec, String list, JsonNode container) {
    private static final String COMMON = "spec.podTemplate";
    private static final List<String> LISTS = List.of("initContainers", "containers");

    /**
     * All containers of the pods of both components. What the common template says of one is found
     * twice.
     */
    static Stream<PodContainer> all(DeploymentReview review, FillIn fillIn) {
        return Stream.of(Component.values()).flatMap(component -> of(component, review, fillIn));
    }

    /**
     * Whether a container is {@code wanted} as some template has it. Most rules look for what no
     * template has, and need not merge them for that.
     *
     * @param wanted is told the field that the container is in
     */
    static boolean isAnyWritten(FlinkDeploymentSpec spec, BiPredicate<String, JsonNode> wanted) {
        for (ObjectNode template : PodTemplateRules.of(spec).values()) {
            for (String list : LISTS) {
                for (JsonNode container : template.path("spec").path(list)) {
                    if (wanted.test(list, container)) {
                        return true;
                    }
                }
            }
        }
        return false;
    }

    private static Stream<PodContainer> of(
            Component component, DeploymentReview review, FillIn fillIn) {
        ObjectNode pod =
                FlinkPod.of(
                        review.spec().podTemplate(), component.of(review).podTemplate(), fillIn);
        JsonNode podSpec = pod.path("spec");
        return LISTS.stream()
                .flatMap(
                        list ->
                                podSpec.path(list)
                                        .valueStream()
                                        .map(
                                                container ->
                                                        new PodContainer(
                                                                component, podSpec, list,
                                                                container)));
    }

    String name() {
        return container.path("name").asText("?");
    }

    /** Whether it is the one that Flink runs in. */
    boolean isFlinks() {
        return isFlinks(list, container);
    }

    static boolean isFlinks(String list, JsonNode container) {
        return list.equals("containers")
                && container.path("name").asText("?").equals(FlinkPod.MAIN_CONTAINER);
    }

    boolean isWithoutImage() {
        return isWithoutImage(container);
    }

    static boolean isWithoutImage(JsonNode container) {
        return container.path("image").asText("").isBlank();
    }

    /**
     * The path of the template that has something to say: the component's own, or else the common
     * one.
     *
     * @param says whether the component's own template has
     */
    String template(DeploymentReview review, Predicate<ObjectNode> says) {
        return component.of(review).podTemplate().filter(says).isPresent()
                ? component.path("podTemplate")
                : COMMON;
    }

    /** What the template has of the container of this name. */
    Stream<JsonNode> in(ObjectNode template) {
        return template.path("spec")
                .path(list)
                .valueStream()
                .filter(other -> other.path("name").asText("?").equals(name()));
    }
}
