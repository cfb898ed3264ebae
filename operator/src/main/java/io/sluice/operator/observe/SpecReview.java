// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.CustomResource;
import io.sluice.api.spec.ResourceKind;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.SpecView;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.operator.validation.Verdict;
import io.sluice.rules.Reviewer;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.ReviewRequest;
import io.sluice.rules.review.Violation;
import java.util.List;
import java.util.Optional;

/**
 * Applies the same rules and validators as the webhook to a resource whose spec refers to no other
 * one.
 */
public record SpecReview(DefaultConfiguration defaults, SpecValidators validators) {
    /** Why the spec is not carried out; empty if it is. */
    public Optional<SpecView.Invalid> objection(
            ResourceKind kind, CustomResource<ObjectNode, ObjectNode> resource) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.set("spec", orEmpty(resource.getSpec()));
        document.set("status", orEmpty(resource.getStatus()));
        List<String> problems =
                new Reviewer(defaults)
                                .problems(
                                        new ReviewRequest(
                                                kind,
                                                resource.getMetadata().getNamespace(),
                                                resource.getMetadata().getName(),
                                                document),
                                        Lookup.NOTHING)
                                .stream()
                                .map(Violation::text)
                                .toList();
        if (!problems.isEmpty()) {
            return Optional.of(new SpecView.Invalid(problems));
        }
        return switch (validators.of(resource, orEmpty(resource.getSpec()))) {
            case Verdict.Accepted _ -> Optional.empty();
            case Verdict.Refused(var why) ->
                    Optional.of(new SpecView.Invalid(Reason.SPEC_REFUSED, why));
            case Verdict.Failed(var why) ->
                    Optional.of(new SpecView.Invalid(Reason.VALIDATION_FAILED, List.of(why)));
            case Verdict.Pending _ ->
                    Optional.of(new SpecView.Invalid(Reason.VALIDATING, List.of()));
        };
    }

    private static ObjectNode orEmpty(ObjectNode node) {
        return Optional.ofNullable(node).orElseGet(JsonNodeFactory.instance::objectNode);
    }
}
