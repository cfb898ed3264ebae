// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.json.Parsed;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.SpecView;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.operator.validation.Verdict;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.defaults.Defaults;
import io.sluice.rules.deployment.DeploymentReview;
import io.sluice.rules.deployment.DeploymentRules;
import io.sluice.rules.diff.SpecDiff;
import io.sluice.rules.review.Violation;
import java.util.List;
import java.util.Optional;

/**
 * Reads a spec with the same defaults, rules and validators as the webhook, so that the two cannot
 * disagree.
 */
public final class SpecReader {
    private SpecReader() {}

    /** The spec of {@code resource}, or everything that is wrong with it. */
    public static SpecView of(
            FlinkDeployment resource,
            Optional<LastReconciledSpec> lastReconciled,
            DefaultConfiguration defaults,
            SpecValidators validators) {
        ObjectNode raw = Defaults.apply(resource.getSpec());
        Parsed<DeploymentReview> review =
                DeploymentReview.read(
                        resource.getMetadata().getNamespace(),
                        resource.getMetadata().getName(),
                        raw,
                        lastReconciled.map(LastReconciledSpec::spec),
                        defaults);
        List<Violation> violations = DeploymentRules.check(review);
        return violations.isEmpty()
                ? validated(
                        resource,
                        lastReconciled,
                        new SpecView.Valid(review.value().spec(), raw),
                        validators)
                : SpecView.Invalid.of(
                        raw,
                        Reason.SPEC_INVALID,
                        violations.stream().map(Violation::text).toList());
    }

    /**
     * A spec that keeps to the rules, or why the validators keep it from being carried out. Of what
     * was reconciled last nothing is held up only because nobody can tell.
     */
    public static SpecView validated(
            HasMetadata resource,
            Optional<LastReconciledSpec> lastReconciled,
            SpecView.Valid view,
            SpecValidators validators) {
        return switch (validators.of(resource, view.raw())) {
            case Verdict.Accepted _ -> view;
            case Verdict.Refused(var problems) -> held(view, Reason.SPEC_REFUSED, problems);
            case Verdict.Failed(var why) ->
                    isLastReconciled(lastReconciled, view)
                            ? view
                            : held(view, Reason.VALIDATION_FAILED, List.of(why));
            case Verdict.Pending _ ->
                    isLastReconciled(lastReconciled, view)
                            ? view
                            : held(view, Reason.VALIDATING, List.of());
        };
    }

    private static SpecView held(SpecView.Valid view, Reason reason, List<String> problems) {
        return SpecView.Invalid.of(view.raw(), reason, problems);
    }

    private static boolean isLastReconciled(
            Optional<LastReconciledSpec> lastReconciled, SpecView.Valid view) {
        return lastReconciled
                .map(before -> SpecDiff.between(before.spec(), view.spec()).effect())
                .filter(effect -> effect == SpecDiff.Effect.NONE)
                .isPresent();
    }
}
