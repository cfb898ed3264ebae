// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.api.status.bluegreen.TransitionPhase;
import io.sluice.flink.rest.http.Waiting;
import io.sluice.operator.bluegreen.BlueGreenDeployments;
import io.sluice.operator.bluegreen.analysis.PrometheusQueries;
import io.sluice.operator.deployment.simulation.SimulatedFramework;
import io.sluice.operator.deployment.simulation.SimulatedJobManagers;
import io.sluice.operator.leadership.LeadershipGuard;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.observe.JobManagerAddress;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.reconcile.IntentFirst;
import io.sluice.operator.reconcile.Presence;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.operator.reconcile.StatusStore.Saved;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.operator.world.OperatorProcesses;
import io.sluice.rules.config.RestEndpoint;
import io.sluice.testkit.apiserver.ApiCall;
import io.sluice.testkit.apiserver.CallFault;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** One process of the operator with production's reconciler of FlinkBlueGreenDeployments. */
final class PairOperator
        implements SimulatedFramework.Hooks<FlinkBlueGreenDeployment>, OperatorProcesses.Replica {
    /** What the process does for another kind. */
    interface Part {
        SimulatedFramework<?> framework();
    }

    private final PairWorld world;
    private final Set<PairFlaws> flaws;
    private final SimulatedFramework<FlinkBlueGreenDeployment> framework;
    private final ResourceReconciler<FlinkBlueGreenDeployment, Presence> reconciler;
    private final FlawedCalls flawedCalls;

    /** What wakes the pair: it is read again when it matters. */
    private final Map<String, FlinkDeployment> halves = new TreeMap<>();

    private final List<ResourceEvent> untold = new ArrayList<>();
    private Optional<Runnable> postponed = Optional.empty();

    private final List<Part> parts;

    /** Whether the process looks at a resource of one of its parts, and not at the pair. */
    private boolean isPartActing;

    PairOperator(PairWorld world, Set<PairFlaws> flaws) {
        this.world = world;
        this.flaws = flaws;
        flawedCalls = new FlawedCalls(world, flaws);
        framework =
                new SimulatedFramework<>(
                        world,
                        new SimulatedFramework.Kind<>(
                                FlinkBlueGreenDeployment.class,
                                List.of(PairWorld.NAME),
                                "",
                                FlinkBlueGreenDeployment::new),
                        this);
        var ofHalves = new HalfOperator(world, this, flaws, framework::leads);
        var flink = new SimulatedJobManagers(ofHalves);
        parts =
                List.of(
                        ofHalves,
                        new SnapshotOperator(world, flink, this, flaws, framework::leads));
        var production =
                new BlueGreenDeployments(
                        world.client(),
                        new PairJobManagers(world, flink, flaws),
                        new PrometheusQueries(Waiting.direct()),
                        new JobManagerAddress(RestEndpoint.IN_CLUSTER, world::defaults),
                        world::defaults,
                        SpecValidators.NONE,
                        true,
                        new ObservationMemory(world::nanos),
                        (_, events) -> tell(events),
                        world::now);
        reconciler = new LeadershipGuard(framework::leads).guarded(production);
        framework.watchResources();
        framework.watch(
                FlinkDeployment.class,
                PairWorld.COLOR_LABEL,
                (isThere, it) -> framework.keep(halves, isThere, it));
        framework.fillCaches();
        parts.forEach(it -> it.framework().fillCaches());
    }

    @Override
    public void pass() {
        framework.pass();
        for (Part each : parts) {
            if (!isDead()) {
                each.framework().pass();
            }
        }
    }

    @Override
    public boolean isBusy() {
        return framework.isBusy() || parts.stream().anyMatch(it -> it.framework().isBusy());
    }

    @Override
    public void close() {
        framework.close();
        parts.forEach(it -> it.framework().close());
    }

    @Override
    public void resign() {
        framework.resign();
        parts.forEach(it -> it.framework().resign());
    }

    private void tell(List<ResourceEvent> events) {
        if (flaws.contains(PairFlaws.EVENTS_LAST)) {
            untold.addAll(events);
        } else {
            told(events);
        }
    }

    private void told(List<ResourceEvent> events) {
        if (events.isEmpty() || isCrashed("the events are told")) {
            return;
        }
        events.forEach(each -> world.trace("event: " + each.message()));
        world.told().record(events);
        var _ = isCrashed("what comes after the events");
    }

    private boolean isCrashed(String before) {
        if (!isDead() && world.strikes(4)) {
            world.trace("! the operator dies before " + before);
            world.told().mishap();
            close();
        }
        return isDead();
    }

    @Override
    public SimulatedFramework<FlinkBlueGreenDeployment> framework() {
        return framework;
    }

    @Override
    public void act(Runnable turn) {
        world.processes().act(this, turn);
    }

    void actForPart(Runnable turn) {
        boolean before = isPartActing;
        isPartActing = true;
        try {
            act(turn);
        } finally {
            isPartActing = before;
        }
    }

    @Override
    public void meanwhile() {
        world.meanwhile(this);
    }

    @Override
    public void gone(FlinkBlueGreenDeployment resource) {
        if (framework.leads()) {
            reconciler.reconcile(resource, Presence.GONE, (_, _) -> Saved.KEPT);
        }
    }

    @Override
    public Outcome reconcile(FlinkBlueGreenDeployment resource) {
        world.beginsPass();
        untold.clear();
        postponed = Optional.empty();
        Outcome outcome = reconciler.reconcile(seen(resource), Presence.PRESENT, this::save);
        postponed.ifPresent(Runnable::run);
        if (outcome.wroteStatus()) {
            told(List.copyOf(untold));
        }
        if (flaws.contains(PairFlaws.IN_PLACE_ABORTED)) {
            flawedCalls.abortInPlace(resource);
        }
        return outcome;
    }

    /** What it is told of the pair. */
    private FlinkBlueGreenDeployment seen(FlinkBlueGreenDeployment resource) {
        if (flaws.contains(PairFlaws.ANALYSIS_LEFT_OUT)) {
            resource.setSpec(PairAnalysis.without(resource.getSpec()));
        }
        if (flaws.contains(PairFlaws.EDIT_JOINS_TRANSITION)) {
            ObjectNode stored = IntentFirst.statusOf(resource);
            resource.setStatus(
                    joined(FlinkBlueGreenDeploymentStatus.of(stored), resource.getSpec())
                            .onto(stored));
        }
        return resource;
    }

    private static FlinkBlueGreenDeploymentStatus joined(
            FlinkBlueGreenDeploymentStatus status, ObjectNode wish) {
        ObjectNode recorded = JsonNodeFactory.instance.objectNode().set("spec", wish);
        return status.withTransition(
                status.transition()
                        .map(
                                it ->
                                        it.phase() == TransitionPhase.SAVING
                                                ? it.withSpec(Optional.of(recorded.toString()))
                                                : it));
    }

    private Saved save(FlinkBlueGreenDeployment read, ObjectNode status) {
        if (flaws.contains(PairFlaws.STATUS_AFTER_EFFECT)) {
            postponed = Optional.of(() -> store(read, status));
            return Saved.KEPT;
        }
        return store(read, status);
    }

    private Saved store(FlinkBlueGreenDeployment read, ObjectNode status) {
        if (flaws.contains(PairFlaws.STATUS_WITHOUT_VERSION)) {
            world.resource()
                    .ifPresent(
                            now ->
                                    read.getMetadata()
                                            .setResourceVersion(
                                                    now.getMetadata().getResourceVersion()));
        }
        Saved saved = framework.store(read, status, () -> {});
        if (saved != Saved.KEPT) {
            world.told().mishap();
        }
        return saved;
    }

    @Override
    public CallFault fault(ApiCall call) {
        CallFault fault = framework.fault(call);
        if (fault.equals(CallFault.NONE)) {
            return isPartActing ? CallFault.NONE : flawedCalls.fault(call);
        }
        world.befalls(fault);
        return fault;
    }
}
