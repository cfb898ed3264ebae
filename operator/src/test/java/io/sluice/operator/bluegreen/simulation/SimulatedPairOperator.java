// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.status.Condition;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.api.status.bluegreen.PairTransition;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.api.status.bluegreen.TransitionSavepoint;
import io.sluice.manifest.Room;
import io.sluice.operator.bluegreen.analysis.Figures;
import io.sluice.operator.bluegreen.decide.HalfView;
import io.sluice.operator.bluegreen.decide.PairAction;
import io.sluice.operator.bluegreen.decide.PairDecider;
import io.sluice.operator.bluegreen.decide.PairDecision;
import io.sluice.operator.bluegreen.decide.PairObservedState;
import io.sluice.operator.bluegreen.decide.PairSpec;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.ObservedState.Polls;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.reconcile.IntentFirst;
import io.sluice.operator.reconcile.StatusStore;
import io.sluice.testkit.sim.History;
import io.sluice.testkit.sim.SimulatedFault;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The operator's reconciliation, with the real decider between simulated reads and writes. */
final class SimulatedPairOperator {
    private static final Polls POLLS = new Polls(Duration.ofMinutes(1), Duration.ofSeconds(10));

    /** What the watch of the pair has delivered. */
    private record Read(ObjectNode spec, long generation, ObjectNode status, int version) {}

    private final SimulatedPair pair;
    private final Set<PairFlaws> flaws;
    private final History<Read> history;
    private History.LateReader<Read> watch;
    private IntentFirst<FlinkBlueGreenDeployment> process;

    SimulatedPairOperator(SimulatedPair pair, Set<PairFlaws> flaws) {
        this.pair = pair;
        this.flaws = flaws;
        history = new History<>(read());
        watch = history.watch();
        process = process();
    }

    private Read read() {
        return new Read(pair.spec(), pair.generation(), pair.status(), pair.version());
    }

    /** A fault ends the reconciliation, and a crash the process. */
    void pass() {
        history.add(read());
        try {
            reconcile(watch.read(pair.faults(), pair.dice(), 20));
        } catch (SimulatedFault.LostCall repeated) {
            // The framework repeats the reconciliation.
            pair.told().mishap();
        } catch (SimulatedFault.Crash restarted) {
            pair.told().mishap();
            history.add(read());
            watch = history.watch();
            process = process();
        }
    }

    private IntentFirst<FlinkBlueGreenDeployment> process() {
        return new IntentFirst<>("pairs", (_, events) -> tell(events));
    }

    private void tell(List<ResourceEvent> events) {
        if (events.isEmpty()) {
            return;
        }
        crashes("the events are told");
        pair.told().record(events);
        crashes("what comes after the events");
    }

    private void crashes(String before) {
        if (pair.strikes(4)) {
            throw pair.faults().crash(before);
        }
    }

    private void reconcile(Read read) {
        PairDecision decision = decision(read);
        ObjectNode next = rendered(read, decision);
        boolean actsFirst = flaws.contains(PairFlaws.STATUS_AFTER_EFFECT);
        boolean tellsLast = flaws.contains(PairFlaws.EVENTS_LAST);
        if (actsFirst) {
            decision.actions().forEach(this::perform);
        }
        process.run(
                resource(read),
                new IntentFirst.Intent<>(
                        decision.reason(),
                        next,
                        actsFirst ? List.of() : decision.actions(),
                        tellsLast ? List.of() : decision.events(),
                        false,
                        decision.checkAgain()),
                (_, status) -> save(status, read.version()),
                action -> {
                    perform(action);
                    return true;
                });
        if (tellsLast && pair.version() > read.version()) {
            tell(decision.events());
        }
    }

    private StatusStore.Saved save(ObjectNode status, int version) {
        boolean checks = !flaws.contains(PairFlaws.STATUS_WITHOUT_VERSION);
        if (pair.faults().effect("status", () -> pair.save(status, version, checks))) {
            return StatusStore.Saved.KEPT;
        }
        pair.told().mishap();
        return StatusStore.Saved.CONFLICT;
    }

    private static FlinkBlueGreenDeployment resource(Read read) {
        var resource = new FlinkBlueGreenDeployment();
        resource.getMetadata().setName("orders");
        resource.getMetadata().setUid(SimulatedPair.UID);
        resource.setSpec(read.spec());
        resource.setStatus(read.status());
        return resource;
    }

