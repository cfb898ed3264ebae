// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.operator.reconcile.Freshness;
import io.sluice.operator.reconcile.Presence;
import io.sluice.operator.reconcile.Reconciliation;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.StatusStore;
import io.sluice.operator.reconcile.StatusStore.Saved;
import io.sluice.operator.statesnapshot.StateSnapshots;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.testkit.apiserver.ApiCall;
import io.sluice.testkit.apiserver.CallFault;
import io.sluice.testkit.apiserver.WatchConnection;
import io.sluice.testkit.sim.SimulatedCrash;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * The operator's process around {@link StateSnapshots}: what the framework does, which calls for a
 * snapshot when it has changed and when it asked to be looked at again, and nobody else.
 */
final class SimulatedSnapshotOperator {
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final int MOST_TURNS = 200;

    private final SnapshotWorld world;
    private final Set<SnapshotFlaws> flaws;
    private final Instant began;
    private final Map<String, FlinkStateSnapshot> cache = new TreeMap<>();
    private final Map<String, Instant> due = new TreeMap<>();
    private final Map<String, Long> written = new HashMap<>();
    private Optional<Run> run = Optional.empty();
    private Optional<Runnable> postponed = Optional.empty();
    private boolean isActive;
    private boolean isDead;
    private int writes;

    /** What ends with a crash. */
    private record Run(StateSnapshots snapshots, WatchConnection events) {}

    SimulatedSnapshotOperator(SnapshotWorld world, Set<SnapshotFlaws> flaws) {
        this.world = world;
        this.flaws = flaws;
        began = world.now();
        world.api().faults(this::fault);
        world.api().admit(this::review);
        start();
    }

    private void start() {
        run.ifPresent(former -> former.events().leave());
        cache.clear();
        due.clear();
        written.clear();
        isDead = false;
        var flink = new SimulatedFlink(world, flaws);
        var snapshots =
                new StateSnapshots(
                        world.client(),
                        flink,
                        cluster -> URI.create("http://" + cluster.getMetadata().getName()),
                        (_, _) -> Optional.empty(),
                        true,
                        this::defaults,
                        SpecValidators.NONE,
                        (_, events) -> world.promises().records(events),
                        this::now);
        WatchConnection events =
                world.api().watch(FlinkStateSnapshot.class, world.namespace(), "", this::changed);
        run = Optional.of(new Run(snapshots, events));
    }

    private DefaultConfiguration defaults() {
        return new DefaultConfiguration(
                new FlinkConfiguration(
                        flaws.contains(SnapshotFlaws.ENDLESS_DELETION)
                                ? Map.of("kubernetes.operator.resource.cleanup.timeout", "1000 d")
                                : Map.of()));
    }

    private Instant now() {
        Duration ran = Duration.between(began, world.now());
        return flaws.contains(SnapshotFlaws.CLOCK_RUNS_FAST)
                ? began.plus(ran.multipliedBy(60))
                : world.now();
    }

    /** What the watch delivers goes into the cache, and wakes the snapshot. */
    private void changed(boolean isThere, FlinkStateSnapshot resource) {
        String name = resource.getMetadata().getName();
        if (!isThere) {
            cache.remove(name);
            due.remove(name);
            running().snapshots().gone(resource);
            running().snapshots().reconcile(resource, Presence.GONE, (_, _) -> Saved.CONFLICT);
            return;
        }
        boolean isFirst = cache.put(name, resource) == null;
        if (isFirst && running().snapshots().rests(resource)) {
            return;
        }
        if (version(resource) > written.getOrDefault(name, 0L)) {
            due.put(name, world.now());
        }
    }

    private Run running() {
        return run.orElseThrow();
    }

    /** What this process knows to be there. */
    List<FlinkStateSnapshot> known() {
        return List.copyOf(cache.values());
    }

    /** How many writes it has tried. */
    int writes() {
        return writes;
    }

    /** Looks at one snapshot, which need not be due, by what the watch has brought so far. */
    void pass() {
        receive();
        List<String> ready = ready();
        if (!ready.isEmpty()) {
            reconcile(world.dice().pick(ready));
        } else if (!cache.isEmpty() && world.faults().strikes(20)) {
            reconcile(world.dice().pick(List.copyOf(cache.keySet())));
        }
    }

    /** Looks at each snapshot as often as it is due now. */
    void passAll() {
        receive();
        for (int turn = 0; !ready().isEmpty(); turn++) {
            if (turn == MOST_TURNS) {
                world.promises().violated("the operator does not come to rest");
                return;
            }
            reconcile(ready().getFirst());
            receive();
        }
    }

    private void receive() {
        WatchConnection events = running().events();
        int held = world.faults().strikes(30) ? world.dice().below(1 + events.pending()) : 0;
        while (events.pending() > held) {
            events.deliver();
        }
    }

    private List<String> ready() {
        Instant now = world.now();
        return due.entrySet().stream()
                .filter(each -> !each.getValue().isAfter(now))
                .map(Map.Entry::getKey)
                .toList();
    }

    private void reconcile(String name) {
        read(name).map(SimulatedSnapshotOperator::copy).ifPresent(it -> reconcile(name, it));
    }

