// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.Parsed;
import io.sluice.mutator.Mutator;
import io.sluice.rules.DeploymentReview;
import io.sluice.rules.DeploymentRules;
import io.sluice.rules.Violation;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.defaults.Defaults;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Which request is put before the rules, and which is completed by the defaults. Pure. */
final class Admission {
    static final String DEPLOYMENT = "FlinkDeployment";

    /** The kinds that carry a label of their own in the metrics. */
    static final Set<String> KINDS =
            Set.of(DEPLOYMENT, "FlinkSessionJob", "FlinkStateSnapshot", "FlinkBlueGreenDeployment");

    private final DefaultConfiguration defaults;

    Admission(DefaultConfiguration defaults) {
        this.defaults = defaults;
    }

    Verdict validate(AdmissionRequest request) {
        return shortcut(request).orElseGet(() -> check(resource(request)));
    }

    Verdict mutate(AdmissionRequest request) {
        return shortcut(request)
                .orElseGet(
                        () ->
                                Mutator.patch(resource(request))
                                        .<Verdict>map(Verdict.Completed::new)
                                        .orElse(Verdict.allowed()));
    }

    /** The answer to what is neither checked nor completed. */
    private static Optional<Verdict> shortcut(AdmissionRequest request) {
        if (!request.group().equals(FlinkDeployment.GROUP) && request.subresource().isEmpty()) {
            return Optional.of(new Verdict.Unknown(request.kind()));
        }
        boolean writes =
                switch (request.operation()) {
                    case CREATE, UPDATE -> true;
                    case DELETE, CONNECT -> false;
                };
        if (!writes || !request.subresource().isEmpty() || request.object().isEmpty()) {
            return Optional.of(Verdict.allowed());
        }
        if (!request.kind().equals(DEPLOYMENT)) {
            return Optional.of(new Verdict.Allowed(List.of(Warnings.notYet(request.kind()))));
        }
        return isCanary(request.object().get()) || keepsSpec(request)
                ? Optional.of(Verdict.allowed())
                : Optional.empty();
    }

    private Verdict check(ObjectNode resource) {
        Parsed<DeploymentReview> review = DeploymentReview.read(resource, defaults);
        List<Violation> violations = DeploymentRules.check(review);
        List<String> warnings = Warnings.of(review.value().spec());
        return violations.isEmpty()
                ? new Verdict.Allowed(warnings)
                : new Verdict.Refused(violations, warnings);
    }

    /** The object, named as the request names it where it does not say so itself. */
    private static ObjectNode resource(AdmissionRequest request) {
        ObjectNode resource =
                request.object().orElseGet(JsonNodeFactory.instance::objectNode).deepCopy();
        ObjectNode metadata = resource.withObjectProperty("metadata");
        if (!metadata.path("namespace").isTextual()) {
            metadata.put("namespace", request.namespace());
        }
        if (!metadata.path("name").isTextual()) {
            metadata.put("name", request.name());
        }
        return resource;
    }

    /**
     * Labels, finalizers and the like can be changed on a resource whose spec was stored before a
     * rule was: refusing them would keep it from being deleted.
     */
    private static boolean keepsSpec(AdmissionRequest request) {
        return request.oldObject()
                .map(old -> spec(old).equals(spec(request.object().orElseThrow())))
                .orElse(false);
    }

    private static ObjectNode spec(ObjectNode resource) {
        return resource.get("spec") instanceof ObjectNode spec
                ? Defaults.apply(spec)
                : JsonNodeFactory.instance.objectNode();
    }

    private static boolean isCanary(ObjectNode resource) {
        return resource.path("metadata")
                .path("labels")
                .path("flink.apache.org/canary")
                .asText("")
                .equals("true");
    }
}