    private PairDecision decision(Read read) {
        var status = joined(FlinkBlueGreenDeploymentStatus.of(read.status()), read.spec());
        ObjectNode wish =
                flaws.contains(PairFlaws.ANALYSIS_LEFT_OUT)
                        ? SimulatedAnalysis.without(read.spec())
                        : read.spec();
        PairObservedState observed =
                new PairObservedState(
                        new PairObservedState.Identity(
                                "ns", "orders", SimulatedPair.UID, read.generation(), false),
                        PairSpec.of(wish),
                        Optional.empty(),
                        status,
                        half(status, HalfColor.BLUE),
                        half(status, HalfColor.GREEN),
                        isLeftBehind(status, read.spec())
                                ? new AsyncResult.NotAsked()
                                : savepoint(status),
                        Figures.NOT_ASKED,
                        Optional.empty(),
                        Room.NOT_ASKED,
                        pair.snapshots().use(status),
                        Set.of(),
                        Optional.empty(),
                        POLLS,
                        pair.now());
        PairDecision decision = PairDecider.decide(withRoom(looked(observed)));
        return flaws.contains(PairFlaws.IN_PLACE_ABORTED)
                ? abortedInPlace(decision, observed)
                : decision;
    }

    private boolean isLeftBehind(FlinkBlueGreenDeploymentStatus status, ObjectNode wish) {
        String recorded = JsonNodeFactory.instance.objectNode().set("spec", wish).toString();
        return flaws.contains(PairFlaws.SAVEPOINT_LEFT_BEHIND)
                && status.transition()
                        .filter(it -> it.phase() == TransitionPhase.SAVING)
                        .flatMap(PairTransition::spec)
                        .filter(it -> !it.equals(recorded))
                        .isPresent();
    }

    private PairObservedState looked(PairObservedState observed) {
        return PairDecider.isLookDue(observed)
                ? observed.withFigures(
                        observed.status()
                                .transition()
                                .map(pair.analysis()::look)
                                .orElse(Figures.UNKNOWN))
                : observed;
    }

    private FlinkBlueGreenDeploymentStatus joined(
            FlinkBlueGreenDeploymentStatus status, ObjectNode wish) {
        ObjectNode recorded = JsonNodeFactory.instance.objectNode().set("spec", wish);
        return flaws.contains(PairFlaws.EDIT_JOINS_TRANSITION)
                ? status.withTransition(
                        status.transition()
                                .map(
                                        it ->
                                                it.phase() == TransitionPhase.SAVING
                                                        ? it.withSpec(
                                                                Optional.of(recorded.toString()))
                                                        : it))
                : status;
    }

    private PairObservedState withRoom(PairObservedState observed) {
        if (flaws.contains(PairFlaws.QUOTA_IGNORED) || PairDecider.secondHalf(observed).isEmpty()) {
            return observed;
        }
        if (pair.faults().strikes(3)) {
            throw pair.faults().crash("the quotas are listed");
        }
        return observed.withRoom(pair.room());
    }

    private PairDecision abortedInPlace(PairDecision decision, PairObservedState observed) {
        Optional<PairTransition> late =
                observed.status()
                        .transition()
                        .filter(it -> it.phase() == TransitionPhase.IN_PLACE)
                        .filter(it -> it.deadline().filter(observed.now()::isAfter).isPresent());
        if (late.isEmpty()
                || !(observed.half(late.get().to()) instanceof HalfView.Half half)
                || !half.wantsToRun()) {
            return decision;
        }
        ObjectNode suspended = half.spec().deepCopy();
        suspended.withObject("/job").put("state", "suspended");
        return decision.withActions(
                List.of(
                        new PairAction.ApplyHalf(
                                late.get().to(),
                                half.uid(),
                                new PairAction.HalfPlan(
                                        late.get().id() + "-late", suspended, suspended))));
    }

    private ObjectNode rendered(Read read, PairDecision decision) {
        Condition ready =
                new Condition(
                        "Ready",
                        decision.reason().isAsAsked()
                                ? Condition.Status.TRUE
                                : Condition.Status.FALSE,
                        decision.reason().wire(),
                        decision.detail(),
                        pair.now(),
                        Optional.of(read.generation()));
        List<Condition> before =
                FlinkBlueGreenDeploymentStatus.of(read.status()).conditions().stream()
                        .filter(
                                it ->
                                        it.reason().equals(ready.reason())
                                                && it.observedGeneration()
                                                        .equals(ready.observedGeneration()))
                        .toList();
        return decision.status()
                .withConditions(before.isEmpty() ? List.of(ready) : before)
                .onto(read.status());
    }