    private void reconcile(String name, FlinkStateSnapshot resource) {
        due.remove(name);
        world.promises().beginPass(resource);
        isActive = true;
        try {
            Outcome outcome =
                    running().snapshots().reconcile(resource, Presence.PRESENT, this::save);
            postponed.ifPresent(Runnable::run);
            isActive = false;
            world.trace(name + " " + outcome.reason().wire());
            written.put(name, version(resource));
            outcome.checkAgain().ifPresent(time -> due.put(name, world.now().plus(time)));
        } catch (SimulatedCrash crashed) {
            isDead = true;
        } catch (KubernetesClientException repeated) {
            due.put(name, world.now().plus(RETRY));
        } finally {
            isActive = false;
            postponed = Optional.empty();
            world.promises().endPass();
        }
        if (isDead) {
            start();
        }
    }

    /** As late as the watch may be, the framework shows nobody less than what he has written. */
    private Optional<FlinkStateSnapshot> read(String name) {
        Optional<FlinkStateSnapshot> cached = Optional.ofNullable(cache.get(name));
        boolean isOld =
                cached.filter(each -> version(each) < written.getOrDefault(name, 0L)).isPresent();
        return isOld && running().events().deliver() ? read(name) : cached;
    }

    private static long version(FlinkStateSnapshot snapshot) {
        return Long.parseLong(snapshot.getMetadata().getResourceVersion());
    }

    private static FlinkStateSnapshot copy(FlinkStateSnapshot cached) {
        var copy = new FlinkStateSnapshot();
        copy.setMetadata(new ObjectMetaBuilder(cached.getMetadata()).build());
        copy.setSpec(cached.getSpec());
        copy.setStatus(cached.getStatus());
        return copy;
    }

    /** As {@link io.sluice.operator.reconcile.Controller} stores a status. */
    private Saved save(FlinkStateSnapshot read, ObjectNode status) {
        if (flaws.contains(SnapshotFlaws.STATUS_AFTER_EFFECT)) {
            postponed = Optional.of(() -> store(read, status));
            return Saved.KEPT;
        }
        return store(read, status);
    }

    private Saved store(FlinkStateSnapshot read, ObjectNode status) {
        if (read.getStatus() != null && Reconciliation.isSame(status, read.getStatus())) {
            return Freshness.confirm(world.client(), read);
        }
        read.setStatus(status);
        if (flaws.contains(SnapshotFlaws.STATUS_WITHOUT_VERSION)) {
            world.snapshot(read.getMetadata().getName())
                    .ifPresent(
                            now ->
                                    read.getMetadata()
                                            .setResourceVersion(
                                                    now.getMetadata().getResourceVersion()));
        }
        try {
            ObjectNode asked = status.deepCopy();
            FlinkStateSnapshot stored = world.client().resource(read).updateStatus();
            read.getMetadata().setResourceVersion(stored.getMetadata().getResourceVersion());
            return StatusStore.compare(
                    asked, Optional.ofNullable(stored.getStatus()).orElseGet(asked::objectNode));
        } catch (KubernetesClientException fault) {
            if (fault.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return Saved.CONFLICT;
            }
            throw fault;
        }
    }

    /** A process that has ended makes no more calls, and none of its calls is answered. */
    private CallFault fault(ApiCall call) {
        if (!isActive) {
            return CallFault.NONE;
        }
        if (isDead) {
            return new CallFault.RequestLost();
        }
        if (world.faults().strikes(call.verb().writes() ? 5 : 1)) {
            isDead = true;
            return lost(call, "dies at ");
        }
        if (world.faults().strikes(5)) {
            return refused(call).orElseGet(() -> lost(call, "loses "));
        }
        return CallFault.NONE;
    }

    private CallFault lost(ApiCall call, String what) {
        world.trace("! " + what + call);
        return world.dice()
                .pick(
                        List.of(
                                new CallFault.RequestLost(),
                                new CallFault.ReplyLost(),
                                new CallFault.Late()));
    }

    private Optional<CallFault> refused(ApiCall call) {
        boolean isOfJob = !call.verb().writes() && !isOfSnapshots(call);
        if (isOfJob && flaws.contains(SnapshotFlaws.UNREAD_IS_GONE)) {
            return Optional.of(new CallFault.Answer(HttpURLConnection.HTTP_NOT_FOUND));
        }
        return world.dice().chance(30)
                ? Optional.of(new CallFault.Answer(HttpURLConnection.HTTP_INTERNAL_ERROR))
                : Optional.empty();
    }

    private static boolean isOfSnapshots(ApiCall call) {
        return call.type().plural().equals("flinkstatesnapshots");
    }

    /** Sees each write before it is stored, also one whose caller has given up. */
    private void review(ApiCall call, ObjectNode object) {
        if (!isOfSnapshots(call)) {
            return;
        }
        if (isActive) {
            writes++;
            if (flaws.contains(SnapshotFlaws.NOT_HELD) && call.verb() == ApiCall.Verb.PATCH) {
                object.withObject("/metadata").remove("finalizers");
            }
            world.promises().writes(call, object, known());
        } else if (call.subresource().isPresent()) {
            world.promises().writesLate(object);
        }
    }
}
