// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.deployment;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.FieldProblem;
import io.sluice.rules.config.AdmissionPolicy;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.PodOptions;
import io.sluice.rules.pod.FillIn;
import io.sluice.rules.review.Problems;
import io.sluice.rules.review.Rule;
import java.util.List;

/** Whether the kubelet would start the containers of a pod, with what the operator fills in. */
final class RootContainerRules {
    private static final String FIELD = "spec.podTemplate";
    private static final String SECURITY = "securityContext";
    private static final String USER = "runAsUser";
    private static final String NON_ROOT = "runAsNonRoot";

    static final List<Rule<DeploymentReview>> ALL =
            List.of(
                    new Rule<>(
                            "root-container-runs",
                            FIELD,
                            "The kubelet never starts a container as root in a pod that must not"
                                    + " run as root, so the job would stay down after its upgrade."
                                    + " Where a template says nothing, the operator fills in"
                                    + " runAsNonRoot as "
                                    + PodOptions.FILL_IN.key()
                                    + " says.",
                            RootContainerRules::neverStarted));

    private RootContainerRules() {}

    private static List<FieldProblem> neverStarted(DeploymentReview review) {
        Options options = new Options(review.effective());
        if (AdmissionPolicy.pods(options) == AdmissionPolicy.Pods.RESTRICTED) {
            return List.of(); // the rule pod-security refuses every root user then
        }
        boolean isRootNamed =
                PodTemplateRules.of(review.spec()).values().stream()
                                .anyMatch(template -> isRoot(user(template.path("spec"))))
                        || PodContainer.isAnyWritten(
                                review.spec(), (_, container) -> isRoot(user(container)));
        if (!isRootNamed) {
            return List.of(); // what is filled in is another user
        }
        return PodContainer.all(review, FillIn.of(options))
                .filter(each -> isRoot(each.podSpec(), each.container()))
                .map(
                        each ->
                                Problems.at(
                                        path(review, each),
                                        0,
                                        "is root, and the pod must not run as root; use another"
                                                + " user, or set runAsNonRoot: false beside it"))
                .distinct() // both components have what the common template says
                .toList();
    }

    /** As the kubelet decides: what a container says goes before what its pod says. */
    private static boolean isRoot(JsonNode spec, JsonNode container) {
        return isRoot(either(spec, container, USER))
                && either(spec, container, NON_ROOT).asBoolean(false);
    }

    private static JsonNode user(JsonNode podOrContainer) {
        return podOrContainer.path(SECURITY).path(USER);
    }

    private static boolean isRoot(JsonNode user) {
        return user.isNumber() && user.asLong() == 0;
    }

    private static JsonNode either(JsonNode spec, JsonNode container, String field) {
        JsonNode own = container.path(SECURITY).path(field);
        return own.isMissingNode() || own.isNull() ? spec.path(SECURITY).path(field) : own;
    }

    /** Where the user is named, by a component's own template or by the common one. */
    private static String path(DeploymentReview review, PodContainer container) {
        boolean names = container.container().path(SECURITY).hasNonNull(USER);
        return container.template(review, own -> says(own, names, container))
                + ".spec."
                + (names ? container.list() + "[" + container.name() + "]." : "")
                + SECURITY
                + "."
                + USER;
    }

    private static boolean says(ObjectNode template, boolean names, PodContainer container) {
        return names
                ? container
                        .in(template)
                        .findFirst()
                        .filter(own -> own.path(SECURITY).hasNonNull(USER))
                        .isPresent()
                : template.path("spec").path(SECURITY).hasNonNull(USER);
    }
}
