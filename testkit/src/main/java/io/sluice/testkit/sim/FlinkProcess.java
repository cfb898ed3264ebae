// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * A JobManager's process with its one job, and with the surprises of a real one: what is asked of
 * it is never refused and done later, a second stop kills the first, a restart forgets what was
 * asked, and runs an ended job again where nobody kept its result.
 */
public final class FlinkProcess {
    /** A checkpoint or savepoint as the process remembers it. */
    public record Saved(long id, String path, long count, Instant at) {}

    /** What the process says of its checkpoints. */
    public record StateReport(
            Instant at,
            Optional<Saved> checkpoint,
            Optional<Saved> savepoint,
            Optional<Saved> restored) {
        /** A job without checkpointing has no answer for any of them. */
        static StateReport nothing(Instant at) {
            return new StateReport(at, Optional.empty(), Optional.empty(), Optional.empty());
        }
    }

    /** Why tasks failed; lost with the process. */
    public record Thrown(Instant at, String name) {}

    /** What came of a stop. */
    public sealed interface Stop {
        record InProgress() implements Stop {}

        record Completed(String path) implements Stop {}

        record Failed(Optional<String> path) implements Stop {}
    }

    /** How long an answer about checkpoints is given again. */
    public static final Duration CACHED = Duration.ofSeconds(3);

    private final Environment environment;
    private final FlinkStorage storage;
    private final Launch launch;
    private final Optional<FlinkProcess> before;
    private final FlinkJob job;
    private boolean ill;
    private int parallelism = 1;

    FlinkProcess(
            Environment environment,
            FlinkStorage storage,
            Launch launch,
            boolean bad,
            Optional<FlinkProcess> before) {
        this.environment = environment;
        this.storage = storage;
        this.launch = launch;
        this.before = before;
        job = new FlinkJob(environment, storage, launch, bad, before);
    }

    /** This process if it has submitted its job, else the one before that has. */
    Optional<FlinkProcess> lastThatRan() {
        return job.state().isPresent() ? Optional.of(this) : before;
    }

    /**
     * Whether the job had ended, as asked or on record, and a JobManager that keeps no results runs
     * it again from where it once began: what comes of that is nobody's state.
     */
    public boolean runsAgain() {
        return job.loss().runsAgain();
    }

    /** Whether its job has begun anew although the one before it knew more. */
    public boolean hasLostState() {
        return job.loss().isUnaccepted();
    }

    /** Nobody can notice any more that this job has begun anew, or will. */
    public void excuseLoss() {
        job.loss().excuse(job.count());
    }

    /** That this job has begun anew is what its user asked for. */
    public void acceptLoss() {
        job.loss().accept(job.count());
    }

    /** Whether the job has ended, as asked or on record. */
    boolean isOver() {
        return job.hasEndedAsAsked() || runsAgain() || (hasEnded() && storage.isSettled(launch));
    }

    public Launch launch() {
        return launch;
    }

    public String jobId() {
        return launch.jobId();
    }

    /** As Flink names it; empty while no job is listed. */
    public Optional<String> state() {
        return job.state();
    }

    public boolean tasksUp() {
        return job.tasksUp();
    }

    public Instant startTime() {
        return job.startTime();
    }

    /** When tasks last changed their state; later each time. */
    public Instant lastChange() {
        return job.lastChange();
    }

    /** Newest first. */
    public List<Thrown> exceptions() {
        return job.exceptions();
    }

    public Optional<Instant> endTime() {
        return job.endTime();
    }

    /** From a cache: it may be as old as {@link #CACHED}, and from before the job's end. */
    public StateReport told() {
        return job.states().told();
    }

    public boolean hasEnded() {
        return job.hasEnded();
    }

    /** Whether its job's result was kept before it could submit it: then it never does. */
    boolean comesTooLate() {
        return job.state().isEmpty() && storage.hasEnded(launch);
    }

    /**
     * Whether only this process holds the state of a job that the operator knows to run: removing
     * it before the job has ended would lose what came after the last state that anybody can tell
     * of.
     */
    public boolean holdsState() {
        return isLive()
                && before.isEmpty()
                && storage.isObserved(launch)
                && !launch.hasReadableMetadata()
                && !storage.isRenounced(launch.attempt())
                && !launch.mayLoseState();
    }

    void fallIll() {
        ill = isLive() && job.tasksUp();
    }

    /** Whether it is unhealthy, as the counters of a real one would show. */
    public boolean isIll() {
        return ill;
    }

    Optional<String> endedByItself() {
        return job.state().filter(_ -> hasEnded() && !job.hasEndedAsAsked());
    }

    boolean isLive() {
        return job.isLive();
    }

    public Optional<Stop> stop(String triggerId) {
        return job.stops().outcome(triggerId);
    }

