// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.operator.cache.Trimmed;
import io.sluice.operator.leadership.LeadershipGuard.NotLeading;
import io.sluice.operator.observe.ChildResources;
import io.sluice.operator.reconcile.Freshness;
import io.sluice.operator.reconcile.Reconciliation;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.StatusStore;
import io.sluice.operator.reconcile.StatusStore.Saved;
import io.sluice.testkit.apiserver.ApiCall;
import io.sluice.testkit.apiserver.CallFault;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import io.sluice.testkit.apiserver.WatchConnection;
import io.sluice.testkit.sim.Dice;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Supplier;

/**
 * What the framework does around the reconciler of one kind, in one process of the operator: it
 * fills caches from watches, and calls for a resource when something of it has changed and when it
 * asked to be looked at again. The dice say what befalls the process and its calls.
 */
public final class SimulatedFramework<R extends CustomResource<ObjectNode, ObjectNode>> {
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration WHILE_DELETING = Duration.ofSeconds(2);

    /** What is around the process. */
    public interface World {
        InMemoryApiServer api();

        KubernetesClient client();

        String namespace();

        Instant now();

        Dice dice();

        /** Whether something happens that does so so many times in a hundred. */
        boolean strikes(int percent);

        void trace(String line);
    }

    /** The operator's own part of the process. */
    public interface Hooks<R> {
        /**
         * Watches have brought a resource.
         *
         * @param isNew whether there was none of its name
         */
        default void told(R resource, boolean isNew) {}

        Outcome reconcile(R resource);

        /** The resource is not there any more. */
        default void gone(R resource) {}

        /** The resource is about to lose its finalizer. */
        default void released(R resource) {}

        /** Does {@code turn} as the process whose calls they are. */
        void act(Runnable turn);

        /** Something else happens before a call. */
        void meanwhile();
    }

    /**
     * @param names of the resources that it looks at; empty if it looks at all of the kind
     * @param finalizer empty if the operator has none
     * @param empty makes a resource to copy into
     */
    public record Kind<R>(Class<R> type, List<String> names, String finalizer, Supplier<R> empty) {
        public Kind {
            names = List.copyOf(names);
        }
    }

    private final World world;
    private final Kind<R> kind;
    private final Hooks<R> hooks;
    private final Map<String, R> resources = new TreeMap<>();
    private final Map<String, Long> written = new TreeMap<>();
    private final List<WatchConnection> events = new ArrayList<>();
    private final Map<String, Instant> due = new TreeMap<>();

    /** Until when its watches bring nothing. */
    private Instant silent = Instant.EPOCH;

    private boolean leads = true;
    private boolean isDead;
    private int writes;

    public SimulatedFramework(World world, Kind<R> kind, Hooks<R> hooks) {
        this.world = world;
        this.kind = kind;
        this.hooks = hooks;
    }

    /** Watches the resources. Called before anything else is watched. */
    public void watchResources() {
        watch(kind.type(), "", this::changed);
    }

    /** Keeps the Deployments and the pods of clusters in caches, by name. */
    public void watchClusters(Map<String, Deployment> deployments, Map<String, Pod> pods) {
        watch(
                Deployment.class,
                ChildResources.SELECTOR,
                (isThere, it) -> keep(deployments, isThere, Trimmed.deployment(it)));
        watch(
                Pod.class,
                ChildResources.POD_SELECTOR,
                (isThere, it) -> keep(pods, isThere, Trimmed.pod(it)));
    }

    /**
     * Has changes told, and whether the object is there.
     *
     * @param labels a selector; empty for all
     */
    public <T extends HasMetadata> void watch(
            Class<T> of, String labels, BiConsumer<Boolean, T> changed) {
        events.add(world.api().watch(of, world.namespace(), labels, changed));
    }

    /** A cache of objects of which each change has the resources looked at. */
    public <T extends HasMetadata> void keep(Map<String, T> in, boolean isThere, T object) {
        if (isThere) {
            in.put(object.getMetadata().getName(), object);
        } else {
            in.remove(object.getMetadata().getName());
        }
        names().forEach(name -> due.put(name, world.now()));
    }

    /** The caches hold what there is: the framework calls for nothing before that. */
    public void fillCaches() {
        events.forEach(SimulatedFramework::deliverAll);
    }

    private static void deliverAll(WatchConnection each) {
        boolean goesOn = true;
        while (goesOn) {
            goesOn = each.deliver();
        }
    }

    private void changed(boolean isThere, R resource) {
        String name = resource.getMetadata().getName();
        if (!isThere) {
            resources.remove(name);
            written.remove(name);
            forgetUnnamed(name);
            hooks.act(() -> hooks.gone(resource));
            return;
        }
        hooks.told(resource, !resources.containsKey(name));
        resources.put(name, resource);
        if (names().contains(name) && version(resource) > written.getOrDefault(name, 0L)) {
            due.put(name, world.now());
        }
    }

    /** Another one of the name need not come. */
    private void forgetUnnamed(String name) {
        if (kind.names().isEmpty()) {
            due.remove(name);
        }
    }

    private static long version(HasMetadata resource) {
        return Long.parseLong(resource.getMetadata().getResourceVersion());
    }

    /** The process ends. */
    public void close() {
        isDead = true;
        events.forEach(WatchConnection::leave);
    }

