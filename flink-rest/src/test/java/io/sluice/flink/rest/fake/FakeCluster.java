// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.fake;

import io.sluice.flink.rest.CheckpointStatus;
import io.sluice.flink.rest.ClusterConfig;
import io.sluice.flink.rest.DisposalStatus;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.flink.rest.request.RunRequest;
import io.sluice.flink.rest.request.SavepointRequest;
import io.sluice.flink.rest.request.StopRequest;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/** One JobManager of {@link FakeJobManager}: its jobs, and whether it answers at all. */
public final class FakeCluster {
    private final Map<String, FakeJob> jobs = new ConcurrentSkipListMap<>();
    private final Map<String, FakeStop> operations = new ConcurrentHashMap<>();
    private final Map<String, CheckpointStatus> checkpoints = new ConcurrentHashMap<>();
    private final Map<String, DisposalStatus> disposals = new ConcurrentHashMap<>();
    private final List<String> disposed = new CopyOnWriteArrayList<>();
    private volatile Optional<String> undisposable = Optional.empty();
    private final AtomicInteger calls = new AtomicInteger();
    private final AtomicInteger changes = new AtomicInteger();
    private final FakeJars jars = new FakeJars();
    private volatile boolean silent;
    private volatile Optional<Integer> refusing = Optional.empty();
    private volatile Runnable meanwhile = () -> {};
    private volatile String version = "1.20.5";
    private volatile Map<String, String> configuration = Map.of("jobmanager.scheduler", "adaptive");

    /** A job that runs with all its tasks up, under the adaptive scheduler. */
    public FakeJob run(String jobId, String name, JobVertex... vertices) {
        FakeJob job = new FakeJob(jobId, name, List.of(vertices));
        jobs.put(jobId, job);
        return job;
    }

    /** The job is forgotten, as after a JobManager's restart, and so is what was asked of it. */
    public void forget(String jobId) {
        jobs.remove(jobId);
        operations.clear();
        checkpoints.clear();
        disposals.clear();
    }

    /** The JobManager restarts, and nothing of what it had is left. */
    public void restartEmpty() {
        jobs.clear();
        operations.clear();
        jars.clear();
    }

    /** What was run, in order. */
    public List<RunRequest> runs() {
        return jars.runs();
    }

    /** How many jars lie on the JobManager's disk. */
    public int jarCount() {
        return jars.size();
    }

    /** Every {@code main()} throws from now on; empty ends that. */
    public void refuseRuns(Optional<String> why) {
        jars.refuse(why);
    }

    /** The next request to run a jar never arrives, and nobody answers it. */
    public void losesARun() {
        jars.loseARun();
    }

    FakeJars jars() {
        return jars;
    }

    /** Flink 2 refuses an id for ever, 1.x while its job lives. */
    boolean isKnown(String jobId) {
        return job(jobId).filter(job -> !version.startsWith("1.") || !job.hasEnded()).isPresent();
    }

    /** From now on nobody answers, until {@link #answer}. */
    public void goSilent() {
        silent = true;
    }

    public void answer() {
        silent = false;
    }

    /**
     * Every call is answered with this HTTP status from now on, as a proxy does in front of a
     * JobManager that starts, or one that lets nobody in; empty ends that.
     */
    public void refuses(Optional<Integer> status) {
        refusing = status;
    }

    <T> Optional<Reply<T>> refusal() {
        return refusing.map(status -> new Reply.Refused<>(status, "refused"));
    }

    /** What happens while each call is under way. */
    public void meanwhile(Runnable happens) {
        meanwhile = happens;
    }

    /** Instead of the adaptive scheduler alone. */
    public void hasConfiguration(Map<String, String> entries) {
        configuration = Map.copyOf(entries);
    }

    Map<String, String> configuration() {
        return configuration;
    }

    public void runsVersion(String flinkVersion) {
        version = flinkVersion;
    }

    public Optional<FakeJob> job(String jobId) {
        return Optional.ofNullable(jobs.get(jobId));
    }

    /** Results are kept by job and trigger, in this process' memory. */
    void stop(String jobId, StopRequest request) {
        operations.computeIfAbsent(
                jobId + "/" + request.triggerId(),
                _ ->
                        job(jobId)
                                .map(job -> job.stop(request))
                                .orElseGet(() -> FakeStop.failed("Could not find Flink job")));
    }

    void savepoint(String jobId, SavepointRequest request) {
        operations.computeIfAbsent(
                jobId + "/" + request.triggerId(),
                _ ->
                        job(jobId)
                                .map(job -> job.savepoint(request))
                                .orElseGet(() -> FakeStop.failed("Could not find Flink job")));
    }

    void checkpoint(String jobId, String triggerId) {
        checkpoints.computeIfAbsent(
                jobId + "/" + triggerId,
                _ ->
                        job(jobId)
                                .map(FakeJob::checkpoint)
                                .orElseGet(
                                        () ->
                                                new CheckpointStatus.Failed(
                                                        "Could not find Flink job")));
    }

    CheckpointStatus checkpointStatus(String jobId, String triggerId) {
        return Optional.ofNullable(checkpoints.get(jobId + "/" + triggerId))
                .orElseGet(CheckpointStatus.Unknown::new);
    }

    /** Savepoints can't be deleted from now on. */
    public void failsToDispose(String why) {
        undisposable = Optional.of(why);
    }

    /** What was deleted, in the order of the asking. */
    public List<String> disposed() {
        return List.copyOf(disposed);
    }

    /** A savepoint that is not there has been deleted before, and counts as done. */
    String dispose(String path) {
        String request = "disposal-" + (disposals.size() + 1);
        disposals.put(
                request,
                undisposable
                        .<DisposalStatus>map(DisposalStatus.Failed::new)
                        .orElseGet(DisposalStatus.Done::new));
        if (undisposable.isEmpty()) {
            disposed.add(path);
        }
        return request;
    }

    DisposalStatus disposal(String request) {
        return Optional.ofNullable(disposals.get(request)).orElseGet(DisposalStatus.Unknown::new);
    }

    SavepointStatus savepoint(String jobId, String triggerId) {
        return Optional.ofNullable(operations.get(jobId + "/" + triggerId))
                .map(FakeStop::status)
                .orElseGet(SavepointStatus.Unknown::new);
    }

    /** A call, and whether it gets an answer. */
    boolean answers() {
        calls.incrementAndGet();
        meanwhile.run();
        return !silent;
    }

    /** How many calls there were so far. */
    public int calls() {
        return calls.get();
    }

    void changed() {
        changes.incrementAndGet();
    }

    /** How many of the calls asked for a change, whatever came of it. */
    public int changes() {
        return changes.get();
    }

    ClusterConfig config() {
        return new ClusterConfig(version, "fake");
    }

    List<JobOverview> overviews() {
        return jobs.values().stream().map(FakeJob::overview).toList();
    }
}
