// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import io.sluice.api.FlinkDeployment;
import io.sluice.operator.decide.Decider;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.deployment.FlinkDeploymentReconciliation;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.observe.ChildResources;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.observe.RejectedManifests;
import io.sluice.operator.reconcile.Reconciliation;
import io.sluice.operator.reconcile.StatusStore;
import io.sluice.operator.simulation.flaw.Flaws;
import io.sluice.operator.system.LastOf;
import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.FlinkProcess;
import io.sluice.testkit.sim.History;
import io.sluice.testkit.sim.World;
import io.sluice.testkit.sim.World.Resource;
import io.sluice.testkit.sim.World.Written;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The operator's process in a simulated world: the production pass, with ports that fail. A crash
 * starts a new process, which remembers nothing.
 */
final class SimulatedOperator {
    static final String NAMESPACE = "shop";

    /** What is read is simulated another way. */
    private static final ChildResources NO_CHILDREN =
            new ChildResources(Optional.empty(), List.of(), Optional.empty());

    private final SimulatedAutoscaler autoscaler;
    private final SimulatedDefaults defaults;
    private final World world;
    private final Environment environment;
    private final Set<Flaws> flaws;
    private final SimulatedLeadership leadership;
    private final Map<Integer, Replica> processes = new HashMap<>();

    /** The one whose pass is under way. */
    private Replica process;

    private final SimulatedPulls pulls;
    private final SimulatedSavings savings;
    private final SimulatedPromises promises;
    private final SimulatedStatusStore statuses;
    private final SimulatedEffects effects;
    private final LastOf<Resource, FlinkDeployment> read = new LastOf<>();
    private int tamperedAt;
    private Instant warnedAt = Instant.EPOCH;

    /** What a process has read and remembers. */
    final class Replica {
        private final History.LateReader<Optional<Resource>> resources = world.resource().watch();
        final RejectedManifests rejectedManifests =
                new RejectedManifests(() -> environment.clock().instant());
        final ObservationMemory memory = new ObservationMemory(environment.clock()::nanos);
        final SimulatedObserver observer =
                new SimulatedObserver(
                        world, autoscaler, defaults, flaws, rejectedManifests, memory, pulls);
        private final SimulatedSteady steady = new SimulatedSteady();
        Optional<ObservedState> found = Optional.empty();
        boolean acted;
        long ownWrite;

        /** A write of its own, whose result it does not take for somebody else's. */
        Written own(Written written) {
            if (written == Written.DONE) {
                ownWrite = world.resource().latest().map(Resource::version).orElse(0L);
            }
            return written;
        }
    }

    SimulatedOperator(
            World world,
            SimulatedAutoscaler autoscaler,
            SimulatedDefaults defaults,
            Set<Flaws> flaws,
            SimulatedLeadership leadership,
            SimulatedPulls pulls) {
        this.world = world;
        this.pulls = pulls;
        this.autoscaler = autoscaler;
        this.defaults = defaults;
        this.environment = world.environment();
        this.flaws = flaws;
        this.leadership = leadership;
        savings = new SimulatedSavings(world, _ -> world.cluster().answering(), flaws);
        var consent = new SimulatedConsent(world);
        promises = new SimulatedPromises(world, consent, savings);
        statuses =
                new SimulatedStatusStore(
                        world, flaws, leadership, () -> process, consent, promises, savings);
        effects =
                new SimulatedEffects(
                        world, flaws, leadership, () -> process, consent, promises, savings, pulls);
        leadership.start(this::start, _ -> {});
        process = processes.get(leadership.leader());
    }

    private void start(int number) {
        processes.put(number, new Replica());
    }

    /** What no reconciliation may ever do, once one has done it. */
    Optional<String> wrong() {
        return promises.wrong();
    }

    boolean isDeleting(String path) {
        return savings.isDeleting(path);
    }

    int statusWrites() {
        return statuses.writes();
    }

