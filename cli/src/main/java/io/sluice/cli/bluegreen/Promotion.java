// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bluegreen;

import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.rules.config.option.BlueGreenOptions;
import java.util.Optional;

/** Whether somebody may approve of a pair's transition now. Pure. */
sealed interface Promotion {
    /**
     * By setting the annotation.
     *
     * @param generation that it is set to
     * @param told what that does
     */
    record Approve(long generation, String told) implements Promotion {}

    /** It was done before. */
    record Done(String told) implements Promotion {}

    /**
     * Not now.
     *
     * @param why also says what to do
     */
    record Refused(String why) implements Promotion {}

    static Promotion of(Pair pair) {
        if (pair.isDeleting()) {
            return new Refused("the pair is being deleted");
        }
        if (pair.inProgress().isEmpty()) {
            return new Refused(
                    "no transition is in progress"
                            + (pair.isOfSluice()
                                    ? ""
                                    : ", as Sluice's operator has not written the status yet")
                            + "; edit spec.template to begin one");
        }
        PairTransition transition = pair.inProgress().get();
        Optional<String> why = obstacle(transition).or(() -> edit(pair, transition));
        return why.<Promotion>map(Refused::new).orElseGet(() -> approval(pair, transition));
    }

    private static Promotion approval(Pair pair, PairTransition transition) {
        long generation = transition.generation();
        if (!pair.options().get(BlueGreenOptions.PROMOTION).equals("manual")) {
            return new Refused(
                    "the transition needs no approval: "
                            + BlueGreenOptions.PROMOTION.key()
                            + " is not manual in spec.configuration, so the half "
                            + transition.to().word()
                            + " is promoted once it has proven itself");
        }
        boolean isApproved = pair.approved().equals(Optional.of(Long.toString(generation)));
        return isApproved
                ? new Done(
                        "The transition of generation "
                                + generation
                                + " was approved of before. "
                                + next(transition))
                : new Approve(
                        generation,
                        "The annotation "
                                + FlinkBlueGreenDeployment.PROMOTE
                                + " is \""
                                + generation
                                + "\" now. "
                                + next(transition));
    }

    private static String next(PairTransition transition) {
        String half = "The half " + transition.to().word();
        return transition.phase() == TransitionPhase.APPROVAL
                ? half + " waited for that, and is promoted."
                : half
                        + " is promoted once it has proven itself; it is in the phase "
                        + transition.phase().wire()
                        + ". An edit of spec.template voids the approval.";
    }

    private static Optional<String> obstacle(PairTransition transition) {
        String half = "the half " + transition.to().word();
        return switch (transition.phase()) {
            case PREPARING, SAVING, STARTING, PROVING, APPROVAL -> Optional.empty();
            case FIRST ->
                    Optional.of(
                            half
                                    + " is the first one, which is active once it runs, without an"
                                    + " approval");
            case IN_PLACE ->
                    Optional.of(half + " gets the new spec in place, which needs no approval");
            case RETIRING, REMOVING, ENDED -> Optional.of(half + " is promoted already");
            case ABORTING, RESUMING ->
                    Optional.of(
                            "the transition is being aborted"
                                    + transition.message().map(it -> ": " + it).orElse("")
                                    + "; edit spec.template to begin another one");
        };
    }

    /** An approval is for what was proven, and not for what was edited since. */
    private static Optional<String> edit(Pair pair, PairTransition transition) {
        return pair.isEndedBy(pair.template())
                ? Optional.of(
                        "spec.template was edited since (generation "
                                + pair.generation()
                                + "), and the transition of generation "
                                + transition.generation()
                                + " is not the one that would be promoted; run the command again"
                                + " once the operator has looked at the edit")
                : Optional.empty();
    }
}
