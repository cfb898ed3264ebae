// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import static io.sluice.api.status.bluegreen.HalfColor.BLUE;
import static io.sluice.api.status.bluegreen.HalfColor.GREEN;
import static io.sluice.operator.bluegreen.decide.Pair.aNewPair;
import static io.sluice.operator.bluegreen.decide.Pair.aPairThatStopsFirst;
import static io.sluice.operator.bluegreen.decide.Pair.aStatelessPair;
import static io.sluice.operator.bluegreen.decide.Pair.half;
import static io.sluice.operator.bluegreen.decide.Pair.steady;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.bluegreen.BlueGreenState;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.manifest.Room;
import io.sluice.operator.bluegreen.analysis.Figures;
import io.sluice.operator.bluegreen.analysis.Figures.Progress;
import io.sluice.operator.bluegreen.decide.HalfView.Condition;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.Reason;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every phase with every pair of halves, every answer, and every edit. */
class PairTotalityTest {
    /** Of the situations one in so many, so that each kind of them is there. */
    private static final int EACH = 41;

    private static final int LOOKS = 60;

    private static final List<Figures> FIGURES =
            List.of(
                    Figures.NOT_ASKED,
                    Figures.UNKNOWN,
                    Figures.of(Optional.of(0L), Optional.of(1L))
                            .with()
                            .other(new Progress(Optional.of(1e6), Optional.empty()))
                            .active(new Progress(Optional.of(1.0), Optional.empty()))
                            .build());

    private static final List<AsyncResult> ANSWERS =
            List.of(
                    new AsyncResult.NotAsked(),
                    new AsyncResult.Silent("timed out"),
                    new AsyncResult.Pending(),
                    new AsyncResult.Done(Optional.of("s3://b/1")),
                    new AsyncResult.Done(Optional.empty()),
                    new AsyncResult.NotKept("It is deleted."),
                    new AsyncResult.Failed("disk full"),
                    new AsyncResult.Unknown());

    @Test
    void decidesInEverySituationAndTouchesTheActiveHalfInTheRightOnesOnly() {
        List<Pair> all = everySituation().toList();
        assertThat(all).hasSizeGreaterThan(20_000);
        for (Pair pair : all) {
            PairDecision decision = pair.decide();
            TransitionPhase phase =
                    decision.status()
                            .transition()
                            .map(PairTransition::phase)
                            .orElse(TransitionPhase.ENDED);
            for (PairAction action : decision.actions()) {
                Optional<HalfColor> active =
                        phase == TransitionPhase.ENDED
                                ? decision.status().blueGreenState().flatMap(state -> state.half())
                                : decision.status().transition().flatMap(PairTransition::from);
                boolean isOfActive =
                        switch (action) {
                            case PairAction.ApplyHalf(var color, _, _) ->
                                    active.equals(Optional.of(color));
                            case PairAction.DeleteHalf(var color, _) ->
                                    active.equals(Optional.of(color));
                            case PairAction.CreateHalf _,
                                    PairAction.TriggerSavepoint _,
                                    PairAction.RegisterSavepoint _,
                                    PairAction.LeadTo _ ->
                                    false;
                        };
                if (isOfActive && action instanceof PairAction.DeleteHalf) {
                    assertThat(phase).as("%s", pair).isEqualTo(TransitionPhase.REMOVING);
                } else if (isOfActive) {
                    assertThat(phase)
                            .as("%s", pair)
                            .isIn(
                                    TransitionPhase.IN_PLACE,
                                    TransitionPhase.SAVING,
                                    TransitionPhase.RESUMING);
                }
            }
            boolean waits = decision.reason().outlook() == Reason.Outlook.PROGRESSING;
            assertThat(!waits || decision.checkAgain().isPresent())
                    .as("it is looked at again: %s", pair)
                    .isTrue();
        }
    }

    /** Whatever has happened, with an edit that works and halves that do as they are told. */
    @Test
    void hasAWayOutOfEverySituation() {
        List<Pair> all = everySituation().toList();
        IntStream.range(0, all.size() / EACH)
                .mapToObj(index -> all.get(index * EACH))
                .forEach(
                        pair -> {
                            Pair next =
                                    pair.wishing("image", "v9")
                                            .withRoom(Room.NOT_ASKED)
                                            .counting(Figures.UNKNOWN);
                            PairDecision decision = next.decide();
                            for (int i = 0; i < LOOKS && !isSettled(next, decision); i++) {
                                next = obeyed(next, decision);
                                decision = next.decide();
                            }
                            assertThat(isSettled(next, decision) || isForHumans(decision))
                                    .as("%s leads to %s", pair, next)
                                    .isTrue();
                        });
    }

