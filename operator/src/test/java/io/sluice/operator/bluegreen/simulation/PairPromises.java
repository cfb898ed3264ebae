// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.Handover;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.operator.reconcile.IntentFirst;
import java.util.List;
import java.util.Optional;

/**
 * What must hold of a pair and its halves, by each change of them that the API server has stored.
 * Of the status of the pair, what is on record has to allow for what is done.
 */
final class PairPromises {
    private static final String NONCE = "/job/savepointRedeployNonce";

    private final PairWorld world;
    private final Handover handover;
    private final boolean isStateful;
    private ObjectNode status = JsonNodeFactory.instance.objectNode();
    private boolean everRan;
    private boolean wasWished;

    PairPromises(PairWorld world, Handover handover, boolean isStateful) {
        this.world = world;
        this.handover = handover;
        this.isStateful = isStateful;
    }

    ObjectNode status() {
        return status;
    }

    /** That is in progress, by what is on record. */
    Optional<PairTransition> transition() {
        return FlinkBlueGreenDeploymentStatus.of(status)
                .transition()
                .filter(transition -> !transition.isOver());
    }

    /** Whether the spec is another than the one that the transition on record carries out. */
    boolean isEdited() {
        String wish = JsonNodeFactory.instance.objectNode().set("spec", world.spec()).toString();
        return transition()
                .filter(it -> it.phase() == TransitionPhase.SAVING)
                .flatMap(PairTransition::spec)
                .filter(it -> !it.equals(wish))
                .isPresent();
    }

    /** The user has asked for a suspended job at some time: an old record may say so. */
    void wishesSuspension() {
        wasWished = true;
    }

    /** The API server has another version of the pair. */
    void saw(FlinkBlueGreenDeployment pair) {
        ObjectNode next = IntentFirst.statusOf(pair);
        if (next.equals(status)) {
            return;
        }
        boolean begins = !isHandedOver(status) && isHandedOver(next);
        if (begins && handover == Handover.OVERLAP && world.quota().hasBeenFullThroughout()) {
            world.violated("a transition begins that the quota has no room for");
        }
        world.snapshots().stored(status, next);
        world.analysis().stored(status, next);
        world.told().stored(status, next);
        status = next;
        transition().ifPresent(begun -> world.halves().forEach(half -> half.note(begun.id())));
    }

    private static boolean isHandedOver(ObjectNode status) {
        return FlinkBlueGreenDeploymentStatus.of(status)
                .transition()
                .map(PairTransition::phase)
                .filter(
                        phase ->
                                phase == TransitionPhase.SAVING
                                        || phase == TransitionPhase.STARTING
                                        || phase == TransitionPhase.PROVING
                                        || phase == TransitionPhase.APPROVAL)
                .isPresent();
    }

    void startsFromNothing(Half half) {
        if (isStateful && everRan && half.isOurs()) {
            world.violated("a half starts from nothing although there is state");
        }
    }

    /** After the halves had a turn. */
    void check() {
        List<Half> ours = world.halves().stream().filter(Half::isOurs).toList();
        everRan |= ours.stream().anyMatch(Half::wasSteady);
        long running = world.deployed().last().filter(Half::isOurs).filter(Half::isLive).count();
        if (handover == Handover.STOP_FIRST && running > 1) {
            world.violated("both halves run, though the former is to be stopped first");
        }
        List<Half> live = ours.stream().filter(Half::isLive).toList();
        if (live.size() < 2) {
            return;
        }
        boolean isMeant =
                transition()
                                .map(PairTransition::phase)
                                .filter(phase -> bothMayRun(phase))
                                .isPresent()
                        || live.stream().anyMatch(half -> half.isDeleting() || !half.wantsToRun());
        if (!isMeant) {
            world.violated("both halves run, and no transition is on record");
        }
    }

    private static boolean bothMayRun(TransitionPhase phase) {
        return switch (phase) {
            case STARTING, PROVING, APPROVAL, RETIRING, REMOVING, ABORTING -> true;
            case FIRST, IN_PLACE, PREPARING, SAVING, RESUMING, ENDED -> false;
        };
    }

    /** The operator has changed a half. */
    void changed(HalfColor color, Half half, FlinkDeployment next) {
        if (!half.isOurs()) {
            world.violated("a FlinkDeployment of somebody else is changed");
        }
        touches(color, false, next.getSpec());
    }

    private void touches(HalfColor color, boolean deletes, ObjectNode with) {
        Optional<PairTransition> recorded = transition();
        boolean isActive =
                recorded.flatMap(PairTransition::from).equals(Optional.of(color))
                        || (recorded.isEmpty()
                                && FlinkBlueGreenDeploymentStatus.of(status)
                                        .blueGreenState()
                                        .flatMap(state -> state.half())
                                        .equals(Optional.of(color)));
        if (!isActive) {
            return;
        }
        boolean isAllowed =
                recorded.map(PairTransition::phase)
                        .filter(
                                phase ->
                                        deletes
                                                ? phase == TransitionPhase.REMOVING
                                                : phase == TransitionPhase.IN_PLACE
                                                        || phase == TransitionPhase.RESUMING
                                                        || (phase == TransitionPhase.SAVING
                                                                && handover == Handover.STOP_FIRST))
                        .isPresent();
        if (!isAllowed) {
            world.violated("the active half is touched in " + recorded.map(PairTransition::phase));
        }
        boolean isSuspended = with.at("/job/state").asText("").equals("suspended");
        boolean isWished =
                world.spec().at("/template/spec/job/state").asText("").equals("suspended")
                        || recorded.filter(it -> it.phase() == TransitionPhase.SAVING).isPresent();
        boolean isInPlace =
                recorded.filter(it -> it.phase() == TransitionPhase.IN_PLACE).isPresent();
        if (isSuspended && isInPlace && !isWished && !wasWished) {
            world.violated("the active half is suspended though nobody asks for that");
        }
    }

    /** The operator has deleted a half. */
    void deleted(HalfColor color, Half half) {
        if (!half.isOurs()) {
            world.violated("a FlinkDeployment of somebody else is deleted");
        }
        touches(color, true, world.spec());
        if (!transition().flatMap(PairTransition::from).equals(Optional.of(color))) {
            return;
        }
        Optional<Half> other = world.half(color.other());
        if (other.filter(it -> !it.isDeleting() && it.wasSteady()).isEmpty()) {
            world.violated("the former half is deleted before the other one has run");
        } else if (isStateful
                && !isRedeployed(other.get(), half)
                && !holds(other.get(), half, leastStart(other.get(), half))) {
            world.violated(
                    "state is lost: the other half goes on from %d, the former was at %d"
                            .formatted(other.get().base(), leastStart(other.get(), half)));
        }
    }

    private static boolean holds(Half other, Half former, long least) {
        return least == 0 || (other.base() >= least && other.lineOfBase() == former.line());
    }

    /**
     * How far the other half has to be from its start on. Its savepoint was made for this
     * transition, so after that was recorded, and for the spec that it has, so after somebody asked
     * for that first. A wish that is taken back before the operator has recorded it changes
     * neither, and the savepoint of before serves: the other half reads on from there.
     */
    private long leastStart(Half other, Half former) {
        long atBegin = transition().map(PairTransition::id).map(former::positionAt).orElse(0L);
        return Math.max(atBegin, former.positionAt(other.image()));
    }

    /** The user has named where the other half starts from, and nothing but that counts. */
    private static boolean isRedeployed(Half other, Half former) {
        JsonNode nonce = other.spec().at(NONCE);
        return nonce.isNumber() && !nonce.equals(former.spec().at(NONCE));
    }
}
