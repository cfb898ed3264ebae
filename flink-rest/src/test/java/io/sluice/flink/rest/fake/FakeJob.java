// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.fake;

import io.sluice.flink.rest.Accepted;
import io.sluice.flink.rest.CheckpointInProgress;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.flink.rest.CheckpointStatus;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.JobDetails;
import io.sluice.flink.rest.JobException;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.JobResult;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.MetricSummary;
import io.sluice.flink.rest.ParallelismBounds;
import io.sluice.flink.rest.PlanNode;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.TaskCounts;
import io.sluice.flink.rest.request.SavepointRequest;
import io.sluice.flink.rest.request.StopRequest;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** One job of a {@link FakeCluster}; its methods stand for what happens to it in Flink. */
public final class FakeJob {
    private static final Set<String> TERMINAL = Set.of("FAILED", "FINISHED", "CANCELED");
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final MetricSummary NO_WATERMARK =
            new MetricSummary(Long.MIN_VALUE, Long.MIN_VALUE, Long.MIN_VALUE);

    private final String id;
    private final String name;
    private final Map<String, Map<String, MetricSummary>> measured = new TreeMap<>();
    private final List<JobException> exceptions = new ArrayList<>();
    private List<JobVertex> vertices;
    private Map<String, ParallelismBounds> bounds;
    private String state = "RUNNING";
    private Optional<TaskCounts> counts = Optional.empty();
    private long restarts;
    private boolean adaptive = true;
    private boolean holding;
    private boolean isSlow;
    private Optional<String> failing = Optional.empty();
    private Instant start = START;
    private Instant lastChange = START;
    private long checkpoints;
    private Optional<FakeStop> underWay = Optional.empty();
    private Optional<FakeStop> saving = Optional.empty();
    private List<CheckpointInProgress> inProgress = List.of();
    private Optional<CheckpointRef> completed = Optional.empty();
    private Optional<CheckpointRef> savepoint = Optional.empty();
    private CheckpointRetention retention = CheckpointRetention.RETAINED;

    FakeJob(String id, String name, List<JobVertex> vertices) {
        this.id = id;
        this.name = name;
        this.vertices = vertices;
        bounds =
                vertices.stream()
                        .collect(
                                Collectors.toMap(
                                        JobVertex::id,
                                        vertex -> new ParallelismBounds(1, vertex.parallelism())));
    }

    public synchronized void is(String flinkState) {
        state = flinkState;
        lastChange = lastChange.plusMillis(1);
    }

    /** It is another run of the job, which began then. */
    public synchronized void startedAt(Instant at) {
        start = at;
    }

    /** A task had another state then, and none has had one since. */
    public synchronized void tasksChangedAt(Instant at) {
        lastChange = at;
    }

    /** Overrides the task counts, which otherwise follow from the state. */
    public synchronized void hasTasks(TaskCounts tasks) {
        counts = Optional.of(tasks);
    }

    public synchronized void throwsAn(JobException exception) {
        exceptions.addFirst(exception);
        lastChange = lastChange.plusMillis(1);
    }

    /** Flink has restarted the job so many times more. */
    public synchronized void restarts(long times) {
        restarts += times;
    }

    synchronized Map<String, Double> metrics(List<String> names) {
        Map<String, Double> metrics =
                new TreeMap<>(
                        Map.of(
                                "numRestarts", (double) restarts,
                                "numberOfCompletedCheckpoints", (double) checkpoints));
        metrics.keySet().retainAll(names);
        return metrics;
    }

    /** What all subtasks of a vertex together say of a metric from now on. */
    public synchronized void measures(String vertexId, String name, MetricSummary summary) {
        measured.computeIfAbsent(vertexId, _ -> new TreeMap<>()).put(name, summary);
    }

    /** A source is called so, and is the only vertex without inputs. */
    synchronized List<PlanNode> plan() {
        return vertices.stream()
                .map(vertex -> new PlanNode(vertex.id(), isSource(vertex)))
                .toList();
    }

