// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bluegreen;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.FlinkBlueGreenDeploymentSpec;
import io.sluice.api.spec.ResourceKind;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.cli.cluster.SafeText;
import io.sluice.cli.document.Document;
import io.sluice.rules.Reviewer;
import io.sluice.rules.advice.EditEffect;
import io.sluice.rules.bluegreen.PairAdvice;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.BlueGreenOptions;
import io.sluice.rules.diff.PairDiff;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.ReviewRequest;
import io.sluice.rules.review.Rule;
import io.sluice.rules.review.Warning;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the operator does about an edit of a pair. Pure.
 *
 * @param what happens, a sentence each
 * @param changes of the template, a line each
 * @param odd what is worth knowing beside it
 * @param needsRoom whether both halves run for a while, so that quotas have to hold both
 */
record Plan(List<String> what, List<String> changes, List<String> odd, boolean needsRoom) {
    /** What concerns a transition and not the template by itself. */
    private static final Set<String> OF_TRANSITIONS =
            PairAdvice.ALL.stream().map(Rule::id).collect(Collectors.toUnmodifiableSet());

    Plan {
        what = List.copyOf(what);
        changes = List.copyOf(changes);
        odd = List.copyOf(odd);
    }

    /**
     * @param document the pair as it is to be, which the rules accept
     * @param namespace of the pair
     * @param defaults the operator's configuration
     */
    static Plan of(
            Document document,
            String namespace,
            PlanSubject subject,
            DefaultConfiguration defaults) {
        ObjectNode resource = document.content().deepCopy();
        resource.set("status", subject.status());
        List<Warning> warnings =
                new Reviewer(defaults)
                        .review(
                                new ReviewRequest(
                                        ResourceKind.FLINK_BLUE_GREEN_DEPLOYMENT,
                                        namespace,
                                        document.name(),
                                        resource),
                                (_, _, _) -> new Lookup.Unknown())
                        .warnings();
        ObjectNode after = template(document);
        boolean isOverlap = handover(document).equals("overlap");
        Optional<PairDiff.Effect> effect =
                subject.template()
                        .map(
                                before ->
                                        PairDiff.between(Pair.half(before), Pair.half(after))
                                                .effect());
        boolean isTransition = effect.filter(it -> !it.isInPlace()).isPresent();
        List<String> what = new ArrayList<>();
        what.addAll(effects(warnings, effect));
        if (subject instanceof PlanSubject.Live(var pair)) {
            pair.inProgress().map(it -> meanwhile(pair, it, after)).ifPresent(what::add);
        }
        what.addAll(ofTransitions(warnings));
        if (isTransition && !isOverlap) {
            what.add(
                    "The active half is stopped with its state before the other one is started"
                            + " (stop-first): no record is processed twice, no more resources are"
                            + " needed, and nothing runs until the other half does.");
        }
        return new Plan(
                what,
                subject.template()
                        .map(before -> TemplateChanges.between(before, after))
                        .orElse(List.of()),
                warnings.stream()
                        .filter(each -> !each.id().equals(EditEffect.ID))
                        .filter(each -> !OF_TRANSITIONS.contains(each.id()))
                        .map(each -> SafeText.line(each.text()))
                        .toList(),
                isTransition && isOverlap);
    }

    /** The first thing that happens. */
    private static List<String> effects(List<Warning> warnings, Optional<PairDiff.Effect> effect) {
        if (effect.isEmpty()) {
            return List.of("It creates the first half; nothing runs beside it.");
        }
        List<String> told =
                warnings.stream()
                        .filter(each -> each.id().equals(EditEffect.ID))
                        .map(each -> "It " + SafeText.line(each.message()))
                        .toList();
        return told.isEmpty() ? List.of("It changes nothing that runs.") : told;
    }

    private static List<String> ofTransitions(List<Warning> warnings) {
        return warnings.stream()
                .filter(each -> OF_TRANSITIONS.contains(each.id()))
                .map(each -> SafeText.line(each.text()))
                .toList();
    }

    /** What becomes of the transition that is in progress. */
    private static String meanwhile(Pair pair, PairTransition transition, ObjectNode after) {
        String present =
                "A transition to "
                        + transition.to().nameIn(pair.name())
                        + " is in progress, in the phase "
                        + transition.phase().wire();
        return switch (transition.phase()) {
            case PREPARING, SAVING, STARTING, PROVING, APPROVAL ->
                    present
                            + (pair.isEndedBy(after)
                                    ? ": the edit ends it, what runs of that half is deleted, and"
                                            + " the active half goes on."
                                    : ": it goes on, and what the edit changes comes afterwards.");
            case FIRST, IN_PLACE -> present + ": that half gets the edit, too.";
            case RETIRING, REMOVING, ABORTING, RESUMING, ENDED ->
                    present + ": it is finished first.";
        };
    }

    private static String handover(Document document) {
        return new Options(
                        FlinkBlueGreenDeploymentSpec.parse(document.content().path("spec"), "spec")
                                .value()
                                .configuration())
                .get(BlueGreenOptions.HANDOVER);
    }

    private static ObjectNode template(Document document) {
        return document.content().at("/spec/template") instanceof ObjectNode template
                ? template
                : JsonNodeFactory.instance.objectNode();
    }
}
