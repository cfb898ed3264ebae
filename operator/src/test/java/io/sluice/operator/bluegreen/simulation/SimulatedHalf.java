// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.status.Condition;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.api.status.JobManagerDeploymentState;
import io.sluice.api.status.JobState;
import io.sluice.api.status.JobStatus;
import io.sluice.api.status.LifecycleState;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.operator.deployment.simulation.SavepointRequests;
import io.sluice.operator.deployment.simulation.SavepointRequests.Kind;
import io.sluice.operator.deployment.simulation.SavepointRequests.Request;
import io.sluice.operator.model.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The job of a FlinkDeployment, and its operator, which is without flaws: a job is stopped with its
 * state, restored from it, and never started from nothing if it has some. What it makes of the
 * resource it says in the status, as production does.
 */
final class SimulatedHalf implements Half {
    /** What the job of a half does. */
    enum Job {
        NONE,
        STARTING,
        RUNNING,
        RESTARTING,
        STOPPING,
        SUSPENDED,
        FAILED
    }

    private final PairWorld world;
    private final boolean isOurs;
    private final Deque<Runnable> late = new ArrayDeque<>();
    private FlinkDeployment stored;
    private ObjectNode written = JsonNodeFactory.instance.objectNode();
    private SavepointRequests requests = new SavepointRequests(_ -> {});
    private long observed;
    private Job job = Job.NONE;
    private int attempt;
    private boolean hasRun;
    private boolean wasSteady;
    private boolean wasAborted;
    private String image = "";
    private long position;
    private long base;
    private long restarts;
    private Instant startTime = Instant.EPOCH;
    private Optional<Double> pending = Optional.empty();
    private Optional<Instant> steadySince = Optional.empty();

    /** How far it was at each time that a half which goes on from it may be measured by. */
    private final Map<String, Long> positions = new HashMap<>();

    private Optional<String> lastState = Optional.empty();

    /**
     * @param stored what the API server has of it
     * @param isOurs whether the operator has made it
     */
    SimulatedHalf(PairWorld world, FlinkDeployment stored, boolean isOurs) {
        this.world = world;
        this.stored = stored;
        this.isOurs = isOurs;
    }

    @Override
    public void sees(FlinkDeployment next) {
        if (!next.getMetadata().getGeneration().equals(generation())
                && !next.getSpec().equals(spec())) {
            wasSteady = false;
        }
        stored = next;
    }

    @Override
    public FlinkDeployment stored() {
        return stored;
    }

    private Long generation() {
        return stored.getMetadata().getGeneration();
    }

    @Override
    public boolean isOurs() {
        return isOurs;
    }

    @Override
    public boolean isLive() {
        return switch (job) {
            case STARTING, RUNNING, RESTARTING, STOPPING -> true;
            case NONE, SUSPENDED, FAILED -> false;
        };
    }

    @Override
    public boolean isSteady() {
        return observed == generation() && job == Job.RUNNING && wantsToRun() && !isDeleting();
    }

    @Override
    public boolean wasSteady() {
        return wasSteady;
    }

    @Override
    public String image() {
        return image;
    }

    @Override
    public long base() {
        return base;
    }

    @Override
    public int lineOfBase() {
        return 0;
    }

    @Override
    public int line() {
        return 0;
    }

    @Override
    public long positionAt(String time) {
        return positions.getOrDefault(time, 0L);
    }

    /** Of its job since it was started. */
    long restarts() {
        return restarts;
    }

    /** The records that wait at its sources. */
    Optional<Double> pending() {
        return pending;
    }

    @Override
    public long secondsSteady() {
        return steadySince.map(it -> Duration.between(it, world.now()).toSeconds()).orElse(0L);
    }

    String jobId() {
        return uid() + "-" + attempt;
    }

    @Override
    public void note(String time) {
        positions.putIfAbsent(time, position);
    }

    /** Its JobManager is asked for a savepoint. */
    void ask(String triggerId) {
        if (requests.knows(triggerId)) {
            return;
        }
        requests.begin(Kind.SAVEPOINT, triggerId, "s3://s", world.strikes(4) ? 0 : 50, world.now());
        if (job != Job.RUNNING) {
            requests.fail(triggerId, "Not all required tasks are running.", world.now());
        }
    }

    /** The request reaches its JobManager when who asked has given up. */
    void later(Runnable request) {
        late.add(request);
    }

