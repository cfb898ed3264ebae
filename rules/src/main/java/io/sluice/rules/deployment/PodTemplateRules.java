// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.FieldProblem;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.rules.pod.PodShape;
import io.sluice.rules.review.Rule;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Whether Kubernetes could make pods of the templates. */
final class PodTemplateRules {
    private static final String FIELD = "spec.podTemplate";

    static final List<Rule<DeploymentReview>> ALL =
            List.of(
                    new Rule<>(
                            "pod-template-shape",
                            FIELD,
                            "The CRDs accept any object as a template. One that is not a Pod would"
                                    + " fail only after the former cluster has been removed.",
                            PodTemplateRules::misshapen));

    private PodTemplateRules() {}

    private static List<FieldProblem> misshapen(DeploymentReview review) {
        List<FieldProblem> problems = new ArrayList<>();
        of(review.spec())
                .forEach((path, template) -> problems.addAll(PodShape.check(template, path)));
        return problems;
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