    private HalfView half(FlinkBlueGreenDeploymentStatus status, HalfColor color) {
        if (pair.faults().strikes(3)) {
            if (!flaws.contains(PairFlaws.UNREAD_IS_ABSENT)) {
                throw pair.faults().crash("a half is read");
            }
            return new HalfView.Absent();
        }
        SimulatedHalf half = pair.halves().get(color);
        boolean isOverlooked =
                flaws.contains(PairFlaws.ABORTED_HALF_RESUMED)
                        && half != null
                        && half.mark().filter(mark -> mark.endsWith("-aborted")).isPresent()
                        && status.transition().filter(it -> !it.isOver()).isPresent();
        return half == null || isOverlooked ? new HalfView.Absent() : half.view(flaws);
    }

    private AsyncResult savepoint(FlinkBlueGreenDeploymentStatus status) {
        Optional<TransitionSavepoint> savepoint =
                status.transition()
                        .filter(it -> it.phase() == TransitionPhase.SAVING)
                        .flatMap(PairTransition::savepoint)
                        .filter(it -> it.nextTry().isEmpty());
        if (savepoint.isEmpty()) {
            return new AsyncResult.NotAsked();
        }
        return pair.faults().strikes(15)
                ? new AsyncResult.Silent("timed out")
                : pair.answer(
                        savepoint.get().jobId().orElse(""),
                        named(savepoint.get().triggerId().orElse("")));
    }

    private String named(String triggerId) {
        return flaws.contains(PairFlaws.TRIGGER_REUSED) ? "the-same" : triggerId;
    }

    private void perform(PairAction action) {
        if (action instanceof PairAction.RegisterSavepoint(var creation)) {
            crashes("the snapshot is created");
            pair.snapshots().create(creation);
            crashes("what comes after the snapshot");
            return;
        }
        pair.faults()
                .effect(
                        action.getClass().getSimpleName() + " " + color(action),
                        () -> {
                            pair.acts(action);
                            take(action);
                        });
    }

    private static String color(PairAction action) {
        return switch (action) {
            case PairAction.CreateHalf(var color, var plan) -> color + " " + plan.spec();
            case PairAction.ApplyHalf(var color, _, var plan) -> color + " " + plan.spec();
            case PairAction.DeleteHalf(var color, _) -> color.wire();
            case PairAction.TriggerSavepoint(var color, _, _) -> color.wire();
            case PairAction.RegisterSavepoint(var creation) -> creation.name();
            case PairAction.LeadTo(var color) -> color.wire();
        };
    }

    private void take(PairAction action) {
        switch (action) {
            case PairAction.CreateHalf(var color, var plan) -> create(color, plan);
            case PairAction.ApplyHalf(var color, var uid, var plan) ->
                    Optional.ofNullable(pair.halves().get(color))
                            .filter(half -> half.uid().equals(uid))
                            .filter(half -> !half.mark().equals(Optional.of(plan.mark())))
                            .ifPresent(
                                    half -> {
                                        if (!half.isOurs()) {
                                            pair.violated(
                                                    "a FlinkDeployment of somebody else is"
                                                            + " changed");
                                        }
                                        half.apply(plan.spec(), plan.mark());
                                    });
            case PairAction.DeleteHalf(var color, var uid) ->
                    Optional.ofNullable(pair.halves().get(color))
                            .filter(half -> half.uid().equals(uid))
                            .ifPresent(SimulatedHalf::delete);
            case PairAction.TriggerSavepoint(_, var jobId, var request) ->
                    pair.trigger(jobId, named(request.triggerId()));
            case PairAction.RegisterSavepoint _, PairAction.LeadTo _ -> {}
        }
    }

    private void create(HalfColor color, PairAction.HalfPlan plan) {
        SimulatedHalf there = pair.halves().get(color);
        ObjectNode spec = plan.spec().deepCopy();
        if (flaws.contains(PairFlaws.SAVEPOINT_DROPPED)) {
            spec.withObject("/job").remove("initialSavepointPath");
        }
        if (there == null) {
            pair.halves()
                    .put(
                            color,
                            new SimulatedHalf(
                                    pair, pair.nextUid(), true, spec, Optional.of(plan.mark())));
        } else if (flaws.contains(PairFlaws.ABORTED_HALF_RESUMED)) {
            there.apply(spec, plan.mark());
        }
    }
}