    /** A quota is full for an hour, whatever has happened, and then it is not. */
    @Test
    void waitsForRoomAndGoesOnOnceThereIsSome() {
        List<Pair> all = everySituation().toList();
        int held = 0;
        for (int index = 0; index < all.size(); index += EACH) {
            Pair next =
                    all.get(index)
                            .wishing("image", "v9")
                            .withRoom(Pair.FULL)
                            .counting(Figures.UNKNOWN);
            PairDecision decision = next.decide();
            for (int i = 0; i < LOOKS && !isSettled(next, decision); i++) {
                next = obeyed(next, decision);
                decision = next.decide();
            }
            held += decision.reason() == Reason.PAIR_NO_ROOM ? 1 : 0;
            next = next.withRoom(Room.NOT_ASKED);
            decision = next.decide();
            for (int i = 0; i < LOOKS && !isSettled(next, decision); i++) {
                next = obeyed(next, decision);
                decision = next.decide();
            }
            assertThat(isSettled(next, decision) || isForHumans(decision))
                    .as("%s leads to %s", all.get(index), next)
                    .isTrue();
        }
        assertThat(held).as("situations in which the quota counted").isGreaterThan(100);
    }

    @Test
    void reachesEveryReason() {
        Set<Reason> reached =
                everySituation()
                        .map(pair -> pair.decide().reason())
                        .collect(Collectors.toCollection(() -> EnumSet.noneOf(Reason.class)));
        Pair starting = aNewPair().starting();
        Stream.of(
                        starting.withNew(Condition.STEADY).misled(GREEN).decided().misled(GREEN),
                        starting.configured("bluegreen.promotion", "manual")
                                .withNew(Condition.STEADY),
                        starting.configured("bluegreen.analysis.duration", "1 min")
                                .withNew(Condition.STEADY),
                        aNewPair().with(BLUE, steady("a")).with(GREEN, steady("b")),
                        aNewPair().decided().refused("exceeded quota"))
                .map(pair -> pair.decide().reason())
                .forEach(reached::add);

        assertThat(reached)
                .containsAll(
                        Arrays.stream(Reason.values())
                                .filter(reason -> reason.name().startsWith("PAIR_"))
                                .toList());
    }

    private static Stream<Pair> everySituation() {
        List<Pair> all = new ArrayList<>();
        for (Pair base : List.of(aNewPair(), aStatelessPair(), aPairThatStopsFirst())) {
            all.addAll(of(base));
            all.addAll(of(base.decided()));
            for (HalfColor color : HalfColor.values()) {
                Pair active = base.active(color);
                all.addAll(of(active));
                all.addAll(of(active.wishing("image", "v2")));
                all.addAll(of(active.wishing("image", "v2").withRoom(Pair.FULL)));
                all.addAll(of(active.wishingJob("state", "suspended")));
                all.addAll(of(active.wishingJob("state", "suspended").decided()));
            }
            for (TransitionPhase phase : TransitionPhase.values()) {
                Pair begun = in(base.active(BLUE), phase);
                all.addAll(of(begun));
                all.addAll(of(begun.wishing("image", "v3")));
                all.addAll(of(begun.withRoom(Pair.FULL)));
                all.addAll(of(begun.objectedTo("spec is wrong")));
            }
            for (Figures figures : FIGURES) {
                Pair analyzed = analyzed(base).active(BLUE).counting(figures);
                all.addAll(of(in(analyzed, TransitionPhase.PROVING)));
                all.addAll(of(in(analyzed, TransitionPhase.APPROVAL)));
            }
        }
        return all.stream();
    }

    private static Pair analyzed(Pair base) {
        return base.configured("bluegreen.analysis.duration", "1 min")
                .configured("bluegreen.analysis.max-lag-ratio", "1")
                .configured("bluegreen.analysis.queries", "errors");
    }

    private static Pair in(Pair active, TransitionPhase phase) {
        Pair begun = active.wishing("image", "v2").decided();
        return begun.withStatus(
                begun.observed()
                        .status()
                        .withTransition(
                                Optional.of(
                                        begun.transition()
                                                .with()
                                                .phase(phase)
                                                .formerUid(Optional.of("uid-former"))
                                                .build())));
    }