    SavepointStatus savepoint(String triggerId) {
        return requests.find(triggerId)
                .map(Request::status)
                .orElseGet(SavepointStatus.Unknown::new);
    }

    @Override
    public void hold() {
        if (!isDeleting() && stored.getMetadata().getFinalizers().isEmpty()) {
            world.hold(stored);
        }
    }

    @Override
    public void step() {
        if (isLive() && job != Job.STARTING) {
            position = Math.max(position, world.seconds());
        }
        while (!late.isEmpty()) {
            late.removeFirst().run();
        }
        requests.forget(world.now());
        if (isDeleting()) {
            job = job == Job.STOPPING || !isLive() ? Job.NONE : Job.STOPPING;
        } else if (job == Job.STOPPING) {
            stopped();
        } else if (observed < generation()) {
            reconcile();
        } else {
            go();
        }
        wasSteady |= isSteady();
        steadySince = steadySince.or(() -> Optional.of(world.now()).filter(_ -> isSteady()));
        if (isDeleting() && !isLive()) {
            world.releases(stored);
        } else {
            tell();
        }
    }

    private void reconcile() {
        observed = generation();
        String next = spec().path("image").asText();
        if (!wantsToRun()) {
            if (isLive()) {
                job = Job.STOPPING;
            } else if (job == Job.NONE || job == Job.FAILED) {
                lastState = state();
                job = Job.SUSPENDED;
            }
        } else if (job == Job.NONE) {
            first();
        } else if (job == Job.SUSPENDED) {
            resume();
        } else if (!next.equals(image)) {
            start(keepsState() ? position : 0);
        }
    }

    private void first() {
        String path = spec().at("/job/initialSavepointPath").asText("");
        if (path.isEmpty()) {
            world.promises().startsFromNothing(this);
            start(0);
        } else {
            startFrom(path);
        }
    }

    private void startFrom(String path) {
        if (world.snapshots().isDisposed(path)) {
            world.violated("a half starts from " + path + ", which is disposed of");
        }
        start(world.positionOf(path));
    }

    private void resume() {
        if (isMarkedAborted() || wasAborted) {
            world.violated("an aborted half goes on from its own state");
        }
        if (lastState.isPresent()) {
            startFrom(lastState.get());
        } else if (keepsState() && hasRun) {
            job = Job.FAILED;
        } else {
            first();
        }
    }

    /** Where the state is that it was stopped with, or is yet to start from. */
    private Optional<String> state() {
        return keepsState() && (hasRun || base > 0)
                ? Optional.of(world.write(position))
                : Optional.empty();
    }

    private void stopped() {
        wasAborted |= isMarkedAborted();
        lastState = state();
        lastState.ifPresent(
                path ->
                        world.snapshots()
                                .stopped(
                                        stored.getMetadata().getName(),
                                        uid() + "-savepoint-" + generation(),
                                        path));
        observed = generation();
        job = Job.SUSPENDED;
        if (wantsToRun()) {
            resume();
        }
    }

    private void start(long from) {
        attempt++;
        image = spec().path("image").asText();
        base = from;
        position = from;
        positions.replaceAll((_, before) -> Math.min(before, from));
        restarts = 0;
        steadySince = Optional.empty();
        pending = world.analysis().pending(image);
        requests = new SavepointRequests(_ -> {});
        startTime = world.now();
        job = Job.STARTING;
        world.trace(stored.getMetadata().getName() + " starts " + image + " at " + from);
    }

    private void go() {
        switch (job) {
            case STARTING -> {
                if (image.startsWith("broken")) {
                    job = Job.FAILED;
                } else if (!image.startsWith("bad")
                        && !world.lacksRoom(this)
                        && world.dice().chance(60)) {
                    job = Job.RUNNING;
                    hasRun = true;
                }
            }
            case RUNNING -> {
                answer();
                if (world.strikes(10)) {
                    restart();
                }
            }
            case RESTARTING -> job = Job.RUNNING;
            case NONE, STOPPING, SUSPENDED, FAILED -> {}
        }
    }

    private void restart() {
        job = Job.RESTARTING;
        restarts++;
        requests.failAll("Checkpoint Coordinator is suspending.", world.now());
        if (world.dice().chance(50)) {
            world.trace("the JobManager of " + jobId() + " restarts");
            requests = new SavepointRequests(_ -> {});
            world.snapshots().forgotten(jobId());
        }
    }

