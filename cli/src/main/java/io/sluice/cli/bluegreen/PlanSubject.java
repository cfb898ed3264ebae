// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bluegreen;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.cli.cluster.SafeText;
import io.sluice.cli.document.Document;
import java.util.Optional;

/** What a pair in a file is compared with. */
sealed interface PlanSubject {
    /** There is no such pair. */
    record New() implements PlanSubject {}

    /** The pair in the cluster. */
    record Live(Pair pair) implements PlanSubject {}

    /** The pair in another file, as if its spec were what the active half has. */
    record InFile(Document document) implements PlanSubject {}

    /** The status that tells the rules what the active half has. */
    default ObjectNode status() {
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        switch (this) {
            case New() -> {}
            case Live(var pair) ->
                    base(pair)
                            .ifPresent(
                                    template ->
                                            status.put("lastReconciledSpec", encoded(template)));
            case InFile(var document) ->
                    status.put(
                            "lastReconciledSpec", encoded(document.content().at("/spec/template")));
        }
        return status;
    }

    /** The template that an edit is compared with; empty for a new pair. */
    default Optional<ObjectNode> template() {
        return switch (this) {
            case New() -> Optional.empty();
            case Live(var pair) -> base(pair);
            case InFile(var document) ->
                    Optional.of(document.content().at("/spec/template"))
                            .filter(ObjectNode.class::isInstance)
                            .map(ObjectNode.class::cast);
        };
    }

    /** What it is compared with, for people. */
    default String text() {
        return switch (this) {
            case New() -> "a new pair";
            case Live(var pair) ->
                    "compared with what "
                            + pair.active().orElse(HalfColor.BLUE).nameIn(pair.name())
                            + " has";
            case InFile(var document) -> "compared with " + SafeText.line(document.file());
        };
    }

    /** Once the other half is promoted, an edit is compared with what that one has. */
    private static Optional<ObjectNode> base(Pair pair) {
        boolean isPromoted = pair.inProgress().filter(PlanSubject::isPromoted).isPresent();
        return isPromoted ? pair.recordedTemplate() : pair.activeTemplate();
    }

    /** Whether an edit waits for the end of the transition. */
    static boolean isPromoted(PairTransition transition) {
        return switch (transition.phase()) {
            case RETIRING, REMOVING -> true;
            case FIRST,
                    IN_PLACE,
                    PREPARING,
                    SAVING,
                    STARTING,
                    PROVING,
                    APPROVAL,
                    ABORTING,
                    RESUMING,
                    ENDED ->
                    false;
        };
    }

    private static String encoded(JsonNode template) {
        ObjectNode document = JsonNodeFactory.instance.objectNode();
        document.putObject("spec").set("template", template);
        return document.toString();
    }
}