    /** All its processes start anew, with what an administrator has configured. */
    void restart() {
        List.copyOf(processes.keySet()).forEach(this::start);
        process = processes.get(leadership.leader());
    }

    /** Somebody else has written the status: what was on record may not be any more. */
    void tampered() {
        promises.tampered();
        tamperedAt = statuses.writes();
        world.cluster().answering().ifPresent(FlinkProcess::forgetWhoAsked);
    }

    /** Whether the status is as somebody else has written it. */
    boolean hasNotWrittenSince() {
        return promises.isTampered() && tamperedAt == statuses.writes();
    }

    /** When somebody was warned last, of whatever it was. */
    Instant warnedAt() {
        return warnedAt;
    }

    /** One pass of the process that leads, however it ends. */
    void pass() {
        Replica interrupted = process;
        leadership.pass(
                number -> {
                    process = processes.get(number);
                    process.resources
                            .read(environment.faults(), environment.dice(), 25)
                            .filter(read -> read.version() >= process.ownWrite)
                            .ifPresent(this::pass);
                });
        process = interrupted;
    }

    private void pass(Resource read) {
        if (!read.finalizer()) {
            if (!read.deleting()) {
                environment
                        .faults()
                        .effect("add finalizer", () -> process.own(world.setFinalizer(read, true)));
            }
            return;
        }
        FlinkDeployment resource = this.read.get(read, SimulatedOperator::resource);
        savings.begin(read);
        if (flaws.contains(Flaws.STATUS_AFTER_EFFECT)) {
            process.ownWrite = read.version();
            Decision decision = Decider.decide(process.observer.observe(resource));
            decision.actions().forEach(action -> effects.perform(resource, action));
            statuses.save(read, decision.status().onto(resource.getStatus()));
            return;
        }
        process.acted = false;
        var outcome =
                leadership
                        .leadershipGuard()
                        .<FlinkDeployment, ChildResources>guarded(this::run)
                        .reconcile(
                                resource,
                                NO_CHILDREN,
                                (_, status) ->
                                        statuses.save(read, status)
                                                ? StatusStore.Saved.KEPT
                                                : StatusStore.Saved.CONFLICT);
        environment.trace().add("      " + outcome.reason() + " " + outcome.checkAgain());
        process.found
                .flatMap(
                        observed ->
                                process.steady.passed(
                                        read, observed, outcome, process.acted, process.memory))
                .ifPresent(promises::broken);
        if (outcome.released()) {
            effects.release(read);
        }
    }

    private Reconciliation.Outcome run(
            FlinkDeployment resource,
            ChildResources childResources,
            StatusStore<FlinkDeployment> store) {
        return new FlinkDeploymentReconciliation(
                        this::observed,
                        store,
                        effects::perform,
                        (_, notes) -> tell(notes),
                        process.memory)
                .run(resource);
    }

    private ObservedState observed(FlinkDeployment resource) {
        ObservedState observed = process.observer.observe(resource);
        process.found = Optional.of(observed);
        return observed;
    }

    private void tell(List<ResourceEvent> notes) {
        notes.forEach(event -> environment.trace().digest(event.reason() + event.message()));
        if (notes.stream().anyMatch(event -> event.kind() == ResourceEvent.Kind.WARNING)) {
            warnedAt = environment.clock().instant();
        }
        promises.told(notes);
    }

    private static FlinkDeployment resource(Resource read) {
        var resource = new FlinkDeployment();
        resource.getMetadata().setNamespace(NAMESPACE);
        resource.getMetadata().setName("orders");
        resource.getMetadata().setUid(read.uid());
        resource.getMetadata().setGeneration(read.generation());
        resource.getMetadata().setResourceVersion(Long.toString(read.version()));
        if (read.deleting()) {
            resource.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        }
        resource.setSpec(read.spec());
        resource.setStatus(read.status());
        return resource;
    }
}
