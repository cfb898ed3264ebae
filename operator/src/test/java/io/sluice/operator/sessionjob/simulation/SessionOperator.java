// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.flink.rest.JobOverview;
import io.sluice.operator.artifact.Artifacts;
import io.sluice.operator.artifact.Fetched;
import io.sluice.operator.artifact.JarSource;
import io.sluice.operator.cache.Trimmed;
import io.sluice.operator.leadership.LeadershipGuard;
import io.sluice.operator.leadership.LeadershipGuard.NotLeading;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.observe.JobManagerAddress;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.reconcile.Freshness;
import io.sluice.operator.reconcile.Reconciliation;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.operator.reconcile.StatusStore;
import io.sluice.operator.reconcile.StatusStore.Saved;
import io.sluice.operator.sessionjob.FlinkSessionJobReconciler;
import io.sluice.operator.sessionjob.SessionJobObserver.RelatedResources;
import io.sluice.operator.sessionjob.SessionJobs;
import io.sluice.operator.sessionjob.Submissions;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.config.RestEndpoint;
import io.sluice.testkit.apiserver.ApiCall;
import io.sluice.testkit.apiserver.CallFault;
import io.sluice.testkit.apiserver.WatchConnection;
import java.net.HttpURLConnection;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;

/**
 * One process of the operator: production's reconciler of FlinkSessionJobs, and around it what the
 * framework does, which fills caches from watches and calls for a resource when something of it has
 * changed and when it asked to be looked at again. Jars are handed over in threads, each of which
 * does its step at once when it is its turn.
 */
final class SessionOperator {
    private static final Duration RETRY = Duration.ofSeconds(1);
    private static final Duration WHILE_DELETING = Duration.ofSeconds(2);
    private static final int MOST_TURNS = 300;

    private final SessionWorld world;
    private final Set<SessionFlaws> flaws;
    private final ResourceReconciler<FlinkSessionJob, RelatedResources> reconciler;
    private final Map<String, FlinkSessionJob> resources = new TreeMap<>();
    private final Map<String, FlinkDeployment> clusters = new TreeMap<>();
    private final Map<String, Long> written = new TreeMap<>();
    private final List<WatchConnection> events = new ArrayList<>();
    private final List<Watch> watches = new ArrayList<>();
    private final Deque<Runnable> threads = new ArrayDeque<>();
    private Optional<Instant> due = Optional.empty();

    /** Until when its watches bring nothing. */
    private Instant silent = Instant.EPOCH;

    private Optional<Runnable> postponed = Optional.empty();
    private boolean leads = true;
    private boolean isDead;
    private boolean isAtWork;
    private Optional<Integer> toldEndOf = Optional.empty();
    private Optional<Integer> sureOfEndOf = Optional.empty();

    /** The ids of the jobs that were listed when it looked last. */
    private final Set<String> toldOf = new HashSet<>();

    private int writes;

    SessionOperator(SessionWorld world, Set<SessionFlaws> flaws) {
        this.world = world;
        this.flaws = flaws;
        var production =
                new SessionJobs(
                        world.client(),
                        new SessionJobManagers(world, this, flaws),
                        new JobManagerAddress(RestEndpoint.IN_CLUSTER, world::defaults),
                        artifacts(),
                        world::defaults,
                        SpecValidators.NONE,
                        false,
                        world::now);
        reconciler =
                new LeadershipGuard(() -> leads && !isDead)
                        .guarded(
                                production.passes(
                                        this::tell,
                                        new ObservationMemory(world::nanos),
                                        new Submissions(threads::add, world::now)));
        watch(FlinkSessionJob.class, this::changed);
        watch(
                FlinkDeployment.class,
                (isThere, it) -> {
                    if (isThere) {
                        clusters.put(it.getMetadata().getName(), Trimmed.cluster(it));
                    } else {
                        clusters.remove(it.getMetadata().getName());
                    }
                    due = Optional.of(world.now());
                });
        world.quietly(() -> events.stream().allMatch(SessionOperator::isFilled));
    }

    /** The framework calls for nothing before its caches hold what there is. */
    private static boolean isFilled(WatchConnection each) {
        while (each.deliver()) {
            // until there is nothing new
        }
        return true;
    }

    /** A jar's name is all that is in it. */
    private Artifacts artifacts() {
        return source ->
                isDead || world.strikes(5)
                        ? new Fetched.Refused("HTTP 503")
                        : new Fetched.Here(name(source));
    }

    private static Path name(JarSource source) {
        String uri = source.uri().orElse("");
        return Path.of(uri.substring(uri.lastIndexOf('/') + 1));
    }

    private void tell(FlinkSessionJob resource, List<ResourceEvent> notes) {
        if (isDead) {
            return;
        }
        notes.forEach(each -> world.trace("event: " + each.message()));
        world.oracle().told(notes);
        if (notes.stream().anyMatch(each -> each.message().contains("may run on"))) {
            world.abandoned(resource);
        }
    }

