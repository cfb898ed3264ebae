// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.FieldProblem;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.rules.pod.FillIn;
import io.sluice.rules.pod.FlinkPod;
import io.sluice.rules.pod.PodShape;
import io.sluice.rules.review.Problems;
import io.sluice.rules.review.Rule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Whether Kubernetes could make pods of the templates. */
final class PodTemplateRules {
    private static final String FIELD = "spec.podTemplate";
    private static final FillIn NOTHING_MORE = new FillIn(FillIn.Level.NONE, false);

    static final List<Rule<DeploymentReview>> ALL =
            List.of(
                    new Rule<>(
                            "pod-template-shape",
                            FIELD,
                            "The CRDs accept any object as a template. One that is not a Pod would"
                                    + " fail only after the former cluster has been removed. At"
                                    + " most 100 containers, init containers and volumes each can"
                                    + " be in a template: the API server would take seconds for"
                                    + " each try to make a pod of thousands.",
                            PodTemplateRules::misshapen),
                    new Rule<>(
                            "container-image-required",
                            FIELD,
                            "The API server refuses a pod that has a container without an image,"
                                    + " which would come out only after the former cluster has been"
                                    + " removed. Flink's own container gets spec.image.",
                            PodTemplateRules::withoutImage));

    private PodTemplateRules() {}

    private static List<FieldProblem> misshapen(DeploymentReview review) {
        List<FieldProblem> problems = new ArrayList<>();
        of(review.spec())
                .forEach((path, template) -> problems.addAll(PodShape.check(template, path)));
        return problems;
    }

    /** A component's own template may add the image to a container of the common one. */
    private static List<FieldProblem> withoutImage(DeploymentReview review) {
        if (!misshapen(review).isEmpty()) {
            return List.of();
        }
        // Both components have what the common template says, which is one problem.
        Set<FieldProblem> problems = new LinkedHashSet<>();
        for (Component component : Component.values()) {
            Optional<ObjectNode> own = component.of(review).podTemplate();
            ObjectNode pod = FlinkPod.of(review.spec().podTemplate(), own, NOTHING_MORE);
            for (String list : List.of("initContainers", "containers")) {
                for (JsonNode container : pod.path("spec").path(list)) {
                    String name = container.path("name").asText();
                    if (!isFlinks(list, name) && container.path("image").asText("").isBlank()) {
                        String template =
                                own.filter(it -> names(it, list, name)).isPresent()
                                        ? component.path("podTemplate")
                                        : FIELD;
                        problems.add(
                                Problems.missing(
                                        template + ".spec." + list + "[" + name + "].image",
                                        "is missing; write which image the container runs"));
                    }
                }
            }
        }
        return List.copyOf(problems);
    }

    private static boolean isFlinks(String list, String name) {
        return list.equals("containers") && name.equals(FlinkPod.MAIN_CONTAINER);
    }

    private static boolean names(ObjectNode template, String list, String name) {
        return template.path("spec")
                .path(list)
                .valueStream()
                .anyMatch(container -> container.path("name").asText().equals(name));
    }

    /** All templates of a spec by their paths. */
    static Map<String, ObjectNode> of(FlinkDeploymentSpec spec) {
        Map<String, ObjectNode> templates = new LinkedHashMap<>();
        spec.podTemplate().ifPresent(template -> templates.put(FIELD, template));
        for (Component component : Component.values()) {
            component
                    .of(spec)
                    .podTemplate()
                    .ifPresent(template -> templates.put(component.path("podTemplate"), template));
        }
        return templates;
    }
}