    private static List<Pair> of(Pair base) {
        String id = base.observed().status().transition().map(PairTransition::id).orElse("x");
        List<Pair> all = new ArrayList<>();
        for (HalfView blue : views(id)) {
            for (HalfView green : views(id)) {
                Pair seen = base.with(BLUE, blue).with(GREEN, green);
                all.add(seen);
                all.add(seen.later(Duration.ofDays(1)));
            }
        }
        for (AsyncResult answer : ANSWERS) {
            all.add(base.answering(answer));
            all.add(base.answering(answer).later(Duration.ofDays(1)));
        }
        return all;
    }

    private static List<HalfView> views(String id) {
        List<HalfView> views =
                new ArrayList<>(
                        List.of(
                                new HalfView.Absent(),
                                new HalfView.Foreign("uid-foreign"),
                                new HalfView.Leaving("uid-leaving")));
        for (Condition condition : Condition.values()) {
            views.add(half(id, condition));
        }
        views.add(half("former", Condition.STEADY));
        views.add(half("former", Condition.SUSPENDED));
        return views;
    }

    private static boolean isSettled(Pair pair, PairDecision decision) {
        return decision.reason() == Reason.JOB_RUNNING
                && pair.observed().status().blueGreenState().isPresent()
                && pair.observed()
                        .status()
                        .transition()
                        .filter(transition -> !transition.isOver())
                        .isEmpty();
    }

    /** What no operator may decide by itself. */
    private static boolean isForHumans(PairDecision decision) {
        return switch (decision.reason()) {
            case PAIR_ACTIVE_MISSING,
                    PAIR_ACTIVE_UNKNOWN,
                    PAIR_NAME_OCCUPIED,
                    SPEC_INVALID,
                    SUSPENDED ->
                    true;
            default -> false;
        };
    }

    /** One look, and halves that do what they are told at once. */
    private static Pair obeyed(Pair pair, PairDecision decision) {
        Pair next = pair.decided(decision).later(Duration.ofSeconds(61)).saved();
        for (HalfColor color : HalfColor.values()) {
            HalfView view = next.observed().half(color);
            if (view instanceof HalfView.Leaving) {
                next = next.with(color, new HalfView.Absent());
            } else if (view instanceof HalfView.Half half && half.is(Condition.WORKING)) {
                next =
                        next.with(
                                color,
                                half.withCondition(
                                        half.wantsToRun()
                                                ? Condition.STEADY
                                                : Condition.SUSPENDED));
            }
        }
        for (PairAction action : decision.actions()) {
            next = obeyed(next, action);
        }
        return next;
    }

    private static Pair obeyed(Pair pair, PairAction action) {
        return switch (action) {
            case PairAction.CreateHalf(var color, var plan) ->
                    pair.with(color, steady(plan.mark()).withSpec(plan.spec()));
            case PairAction.ApplyHalf(var color, _, var plan) -> {
                boolean isSuspended = plan.spec().at("/job/state").asText().equals("suspended");
                yield pair.with(
                        color,
                        half(plan.mark(), isSuspended ? Condition.SUSPENDED : Condition.STEADY)
                                .with()
                                .spec(plan.spec())
                                .lastState(Optional.of("s3://b/stopped"))
                                .build());
            }
            case PairAction.DeleteHalf(var color, _) -> pair.with(color, new HalfView.Absent());
            case PairAction.TriggerSavepoint _,
                    PairAction.RegisterSavepoint _,
                    PairAction.LeadTo _ ->
                    pair;
        };
    }

    @Test
    void keepsTheWireStateTrueInEveryPhase() {
        for (TransitionPhase phase : TransitionPhase.values()) {
            Pair pair = in(aNewPair().active(BLUE), phase);
            BlueGreenState state =
                    PairDraft.of(pair.observed(), pair.observed().status())
                            .with(pair.transition())
                            .status()
                            .blueGreenState()
                            .orElseThrow();
            assertThat(state)
                    .as("%s", phase)
                    .isEqualTo(
                            switch (phase) {
                                case IN_PLACE, PREPARING, RESUMING, ENDED ->
                                        BlueGreenState.ACTIVE_BLUE;
                                case SAVING -> BlueGreenState.SAVEPOINTING_BLUE;
                                case FIRST,
                                        STARTING,
                                        PROVING,
                                        APPROVAL,
                                        RETIRING,
                                        REMOVING,
                                        ABORTING ->
                                        BlueGreenState.TRANSITIONING_TO_GREEN;
                            });
        }
    }
}
