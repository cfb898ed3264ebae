// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.flink.rest.JobOverview;
import io.sluice.operator.artifact.Artifacts;
import io.sluice.operator.artifact.Fetched;
import io.sluice.operator.artifact.JarSource;
import io.sluice.operator.cache.Trimmed;
import io.sluice.operator.deployment.simulation.SimulatedFramework;
import io.sluice.operator.leadership.LeadershipGuard;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.observe.JobManagerAddress;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.operator.reconcile.StatusStore.Saved;
import io.sluice.operator.sessionjob.FlinkSessionJobReconciler;
import io.sluice.operator.sessionjob.SessionJobObserver.RelatedResources;
import io.sluice.operator.sessionjob.SessionJobs;
import io.sluice.operator.sessionjob.Submissions;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.operator.world.OperatorProcesses;
import io.sluice.operator.world.ToldEnd;
import io.sluice.rules.config.RestEndpoint;
import io.sluice.testkit.apiserver.ApiCall;
import io.sluice.testkit.apiserver.CallFault;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * One process of the operator with production's reconciler of FlinkSessionJobs. Jars are handed
 * over in threads, each of which does its step at once when it is its turn.
 */
final class SessionOperator
        implements SimulatedFramework.Hooks<FlinkSessionJob>, OperatorProcesses.Replica {
    /** One of the present attempt, and some of former ones that have not come to their end. */
    private static final int MOST_THREADS = 4;

    private final SessionWorld world;
    private final Set<SessionFlaws> flaws;
    private final SimulatedFramework<FlinkSessionJob> framework;
    private final ResourceReconciler<FlinkSessionJob, RelatedResources> reconciler;
    private final Optional<ClusterOperator> cluster;
    private final Map<String, FlinkDeployment> clusters = new TreeMap<>();
    private final Deque<Runnable> threads = new ArrayDeque<>();
    private Optional<Runnable> postponed = Optional.empty();
    private boolean isAtWork;

    /** The resource that it looks at, or looked at last. */
    private Optional<ObservedJob> current = Optional.empty();

    private final ToldEnd toldEnd = new ToldEnd();

    /** The ids of the jobs that were listed when it looked last. */
    private final Set<String> toldOf = new HashSet<>();

    SessionOperator(SessionWorld world, Set<SessionFlaws> flaws) {
        this.world = world;
        this.flaws = flaws;
        framework =
                new SimulatedFramework<>(
                        world,
                        new SimulatedFramework.Kind<>(
                                FlinkSessionJob.class,
                                world.jobs().stream().map(ObservedJob::name).toList(),
                                FlinkSessionJobReconciler.FINALIZER,
                                FlinkSessionJob::new),
                        this);
        var rest = new SessionJobManagers(world, this, flaws);
        cluster =
                world.deployed()
                        .map(
                                it ->
                                        new ClusterOperator(
                                                world, it, this, flaws, rest, framework::leads));
        var production =
                new SessionJobs(
                        world.client(),
                        rest,
                        new JobManagerAddress(RestEndpoint.IN_CLUSTER, world::defaults),
                        artifacts(),
                        world::defaults,
                        SpecValidators.NONE,
                        false,
                        world::now);
        reconciler =
                new LeadershipGuard(framework::leads)
                        .guarded(
                                production.passes(
                                        this::tell,
                                        new ObservationMemory(world::nanos),
                                        new Submissions(this::handOver, world::now)));
        framework.watchResources();
        framework.watch(
                FlinkDeployment.class,
                "",
                (isThere, it) -> framework.keep(clusters, isThere, Trimmed.cluster(it)));
        world.quietly(
                () -> {
                    framework.fillCaches();
                    cluster.ifPresent(ClusterOperator::fillCaches);
                    return true;
                });
    }

    /** A thread hands a job over; the next look begins no other one. */
    private void handOver(Runnable thread) {
        threads.add(thread);
        if (threads.size() > MOST_THREADS * world.jobs().size()) {
            world.violated("jobs are handed over " + threads.size() + " times at once");
        }
    }

    /** A jar's name is all that is in it. */
    private Artifacts artifacts() {
        return source ->
                isDead() || world.strikes(5)
                        ? new Fetched.Refused("HTTP 503")
                        : new Fetched.Here(name(source));
    }

    private static Path name(JarSource source) {
        String uri = source.uri().orElse("");
        return Path.of(uri.substring(uri.lastIndexOf('/') + 1));
    }

    private void tell(FlinkSessionJob resource, List<ResourceEvent> notes) {
        if (isDead()) {
            return;
        }
        notes.forEach(each -> world.trace("event: " + each.message()));
        of(resource).oracle().told(notes);
        if (notes.stream().anyMatch(each -> each.message().contains("may run on"))) {
            world.abandoned(resource);
        }
    }

    private ObservedJob of(FlinkSessionJob resource) {
        return world.job(resource.getMetadata().getName());
    }

    /** Whether the name of a jar is one of the resource that it looks at. */
    boolean mayHaveUploaded(String jarId) {
        return current.filter(it -> jarId.contains("_" + it.name() + "-")).isPresent();
    }

    /** It looks at the cluster, and may ask nothing of any job. */
    void looksAtCluster() {
        current = Optional.empty();
        toldEnd.forget();
        toldOf.clear();
    }

    /** The resource that it looks at. */
    Optional<ObservedJob> current() {
        return current;
    }

    /** Whether a job was made for the resource that it looks at, or for a former one. */
    boolean owns(String jobId) {
        return current.isPresent() && world.owner(jobId).equals(current);
    }

    @Override
    public void released(FlinkSessionJob resource) {
        of(resource).released(resource);
    }

    @Override
    public SimulatedFramework<FlinkSessionJob> framework() {
        return framework;
    }

    @Override
    public void act(Runnable turn) {
        world.operators().act(this, turn);
    }

    @Override
    public void meanwhile() {
        world.operators().meanwhile(this);
    }

    @Override
    public void close() {
        threads.clear();
        framework.close();
        cluster.ifPresent(ClusterOperator::close);
    }

    @Override
    public void resign() {
        framework.resign();
        cluster.ifPresent(ClusterOperator::resign);
    }

    @Override
    public boolean isBusy() {
        return cluster.filter(ClusterOperator::isBusy).isPresent()
                || framework.isBusy()
                || !threads.isEmpty();
    }

    @Override
    public CallFault fault(ApiCall call) {
        CallFault fault = framework.fault(call);
        cluster.filter(_ -> fault.equals(CallFault.NONE)).ifPresent(it -> it.calls(call));
        return fault;
    }

    @Override
    public void pass() {
        framework.pass();
        cluster.filter(_ -> !isDead()).ifPresent(ClusterOperator::pass);
    }

    @Override
    public void work() {
        Optional<Runnable> next = Optional.ofNullable(threads.poll());
        if (next.isEmpty() || isDead()) {
            return;
        }
        isAtWork = true;
        try {
            act(next.get());
        } finally {
            isAtWork = false;
        }
    }

    @Override
    public void workWithoutLeading() {
        while (!isAtWork && !threads.isEmpty() && world.dice().chance(50)) {
            work();
        }
    }

    @Override
    public void goOnBesides() {
        if (isAtWork && world.strikes(15)) {
            pass();
        }
    }

    @Override
    public Outcome reconcile(FlinkSessionJob resource) {
        current = Optional.of(of(resource));
        toldEnd.forget();
        toldOf.clear();
        var around =
                new RelatedResources(
                        resource.cluster().flatMap(it -> Optional.ofNullable(clusters.get(it))),
                        Optional.empty());
        Outcome outcome = reconciler.reconcile(resource, around, this::save);
        postponed.ifPresent(Runnable::run);
        postponed = Optional.empty();
        return outcome;
    }

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
        return framework.store(
                read,
                status,
                () -> {
                    toldEnd.stored(of(read).oracle());
                    world.seen(of(read), toldOf);
                });
    }

    ToldEnd toldEnd() {
        return toldEnd;
    }

    void toldOfJobs(List<JobOverview> listed) {
        toldEnd.looked(listed);
        listed.forEach(each -> toldOf.add(each.id()));
    }
}