    private static boolean isSource(JobVertex vertex) {
        return vertex.name().startsWith("Source: ");
    }

    /** A job whose records have no time has the lowest watermark that there is. */
    synchronized Map<String, MetricSummary> subtaskMetrics(String vertexId) {
        Map<String, MetricSummary> metrics = new TreeMap<>();
        vertices.stream()
                .filter(vertex -> vertex.id().equals(vertexId))
                .map(
                        vertex ->
                                isSource(vertex)
                                        ? vertex.name().replaceAll("[ :]", "_")
                                                + ".currentOutputWatermark"
                                        : "currentInputWatermark")
                .forEach(name -> metrics.put(name, NO_WATERMARK));
        metrics.putAll(measured.getOrDefault(vertexId, Map.of()));
        return metrics;
    }

    /** Resource requirements are refused from now on. */
    public synchronized void runsUnderTheDefaultScheduler() {
        adaptive = false;
    }

    synchronized boolean hasEnded() {
        return TERMINAL.contains(state);
    }

    synchronized JobOverview overview() {
        Optional<Instant> end =
                TERMINAL.contains(state) ? Optional.of(START.plusSeconds(60)) : Optional.empty();
        return new JobOverview(
                id, name, state, start, end, counts.orElseGet(this::tasks), lastChange);
    }

    synchronized JobDetails details() {
        return new JobDetails(id, name, state, vertices);
    }

    synchronized List<JobException> exceptions() {
        return List.copyOf(exceptions);
    }

    synchronized Reply<Map<String, ParallelismBounds>> requirements() {
        return adaptive
                ? new Reply.Ok<>(Map.copyOf(bounds))
                : new Reply.Refused<>(500, "UnsupportedOperationException");
    }

    synchronized Reply<Accepted> require(Map<String, ParallelismBounds> wanted) {
        if (!adaptive) {
            return new Reply.Refused<>(500, "UnsupportedOperationException");
        }
        if (!wanted.keySet().equals(bounds.keySet())) {
            return new Reply.Refused<>(400, "The request must name every job vertex.");
        }
        boolean tooMany =
                vertices.stream().anyMatch(v -> wanted.get(v.id()).upper() > v.maxParallelism());
        if (tooMany) {
            return new Reply.Refused<>(400, "The parallelism exceeds its maximum parallelism.");
        }
        bounds = new TreeMap<>(wanted);
        vertices =
                vertices.stream().map(v -> withParallelism(v, wanted.get(v.id()).upper())).toList();
        return new Reply.Ok<>(Accepted.ACCEPTED);
    }

    synchronized Reply<Accepted> cancel() {
        if (TERMINAL.contains(state) && !state.equals("CANCELED")) {
            return new Reply.Refused<>(409, "The job is " + state + " already.");
        }
        state = "CANCELED";
        if (retention == CheckpointRetention.DELETED) {
            completed = completed.map(FakeJob::discarded);
        }
        return new Reply.Ok<>(Accepted.ACCEPTED);
    }

    private static CheckpointRef discarded(CheckpointRef last) {
        return new CheckpointRef(last.id(), last.path(), last.at(), true);
    }

    /** What becomes of its checkpoints with its cancellation; unless told, they are retained. */
    public synchronized void hasCheckpoints(CheckpointRetention kept) {
        retention = kept;
    }

    synchronized CheckpointRetention retention() {
        return retention;
    }

    /** Stops stay under way from now on, until {@link #finishStop} or another stop kills them. */
    public synchronized void holdsStops() {
        holding = true;
    }

    /** Savepoints stay in progress from now on, until {@link #finishSavepoint}. */
    public synchronized void savesSlowly() {
        isSlow = true;
    }

    /** The savepoint that is in progress is complete. */
    public synchronized void finishSavepoint() {
        saving.ifPresent(this::save);
        saving = Optional.empty();
        inProgress = List.of();
    }

    /** What its statistics tell of checkpoints and savepoints that it is making. */
    public synchronized void makes(CheckpointInProgress... now) {
        inProgress = List.of(now);
    }