    public boolean isDead() {
        return isDead;
    }

    public boolean leads() {
        return leads && !isDead;
    }

    /** Another process leads from now on. */
    public void resign() {
        leads = false;
        events.forEach(WatchConnection::leave);
    }

    /** How many writes it has tried. */
    public int writes() {
        return writes;
    }

    /** Looks at the resources that are due, by what the watches have brought so far. */
    public void pass() {
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
        names().forEach(this::lookIfDue);
    }

    private List<String> names() {
        return kind.names().isEmpty() ? List.copyOf(resources.keySet()) : kind.names();
    }

    private void lookIfDue(String name) {
        if (isDue(name) || world.strikes(10)) {
            due.remove(name);
            read(name).map(this::copy).ifPresent(this::look);
        }
    }

    private boolean isDue(String name) {
        return due.containsKey(name) && !due.get(name).isAfter(world.now());
    }

    /** Whether there is something to look at now, or to be told. */
    public boolean isBusy() {
        return due.keySet().stream().anyMatch(this::isDue)
                || events.stream().anyMatch(each -> each.pending() > 0);
    }

    /** As late as a watch may be, the framework shows nobody less than what he has written. */
    private Optional<R> read(String name) {
        Optional<R> cached = Optional.ofNullable(resources.get(name));
        boolean isOld =
                cached.filter(each -> version(each) < written.getOrDefault(name, 0L)).isPresent();
        return isOld && events.getFirst().deliver() ? read(name) : cached;
    }

    private R copy(R cached) {
        R copy = kind.empty().get();
        copy.setMetadata(new ObjectMetaBuilder(cached.getMetadata()).build());
        copy.setSpec(cached.getSpec());
        copy.setStatus(cached.getStatus());
        return copy;
    }

    private void look(R resource) {
        hooks.act(
                () -> {
                    try {
                        lookAt(resource);
                    } catch (KubernetesClientException | NotLeading repeated) {
                        world.trace("the pass ends: " + repeated.getMessage());
                        again(resource, RETRY);
                    }
                });
    }

    private void lookAt(R resource) {
        if (kind.finalizer().isEmpty()) {
            reconcile(resource).checkAgain().ifPresent(time -> again(resource, time));
            return;
        }
        boolean isHeld = resource.getMetadata().getFinalizers().contains(kind.finalizer());
        if (resource.getMetadata().getDeletionTimestamp() != null) {
            if (isHeld) {
                cleanUp(resource);
            }
        } else if (isHeld) {
            reconcile(resource).checkAgain().ifPresent(time -> again(resource, time));
        } else {
            finalizers(resource, "\"" + kind.finalizer() + "\"");
        }
    }

    private void again(R resource, Duration time) {
        due.merge(
                resource.getMetadata().getName(),
                world.now().plus(time),
                (before, next) -> before.isBefore(next) ? before : next);
    }

    private void cleanUp(R resource) {
        Outcome outcome = reconcile(resource);
        if (outcome.released()) {
            hooks.released(resource);
            finalizers(resource, "");
        } else {
            again(resource, outcome.checkAgain().orElse(WHILE_DELETING));
        }
    }

    private void finalizers(R resource, String wanted) {
        world.client()
                .resource(resource)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"resourceVersion\":\"%s\",\"finalizers\":[%s]}}"
                                .formatted(resource.getMetadata().getResourceVersion(), wanted));
    }

    private Outcome reconcile(R resource) {
        Outcome outcome = hooks.reconcile(resource);
        world.trace(outcome.reason().wire());
        written.put(resource.getMetadata().getName(), version(resource));
        return outcome;
    }

    /** Whether there is nothing to store. */
    static boolean isStored(CustomResource<ObjectNode, ObjectNode> read, ObjectNode status) {
        return read.getStatus() != null && Reconciliation.isSame(status, read.getStatus());
    }

    /**
     * As {@link io.sluice.operator.reconcile.Controller} stores a status.
     *
     * @param stored is done once it is
     */
    public Saved store(R read, ObjectNode status, Runnable stored) {
        if (isStored(read, status)) {
            return Freshness.confirm(world.client(), read);
        }
        read.setStatus(status);
        try {
            ObjectNode asked = status.deepCopy();
            R answer = world.client().resource(read).updateStatus();
            read.getMetadata().setResourceVersion(answer.getMetadata().getResourceVersion());
            stored.run();
            return StatusStore.compare(
                    asked, Optional.ofNullable(answer.getStatus()).orElseGet(asked::objectNode));
        } catch (KubernetesClientException fault) {
            if (fault.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return Saved.CONFLICT;
            }
            throw fault;
        }
    }

    /** What befalls a call of this process to the API server. */
    public CallFault fault(ApiCall call) {
        boolean isWrite = call.verb().writes();
        if (isWrite) {
            writes++;
        }
        if (isDead) {
            return new CallFault.RequestLost();
        }
        hooks.meanwhile();
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
    public boolean isCutOff(String what) {
        if (isDead) {
            return true;
        }
        hooks.meanwhile();
        if (!isDead && world.strikes(1)) {
            world.trace("! the operator dies at " + what);
            isDead = true;
        }
        return isDead || world.strikes(2);
    }
}
