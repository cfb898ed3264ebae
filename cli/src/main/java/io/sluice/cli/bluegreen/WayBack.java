// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bluegreen;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.Handover;
import io.sluice.api.status.bluegreen.PairTransition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether a pair can go back to the spec that its active half has. There is no other way to abort a
 * transition than that edit: the operator then ends the other half (docs/contract/bluegreen.md,
 * section 2). Pure.
 */
sealed interface WayBack {
    /**
     * By setting {@code spec.template}.
     *
     * @param template that the active half has
     * @param changes of the template, a line each
     * @param consequences a sentence each
     */
    record Edit(ObjectNode template, List<String> changes, List<String> consequences)
            implements WayBack {
        public Edit {
            changes = List.copyOf(changes);
            consequences = List.copyOf(consequences);
        }
    }

    /** It was gone before. */
    record Done(String told) implements WayBack {}

    /**
     * Not now.
     *
     * @param why also says what to do
     */
    record Refused(String why) implements WayBack {}

    static WayBack of(Pair pair) {
        if (pair.isDeleting()) {
            return new Refused("the pair is being deleted");
        }
        if (!pair.isOfSluice()) {
            return new Refused(
                    "Sluice's operator has not written the status yet, so that it is not known"
                            + " which spec the active half has; edit spec.template yourself");
        }
        Optional<String> obstacle = pair.inProgress().flatMap(WayBack::obstacle);
        if (obstacle.isPresent()) {
            return new Refused(obstacle.get());
        }
        return pair.activeTemplate()
                .flatMap(template -> pair.active().map(half -> edit(pair, template, half)))
                .orElseGet(
                        () ->
                                new Refused(
                                        "the status does not say which spec the active half has;"
                                                + " edit spec.template yourself"));
    }

    private static WayBack edit(Pair pair, ObjectNode template, HalfColor active) {
        String half = active.nameIn(pair.name());
        Optional<PairTransition> transition = pair.inProgress();
        if (template.equals(pair.template())) {
            return transition.isPresent()
                    ? new Done(
                            "spec.template is what "
                                    + half
                                    + " has already; the operator ends the other half.")
                    : new Refused(
                            "no transition is in progress, and spec.template is what "
                                    + half
                                    + " has");
        }
        if (transition.isPresent() && !pair.isEndedBy(template)) {
            return new Refused(
                    "to go back to the spec of "
                            + half
                            + " would be a change in place, for which the operator does not end a"
                            + " transition; change spec.template.spec.restartNonce too, by an edit"
                            + " of your own");
        }
        return new Edit(
                template,
                TemplateChanges.between(pair.template(), template),
                consequences(pair, transition, half));
    }

    private static List<String> consequences(
            Pair pair, Optional<PairTransition> transition, String half) {
        List<String> all = new ArrayList<>();
        all.add(
                transition
                        .map(
                                it ->
                                        "The transition to "
                                                + it.to().nameIn(pair.name())
                                                + ", which is in the phase "
                                                + it.phase().wire()
                                                + ", ends, and what runs of that half is deleted.")
                        .orElse("No transition is in progress."));
        boolean isStopped =
                transition.filter(it -> it.handover() == Handover.STOP_FIRST).isPresent();
        all.add(
                isStopped
                        ? half
                                + " is resumed from its savepoint, if it was stopped for the"
                                + " transition."
                        : half + " goes on, and is not restarted.");
        all.add(
                "The edit is dropped: generation "
                        + pair.generation()
                        + " is not carried out. Change its file, too, or it comes back when"
                        + " somebody applies that.");
        pair.managers().stream()
                .filter(manager -> !manager.startsWith("kubectl") && !manager.startsWith("sluice"))
                .map(
                        manager ->
                                "'"
                                        + manager
                                        + "' sets fields of spec.template, too (managedFields):"
                                        + " change what it applies, or it makes the edit again.")
                .forEach(all::add);
        return all;
    }

    private static Optional<String> obstacle(PairTransition transition) {
        String half = "the half " + transition.to().word();
        return switch (transition.phase()) {
            case PREPARING, SAVING, STARTING, PROVING, APPROVAL, ENDED -> Optional.empty();
            case FIRST ->
                    Optional.of(
                            half
                                    + " is the first one, and there is none to go back to; correct"
                                    + " spec.template, or delete the pair");
            case IN_PLACE ->
                    Optional.of(
                            half
                                    + " gets the new spec in place, which is not aborted; apply the"
                                    + " former spec to change it back");
            case RETIRING ->
                    Optional.of(
                            half
                                    + " is promoted already, and an edit waits until the former half is"
                                    + " gone. If the new half fails before that, the operator goes"
                                    + " back by itself. To go back later, apply the former spec,"
                                    + " which begins another transition");
            case REMOVING ->
                    Optional.of(
                            "the former half is being deleted, and there is no way back; to have"
                                    + " the former spec again, apply it, which begins another"
                                    + " transition");
            case ABORTING, RESUMING ->
                    Optional.of(
                            "the transition is being aborted already; to drop the edit as well, run"
                                    + " the command again once that has ended");
        };
    }
}
