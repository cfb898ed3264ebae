// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.deployment;

import io.sluice.api.json.FieldProblem;
import io.sluice.rules.config.AdmissionPolicy;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.AdmissionOptions;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.pod.PodSecurity;
import io.sluice.rules.review.Problems;
import io.sluice.rules.review.Rule;
import java.util.ArrayList;
import java.util.List;

/** Whether a namespace that enforces a Pod Security Standard would take the pods. */
public final class PodSecurityRules {
    private static final String ID = "pod-security";
    private static final String FIELD = "spec.podTemplate";

    /** Of Flink, for both components; what the operator's configuration says is granted. */
    private static final String WHY =
            "The operator creates the pods with its own rights, so a template could give its author"
                    + " more than they may have. "
                    + AdmissionOptions.POD_SECURITY.key()
                    + " (restricted, baseline, warn or off; warn unless set) sets the limit, for"
                    + " all or for a namespace.";

    static final List<Rule<DeploymentReview>> ALL =
            List.of(new Rule<>(ID, FIELD, WHY, PodSecurityRules::denied));

    /** The same as warnings, where the operator's configuration asks for no more. */
    public static final List<Rule<DeploymentReview>> ADVICE =
            List.of(new Rule<>(ID, FIELD, WHY, PodSecurityRules::warned));

    private PodSecurityRules() {}

    private static List<FieldProblem> denied(DeploymentReview review) {
        return switch (policy(review)) {
            case OFF, WARN -> List.of();
            case BASELINE -> find(review, PodSecurity.Level.BASELINE);
            case RESTRICTED -> find(review, PodSecurity.Level.RESTRICTED);
        };
    }

    private static List<FieldProblem> warned(DeploymentReview review) {
        return switch (policy(review)) {
            case WARN -> find(review, PodSecurity.Level.BASELINE);
            case OFF, BASELINE, RESTRICTED -> List.of();
        };
    }

    private static AdmissionPolicy.Pods policy(DeploymentReview review) {
        return AdmissionPolicy.pods(new Options(review.granted()));
    }

    private static List<FieldProblem> find(DeploymentReview review, PodSecurity.Level level) {
        List<FieldProblem> problems = new ArrayList<>();
        PodTemplateRules.of(review.spec())
                .forEach(
                        (path, template) ->
                                problems.addAll(PodSecurity.check(template, path, level)));
        boolean sharesTheNetwork =
                new Options(review.spec().flinkConfiguration()).get(FlinkOptions.HOST_NETWORK);
        if (sharesTheNetwork) {
            problems.add(
                    Problems.at(
                            Problems.configurationPath(FlinkOptions.HOST_NETWORK.key()),
                            true,
                            "uses the node's own network; remove it"));
        }
        return problems;
    }
}