    /** A checkpoint is complete. */
    public synchronized void completesCheckpoint(String path) {
        completed = Optional.of(new CheckpointRef(++checkpoints, path, START, false));
    }

    /** The stop that is under way is done. */
    public synchronized void finishStop() {
        underWay.ifPresent(stop -> finish(stop));
    }

    /** The stop that is under way fails; the job runs on. */
    public synchronized void failStop(String why) {
        underWay.ifPresent(stop -> stop.fail(why));
        underWay = Optional.empty();
    }

    synchronized FakeStop stop(StopRequest request) {
        FakeStop stop = FakeStop.of(request);
        if (TERMINAL.contains(state)) {
            stop.fail("Could not find Flink job (" + id + ")");
        } else if (underWay.isPresent()) {
            stop.fail("Checkpoint Coordinator is suspending.");
            failStop("Checkpoint Coordinator is suspending.");
        } else if (holding) {
            underWay = Optional.of(stop);
        } else {
            finish(stop);
        }
        return stop;
    }

    /** Savepoints and checkpoints of the running job fail from now on; stops don't. */
    public synchronized void failsToSave(String why) {
        failing = Optional.of(why);
    }

    synchronized FakeStop savepoint(SavepointRequest request) {
        FakeStop asked = FakeStop.of(request);
        Optional<String> problem =
                TERMINAL.contains(state)
                        ? Optional.of("Could not find Flink job (" + id + ")")
                        : failing;
        if (problem.isPresent()) {
            asked.fail(problem.get());
        } else if (isSlow) {
            saving = Optional.of(asked);
        } else {
            save(asked);
        }
        return asked;
    }

    private void save(FakeStop asked) {
        savepoint = Optional.of(new CheckpointRef(++checkpoints, asked.complete(id), START, false));
    }

    synchronized CheckpointStatus checkpoint() {
        if (TERMINAL.contains(state)) {
            return new CheckpointStatus.Failed("Could not find Flink job (" + id + ")");
        }
        return failing.<CheckpointStatus>map(CheckpointStatus.Failed::new)
                .orElseGet(
                        () -> {
                            completesCheckpoint("file:/checkpoints/chk-" + (checkpoints + 1));
                            return new CheckpointStatus.Completed(checkpoints);
                        });
    }

    private void finish(FakeStop stop) {
        String path = stop.complete(id);
        savepoint = Optional.of(new CheckpointRef(++checkpoints, path, START, false));
        underWay = Optional.empty();
        state = "FINISHED";
    }

    synchronized Checkpoints checkpoints() {
        return new Checkpoints(completed, savepoint, Optional.empty(), inProgress);
    }

    synchronized Reply<CheckpointRef> checkpointDetails(long checkpointId) {
        return completed
                .filter(last -> last.id() == checkpointId)
                .<Reply<CheckpointRef>>map(Reply.Ok::new)
                .orElseGet(
                        () ->
                                new Reply.Refused<>(
                                        404, "Could not find checkpoint " + checkpointId));
    }

    synchronized JobResult result() {
        return switch (state) {
            case "FINISHED" -> new JobResult(Optional.of("SUCCEEDED"), Optional.empty());
            case "CANCELED" -> new JobResult(Optional.of("CANCELED"), Optional.empty());
            case "FAILED" -> new JobResult(Optional.of("FAILED"), Optional.of("it failed"));
            default -> new JobResult(Optional.empty(), Optional.empty());
        };
    }

    private TaskCounts tasks() {
        int total = vertices.stream().mapToInt(JobVertex::parallelism).sum();
        return new TaskCounts(
                total, state.equals("RUNNING") ? total : 0, state.equals("FINISHED") ? total : 0);
    }

    private static JobVertex withParallelism(JobVertex vertex, int parallelism) {
        return new JobVertex(
                vertex.id(), vertex.name(), parallelism, vertex.maxParallelism(), vertex.state());
    }
}