    /** Taken up whatever the job is like. */
    public void askToStop(String jobId, String triggerId) {
        askToStop(jobId, triggerId, false);
    }

    /**
     * @param late whether who asks has stood still since it last looked: no request to a JobManager
     *     can depend on what is on record, so that it may end a stop that another has asked for, or
     *     begin one that the other's ends. The job goes on from its last checkpoint, and is asked
     *     again.
     */
    public void askToStop(String jobId, String triggerId, boolean late) {
        askToStop(jobId, triggerId, late, true);
    }

    /**
     * As {@link #askToStop(String, String, boolean)}.
     *
     * @param folder whether who asks names one for the savepoint
     */
    public void askToStop(String jobId, String triggerId, boolean late, boolean folder) {
        if (job.stops().outcome(triggerId).isPresent()) {
            return;
        }
        boolean hasFolder = folder || launch.saving().folder();
        if (!isLive() || !jobId.equals(launch.jobId()) || !hasFolder) {
            job.stops().refuse(triggerId);
        } else if (!job.stops().pending().isEmpty()) {
            job.stops().collide(triggerId, late);
            job.restart();
        } else {
            job.stops().begin(triggerId, late);
            job.loss().rememberStop();
        }
    }

    /** Whether its job was asked to end, and has not yet. */
    boolean isStopping() {
        return isLive() && (job.isAskedToCancel() || !job.stops().pending().isEmpty());
    }

    /** Who asked for what is under way is not on record any more. */
    public void forgetWhoAsked() {
        job.stops().forgetWhoAsked();
        job.savings().forgetCauses();
    }

    /**
     * The stop that was asked of it is off the record: its savepoint is told of by this process
     * alone, and by nobody once the job has been run again.
     */
    public void forgetStop() {
        job.loss().forgetStop(job.stops().hasUnfailed());
    }

    boolean isStopForgotten() {
        return job.loss().isStopForgotten();
    }

    public void cancel(String jobId) {
        if (isLive() && jobId.equals(launch.jobId())) {
            job.cancel();
        }
    }

    /**
     * Whether only the running job itself holds what it has counted: it makes no checkpoints, and a
     * savepoint is all that could save it.
     *
     * @param decided when it was decided to end it: what a cache tells may be as old as {@link
     *     #CACHED}
     */
    public boolean holdsAllItself(Instant decided) {
        return isUncancelled()
                && job.wasUpBefore(decided)
                && before.isEmpty()
                && !launch.saving().checkpoints();
    }

    /** Whether its job runs, and nobody has asked it not to. */
    public boolean isUncancelled() {
        return isLive() && !job.isAskedToCancel();
    }

    /**
     * A savepoint, or else a checkpoint, while the job runs on.
     *
     * @param cause what asks for it: no process may be asked twice unless the first try failed
     */
    public void askToSave(String jobId, String triggerId, String cause, boolean savepoint) {
        job.savings().ask(triggerId, cause, savepoint, isLive() && jobId.equals(launch.jobId()));
    }

    /** What came of it; empty if this process was never asked. */
    public Optional<Stop> saved(String triggerId) {
        return job.savings().outcome(triggerId);
    }

    /**
     * Deletes a savepoint, whoever's it is.
     *
     * @param needed what must not be deleted, beside what this job was started from
     */
    public String dispose(String path, Set<String> needed) {
        Set<String> all = new HashSet<>(needed);
        launch.path().ifPresent(all::add);
        return job.savings().dispose(path, all, environment.faults().strikes(20));
    }

    /** Whether it was deleted; empty if this process was never asked. */
    public Optional<Boolean> disposal(String request) {
        return job.savings().disposal(request);
    }

    /** What the Deployment of this process was made to start from. */
    public Optional<String> startedFrom() {
        return launch.path();
    }

    public String attempt() {
        return launch.attempt();
    }

    /** Whether the job runs for the first time in its Deployment, and nobody has stopped it. */
    public boolean isUntouched() {
        return isLive() && before.isEmpty() && !job.stops().hasSavepoint();
    }

    /** The stops that failed without a savepoint, by trigger id. */
    public Set<String> failedStops() {
        return job.stops().failed();
    }

    /** When the last state was kept that is not a savepoint; the start if none was. */
    public Instant lastKept() {
        return job.states().lastCheckpoint().orElse(job.startTime());
    }

    public void rescale(int next) {
        parallelism = next;
    }

    void end(String how) {
        job.end(how);
    }

    void advance(Instant now) {
        job.advance(now);
    }

    @Override
    public String toString() {
        return launch
                + " "
                + job.state().orElse("no job")
                + " at "
                + job.count()
                + " x"
                + parallelism;
    }
}