    private void answer() {
        for (Request asked : requests.pending()) {
            boolean isOver = world.now().isAfter(asked.begun().plus(SavepointRequests.LONGEST));
            if (isOver) {
                requests.fail(asked.triggerId(), "expired", world.now());
            } else if (world.dice().chance(asked.percent())) {
                if (world.strikes(20)) {
                    requests.fail(asked.triggerId(), "disk full", world.now());
                } else {
                    String path = world.write(position);
                    world.snapshots().made(jobId(), asked.triggerId(), path);
                    requests.end(
                            asked.triggerId(), new SavepointStatus.Completed(path), 0, world.now());
                }
            }
        }
    }

    private boolean keepsState() {
        return !spec().at("/job/upgradeMode").asText("").equals("stateless");
    }

    private boolean has(PairFlaws flaw) {
        return world.flaws().contains(flaw);
    }

    /** Writes what has become of it, as its operator does. */
    private void tell() {
        ObjectNode next = status().onto(JsonNodeFactory.instance.objectNode());
        if (!next.equals(written)) {
            written = next;
            world.patchStatus(stored, next);
        }
    }

    private FlinkDeploymentStatus status() {
        boolean isToldStopped =
                job == Job.STOPPING && !wantsToRun() && has(PairFlaws.STOP_NOT_AWAITED);
        if (isToldStopped && lastState.isEmpty()) {
            lastState = Optional.of(world.write(position));
        }
        return FlinkDeploymentStatus.NEW
                .with()
                .observedGeneration(Optional.of(observed))
                .lifecycleState(Optional.of(isToldStopped ? LifecycleState.SUSPENDED : lifecycle()))
                .jobManagerDeploymentStatus(
                        isLive()
                                ? JobManagerDeploymentState.READY
                                : JobManagerDeploymentState.MISSING)
                .jobStatus(
                        JobStatus.EMPTY
                                .with()
                                .jobId(Optional.of(jobId()).filter(_ -> attempt > 0))
                                .state(state(job))
                                .startTime(Optional.of(startTime).filter(_ -> hasRun))
                                .upgradeSavepointPath(lastState)
                                .build())
                .conditions(conditions(isToldStopped ? Job.SUSPENDED : job))
                .build();
    }

    private LifecycleState lifecycle() {
        return switch (job) {
            case NONE -> LifecycleState.CREATED;
            case STARTING ->
                    has(PairFlaws.WORKING_IS_STEADY)
                            ? LifecycleState.STABLE
                            : LifecycleState.DEPLOYED;
            case RESTARTING -> LifecycleState.DEPLOYED;
            case RUNNING -> LifecycleState.STABLE;
            case STOPPING -> LifecycleState.UPGRADING;
            case SUSPENDED -> LifecycleState.SUSPENDED;
            case FAILED -> LifecycleState.FAILED;
        };
    }

    private Optional<JobState> state(Job now) {
        return switch (now) {
            case NONE -> Optional.empty();
            case STARTING ->
                    Optional.of(
                            has(PairFlaws.WORKING_IS_STEADY)
                                    ? JobState.RUNNING
                                    : JobState.INITIALIZING);
            case RUNNING, STOPPING -> Optional.of(JobState.RUNNING);
            case RESTARTING -> Optional.of(JobState.RESTARTING);
            case SUSPENDED -> Optional.of(JobState.SUSPENDED);
            case FAILED -> Optional.of(JobState.FAILED);
        };
    }

    private List<Condition> conditions(Job now) {
        return switch (now) {
            case RUNNING -> List.of(condition("Ready", Condition.Status.TRUE, Reason.JOB_RUNNING));
            case SUSPENDED -> List.of(condition("Ready", Condition.Status.TRUE, Reason.SUSPENDED));
            case FAILED ->
                    List.of(
                            condition("Ready", Condition.Status.FALSE, Reason.JOB_FAILED),
                            condition("Stalled", Condition.Status.TRUE, Reason.JOB_FAILED));
            case NONE, STARTING, RESTARTING, STOPPING ->
                    List.of(
                            condition("Ready", Condition.Status.FALSE, Reason.DEPLOYMENT_STARTED),
                            condition(
                                    "Reconciling",
                                    Condition.Status.TRUE,
                                    Reason.DEPLOYMENT_STARTED));
        };
    }

    private Condition condition(String type, Condition.Status status, Reason reason) {
        return new Condition(
                type, status, reason.wire(), job.name(), startTime, Optional.of(observed));
    }
}
