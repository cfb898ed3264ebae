// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.cache.Trimmed;
import io.sluice.operator.deployment.FlinkDeploymentReconciler;
import io.sluice.operator.deployment.FlinkDeployments;
import io.sluice.operator.deployment.NewResources;
import io.sluice.operator.leadership.LeadershipGuard;
import io.sluice.operator.leadership.LeadershipGuard.NotLeading;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.observe.ChildResources;
import io.sluice.operator.observe.JobManagerAddress;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.reconcile.Freshness;
import io.sluice.operator.reconcile.Reconciliation;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.operator.reconcile.StatusStore;
import io.sluice.operator.reconcile.StatusStore.Saved;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.config.RestEndpoint;
import io.sluice.testkit.apiserver.ApiCall;
import io.sluice.testkit.apiserver.CallFault;
import io.sluice.testkit.apiserver.WatchConnection;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.UnaryOperator;

/**
 * One process of the operator: production's reconciler of FlinkDeployments, and around it what the
 * framework does, which fills caches from watches and calls for a resource when something of it has
 * changed and when it asked to be looked at again.
 */
final class SimulatedOperator {
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration WHILE_DELETING = Duration.ofSeconds(2);
    private static final int MOST_TURNS = 300;

    private final DeploymentWorld world;
    private final Set<DeploymentFlaws> flaws;
    private final ResourceReconciler<FlinkDeployment, ChildResources> reconciler;
    private final NewResources newResources;
    private final Map<String, FlinkDeployment> resources = new TreeMap<>();
    private final Map<String, Deployment> deployments = new TreeMap<>();
    private final Map<String, Pod> pods = new TreeMap<>();
    private final Map<String, Long> written = new TreeMap<>();
    private final List<WatchConnection> events = new ArrayList<>();
    private final List<Watch> watches = new ArrayList<>();
    private Optional<Instant> due = Optional.empty();

    /** Until when its watches bring nothing. */
    private Instant silent = Instant.EPOCH;

    private Optional<Runnable> postponed = Optional.empty();
    private boolean leads = true;
    private boolean isDead;
    private Optional<Integer> toldEndOf = Optional.empty();
    private Optional<Integer> sureOfEndOf = Optional.empty();
    private int writes;

    SimulatedOperator(DeploymentWorld world, Set<DeploymentFlaws> flaws) {
        this.world = world;
        this.flaws = flaws;
        this.newResources = new NewResources(world::nanos);
        var production =
                new FlinkDeployments(
                        world.client(),
                        new SimulatedJobManagers(world, this, flaws),
                        new JobManagerAddress(RestEndpoint.IN_CLUSTER, world::defaults),
                        world::defaults,
                        SpecValidators.NONE,
                        (_, notes) -> tell(notes),
                        false,
                        new ObservationMemory(world::nanos),
                        SameThread::new,
                        world::now);
        reconciler =
                new LeadershipGuard(() -> leads && !isDead)
                        .guarded(production.reconciler(UnaryOperator.identity()));
        watch(
                world.client().resources(FlinkDeployment.class).inNamespace(world.namespace()),
                this::changed);
        watch(
                world.client()
                        .resources(Deployment.class)
                        .inNamespace(world.namespace())
                        .withLabelSelector(ChildResources.SELECTOR),
                (isThere, it) -> keep(deployments, isThere, Trimmed.deployment(it)));
        watch(
                world.client()
                        .resources(Pod.class)
                        .inNamespace(world.namespace())
                        .withLabelSelector(ChildResources.POD_SELECTOR),
                (isThere, it) -> keep(pods, isThere, Trimmed.pod(it)));
    }

    private void tell(List<ResourceEvent> notes) {
        if (!isDead) {
            notes.forEach(each -> world.trace("event: " + each.message()));
            world.oracle().told(notes);
        }
    }

    private <T extends HasMetadata> void watch(
            FilterWatchListDeletable<T, ?, ?> what, BiConsumer<Boolean, T> changed) {
        watches.add(
                what.watch(
                        new Watcher<>() {
                            @Override
                            public void eventReceived(Action action, T object) {
                                changed.accept(action != Action.DELETED, object);
                            }

                            @Override
                            public void onClose(WatcherException cause) {
                                throw new IllegalStateException(cause);
                            }
                        }));
        events.add(world.api().watches().getLast());
    }

    private <T extends HasMetadata> void keep(Map<String, T> in, boolean isThere, T object) {
        if (isThere) {
            in.put(object.getMetadata().getName(), object);
        } else {
            in.remove(object.getMetadata().getName());
        }
        due = Optional.of(world.now());
    }

