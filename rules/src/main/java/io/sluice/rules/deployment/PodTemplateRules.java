// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.FieldProblem;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.rules.pod.FillIn;
import io.sluice.rules.pod.PodShape;
import io.sluice.rules.review.Problems;
import io.sluice.rules.review.Rule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

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
        boolean isImageMissing =
                PodContainer.isAnyWritten(
                        review.spec(),
                        (list, container) ->
                                !PodContainer.isFlinks(list, container)
                                        && PodContainer.isWithoutImage(container));
        if (!isImageMissing) {
            return List.of();
        }
        List<FieldProblem> problems =
                PodContainer.all(review, NOTHING_MORE)
                        .filter(each -> !each.isFlinks())
                        .filter(PodContainer::isWithoutImage)
                        .map(each -> missingImage(review, each))
                        .distinct() // both components have what the common template says
                        .toList();
        return problems.isEmpty() || misshapen(review).isEmpty() ? problems : List.of();
    }

    private static FieldProblem missingImage(DeploymentReview review, PodContainer container) {
        return Problems.missing(
                container.template(review, own -> container.in(own).findAny().isPresent())
                        + ".spec."
                        + container.list()
                        + "["
                        + container.name()
                        + "].image",
                "is missing; write which image the container runs");
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