    private <T extends HasMetadata> void watch(Class<T> kind, BiConsumer<Boolean, T> changed) {
        watches.add(
                world.client()
                        .resources(kind)
                        .inNamespace(world.namespace())
                        .watch(
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

    private void changed(boolean isThere, FlinkSessionJob resource) {
        String name = resource.getMetadata().getName();
        if (!isThere) {
            resources.remove(name);
            written.remove(name);
            return;
        }
        resources.put(name, resource);
        if (version(resource) > written.getOrDefault(name, 0L)) {
            due = Optional.of(world.now());
        }
    }

    private static long version(FlinkSessionJob resource) {
        return Long.parseLong(resource.getMetadata().getResourceVersion());
    }

    /** The process ends. */
    void close() {
        isDead = true;
        threads.clear();
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
        if (isDue() || world.strikes(10)) {
            due = Optional.empty();
            read(SessionWorld.NAME).map(SessionOperator::copy).ifPresent(this::look);
        }
    }

    private boolean isDue() {
        return due.filter(at -> !at.isAfter(world.now())).isPresent();
    }

    /** One of its threads does its step. */
    void work() {
        Optional<Runnable> next = Optional.ofNullable(threads.poll());
        if (next.isEmpty() || isDead) {
            return;
        }
        Optional<SessionOperator> before = world.act(Optional.of(this));
        isAtWork = true;
        try {
            next.get().run();
        } finally {
            isAtWork = false;
            world.act(before);
        }
    }

    /** Nobody ends the threads of a process that leads no more, until it ends itself. */
    void workWithoutLeading() {
        while (!isAtWork && !threads.isEmpty() && world.dice().chance(50)) {
            work();
        }
    }

    /** While one of its threads waits for an answer, reconciliations go on. */
    void goOnBesides() {
        if (isAtWork && world.strikes(15)) {
            pass();
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
            work();
        } while (!isDead
                && (isDue()
                        || !threads.isEmpty()
                        || events.stream().anyMatch(each -> each.pending() > 0)));
    }

    /** As late as a watch may be, the framework shows nobody less than what he has written. */
    private Optional<FlinkSessionJob> read(String name) {
        Optional<FlinkSessionJob> cached = Optional.ofNullable(resources.get(name));
        boolean isOld =
                cached.filter(each -> version(each) < written.getOrDefault(name, 0L)).isPresent();
        return isOld && events.getFirst().deliver() ? read(name) : cached;
    }

    private static FlinkSessionJob copy(FlinkSessionJob cached) {
        var copy = new FlinkSessionJob();
        copy.setMetadata(new ObjectMetaBuilder(cached.getMetadata()).build());
        copy.setSpec(cached.getSpec());
        copy.setStatus(cached.getStatus());
        return copy;
    }

    private void look(FlinkSessionJob resource) {
        Optional<SessionOperator> before = world.act(Optional.of(this));
        try {
            boolean isHeld =
                    resource.getMetadata()
                            .getFinalizers()
                            .contains(FlinkSessionJobReconciler.FINALIZER);
            if (resource.getMetadata().getDeletionTimestamp() != null) {
                if (isHeld) {
                    cleanUp(resource);
                }
            } else if (isHeld) {
                reconcile(resource).checkAgain().ifPresent(this::again);
            } else {
                finalizers(resource, "\"" + FlinkSessionJobReconciler.FINALIZER + "\"");
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

    private void cleanUp(FlinkSessionJob resource) {
        Outcome outcome = reconcile(resource);
        if (outcome.released()) {
            world.released(resource);
            finalizers(resource, "");
        } else {
            again(outcome.checkAgain().orElse(WHILE_DELETING));
        }
    }

    private void finalizers(FlinkSessionJob resource, String wanted) {
        world.client()
                .resource(resource)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"resourceVersion\":\"%s\",\"finalizers\":[%s]}}"
                                .formatted(resource.getMetadata().getResourceVersion(), wanted));
    }

    private Outcome reconcile(FlinkSessionJob resource) {
        toldEndOf = Optional.empty();
        sureOfEndOf = Optional.empty();
        toldOf.clear();
        var around =
                new RelatedResources(
                        resource.cluster().flatMap(it -> Optional.ofNullable(clusters.get(it))),
                        Optional.empty());
        Outcome outcome = reconciler.reconcile(resource, around, this::save);
        postponed.ifPresent(Runnable::run);
        postponed = Optional.empty();
        world.trace(outcome.reason().wire());
        written.put(resource.getMetadata().getName(), version(resource));
        return outcome;
    }

    /** As {@link io.sluice.operator.reconcile.Controller} stores a status. */
    private Saved save(FlinkSessionJob read, ObjectNode status) {
        if (flaws.contains(SessionFlaws.JAR_NOT_RECORDED)
                && status.get("attempt") instanceof ObjectNode attempt) {
            attempt.remove("jar");
        }
        if (flaws.contains(SessionFlaws.STATUS_AFTER_EFFECT)) {
            postponed = Optional.of(() -> store(read, status));
            return Saved.KEPT;
        }
        return store(read, status);
    }

    private Saved store(FlinkSessionJob read, ObjectNode status) {
        if (read.getStatus() != null && Reconciliation.isSame(status, read.getStatus())) {
            return Freshness.confirm(world.client(), read);
        }
        read.setStatus(status);
        try {
            ObjectNode asked = status.deepCopy();
            FlinkSessionJob stored = world.client().resource(read).updateStatus();
            read.getMetadata().setResourceVersion(stored.getMetadata().getResourceVersion());
            sureOfEndOf.ifPresent(world.oracle()::tellsEndOf);
            world.seen(toldOf);
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
    void toldOfJobs(List<JobOverview> listed) {
        sureOfEndOf = toldEndOf;
        listed.forEach(each -> toldOf.add(each.id()));
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