    private void changed(boolean isThere, FlinkDeployment resource) {
        String name = resource.getMetadata().getName();
        if (!isThere) {
            resources.remove(name);
            written.remove(name);
            return;
        }
        newResources.told(resource);
        if (!resources.containsKey(name)) {
            newResources.added(resource);
        }
        resources.put(name, resource);
        if (version(resource) > written.getOrDefault(name, 0L)) {
            due = Optional.of(world.now());
        }
    }

    private static long version(FlinkDeployment resource) {
        return Long.parseLong(resource.getMetadata().getResourceVersion());
    }

    /** The process ends. */
    void close() {
        isDead = true;
        watches.forEach(Watch::close);
    }

    boolean isDead() {
        return isDead;
    }

    /** Another process leads from now on. */
    void resign() {
        leads = false;
        watches.forEach(Watch::close);
    }

    /** How many writes it has tried. */
    int writes() {
        return writes;
    }

    /** Looks at the resource if it is due, by what the watches have brought so far. */
    void pass() {
        if (world.strikes(1)) {
            world.trace("! watches stand still");
            silent = world.now().plusSeconds(1 + world.dice().below(120));
        }
        boolean isSilent = silent.isAfter(world.now()) && world.strikes(95);
        events.forEach(
                each -> {
                    int held =
                            isSilent
                                    ? each.pending()
                                    : world.strikes(20)
                                            ? world.dice().below(1 + each.pending())
                                            : 0;
                    while (each.pending() > held) {
                        each.deliver();
                    }
                });
        boolean isDue = due.filter(at -> !at.isAfter(world.now())).isPresent() || world.strikes(10);
        if (isDue) {
            due = Optional.empty();
            read(DeploymentWorld.NAME).map(SimulatedOperator::copy).ifPresent(this::look);
        }
    }

    /** Looks as often as it is due now. */
    void passAll() {
        int turns = 0;
        do {
            if (turns++ == MOST_TURNS) {
                world.oracle().violated("the operator does not come to rest");
                return;
            }
            pass();
        } while (!isDead
                && (due.filter(at -> !at.isAfter(world.now())).isPresent()
                        || events.stream().anyMatch(each -> each.pending() > 0)));
    }

    /** As late as a watch may be, the framework shows nobody less than what he has written. */
    private Optional<FlinkDeployment> read(String name) {
        Optional<FlinkDeployment> cached = Optional.ofNullable(resources.get(name));
        boolean isOld =
                cached.filter(each -> version(each) < written.getOrDefault(name, 0L)).isPresent();
        return isOld && events.getFirst().deliver() ? read(name) : cached;
    }

    private static FlinkDeployment copy(FlinkDeployment cached) {
        var copy = new FlinkDeployment();
        copy.setMetadata(new ObjectMetaBuilder(cached.getMetadata()).build());
        copy.setSpec(cached.getSpec());
        copy.setStatus(cached.getStatus());
        return copy;
    }

    private void look(FlinkDeployment resource) {
        Optional<SimulatedOperator> before = world.act(Optional.of(this));
        try {
            boolean isHeld =
                    resource.getMetadata()
                            .getFinalizers()
                            .contains(FlinkDeploymentReconciler.FINALIZER);
            if (resource.getMetadata().getDeletionTimestamp() != null) {
                if (isHeld) {
                    cleanUp(resource);
                }
            } else if (isHeld) {
                reconcile(resource).checkAgain().ifPresent(this::again);
            } else {
                hold(resource);
            }
        } catch (KubernetesClientException | NotLeading repeated) {
            world.trace("the pass ends: " + repeated.getMessage());
            again(RETRY);
        } finally {
            world.act(before);
        }
    }

    private void again(Duration time) {
        Instant next = world.now().plus(time);
        due = due.filter(at -> at.isBefore(next)).or(() -> Optional.of(next));
    }

    private void cleanUp(FlinkDeployment resource) {
        Outcome outcome = reconcile(resource);
        if (outcome.released()) {
            finalizers(resource, List.of());
        } else {
            again(outcome.checkAgain().orElse(WHILE_DELETING));
        }
    }

    private void hold(FlinkDeployment resource) {
        finalizers(resource, List.of(FlinkDeploymentReconciler.FINALIZER));
    }

    private void finalizers(FlinkDeployment resource, List<String> wanted) {
        world.client()
                .resource(resource)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"resourceVersion\":\"%s\",\"finalizers\":[%s]}}"
                                .formatted(
                                        resource.getMetadata().getResourceVersion(),
                                        String.join(
                                                ",",
                                                wanted.stream()
                                                        .map(each -> "\"" + each + "\"")
                                                        .toList())));
    }

    private Outcome reconcile(FlinkDeployment resource) {
        toldEndOf = Optional.empty();
        sureOfEndOf = Optional.empty();
        Outcome outcome = reconciler.reconcile(resource, children(resource), this::save);
        postponed.ifPresent(Runnable::run);
        postponed = Optional.empty();
        world.trace(outcome.reason().wire());
        written.put(resource.getMetadata().getName(), version(resource));
        return outcome;
    }

    private ChildResources children(FlinkDeployment resource) {
        return new ChildResources(
                Optional.ofNullable(deployments.get(resource.getMetadata().getName())),
                Optional.ofNullable(
                        deployments.get(
                                ChildResources.taskManagersOf(resource.getMetadata().getName()))),
                List.copyOf(pods.values()),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                List.of(),
                newResources.contains(resource));
    }

    /** As {@link io.sluice.operator.reconcile.Controller} stores a status. */
    private Saved save(FlinkDeployment read, ObjectNode status) {
        if (flaws.contains(DeploymentFlaws.STATUS_AFTER_EFFECT)) {
            postponed = Optional.of(() -> store(read, status));
            return Saved.KEPT;
        }
        return store(read, status);
    }

    private Saved store(FlinkDeployment read, ObjectNode status) {
        if (read.getStatus() != null && Reconciliation.isSame(status, read.getStatus())) {
            return flaws.contains(DeploymentFlaws.REPEATS_UNASKED)
                    ? Saved.KEPT
                    : Freshness.confirm(world.client(), read);
        }
        read.setStatus(status);
        if (flaws.contains(DeploymentFlaws.STATUS_WITHOUT_VERSION)) {
            world.resource()
                    .ifPresent(
                            now ->
                                    read.getMetadata()
                                            .setResourceVersion(
                                                    now.getMetadata().getResourceVersion()));
        }
        try {
            ObjectNode asked = status.deepCopy();
            FlinkDeployment stored = world.client().resource(read).updateStatus();
            read.getMetadata().setResourceVersion(stored.getMetadata().getResourceVersion());
            sureOfEndOf.ifPresent(world.oracle()::tellsEndOf);
            return StatusStore.compare(
                    asked, Optional.ofNullable(stored.getStatus()).orElseGet(asked::objectNode));
        } catch (KubernetesClientException fault) {
            if (fault.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return Saved.CONFLICT;
            }
            throw fault;
        }
    }

    /** It was told what a job has left that has ended, by the line of that. */
    void toldEndOf(int line) {
        toldEndOf = Optional.of(line);
    }

    /** It has looked at the job once more, and it was the same. */
    void toldOfJobs() {
        sureOfEndOf = toldEndOf;
    }

    /** What befalls a call of this process to the API server. */
    CallFault fault(ApiCall call) {
        boolean isWrite = call.verb().writes();
        if (isWrite) {
            writes++;
        }
        if (isDead) {
            return new CallFault.RequestLost();
        }
        world.meanwhile(this);
        if (isDead) {
            return new CallFault.RequestLost();
        }
        if (world.strikes(isWrite ? 4 : 1)) {
            world.trace("! the operator dies at " + call);
            isDead = true;
            return lost();
        }
        if (world.strikes(4)) {
            CallFault fault = world.dice().chance(60) ? lost() : new CallFault.Answer(code(call));
            world.trace("! " + fault + ": " + call);
            return fault;
        }
        if (isWrite) {
            world.trace(call.toString());
        }
        if (flaws.contains(DeploymentFlaws.METADATA_DELETED_WITH_CLUSTER)
                && call.verb() == ApiCall.Verb.DELETE
                && call.type().plural().equals("deployments")) {
            world.deleteMetadata();
        }
        return CallFault.NONE;
    }

    private CallFault lost() {
        return world.dice()
                .pick(
                        List.of(
                                new CallFault.RequestLost(),
                                new CallFault.ReplyLost(),
                                new CallFault.Late()));
    }

    /** Nobody answers "not found" to a read of what is there. */
    private int code(ApiCall call) {
        return call.verb().writes()
                ? world.dice().pick(List.of(404, 409, 429, 500))
                : world.dice().pick(List.of(429, 500));
    }

    /** Whether this process makes no call, or learns nothing of one, to a JobManager. */
    boolean isCutOff(String what) {
        if (isDead) {
            return true;
        }
        world.meanwhile(this);
        if (!isDead && world.strikes(1)) {
            world.trace("! the operator dies at " + what);
            isDead = true;
        }
        return isDead || world.strikes(2);
    }
}
