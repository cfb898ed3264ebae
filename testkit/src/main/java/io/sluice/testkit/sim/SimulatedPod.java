// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * A pod of a cluster.
 *
 * @param attempt the job id its JobManager's {@code main()} submits under
 * @param problem why it does not start, in Kubernetes' words
 */
public record SimulatedPod(
        String name,
        boolean isJobManager,
        String attempt,
        Phase phase,
        Optional<String> problem,
        Optional<Job> job) {
    /**
     * How far a pod is. A terminating JobManager still runs its job: it is gone when it is gone.
     */
    public enum Phase {
        PENDING,
        RUNNING,
        TERMINATING
    }

    /** The job of a JobManager's process. */
    public record Job(
            String id, String state, boolean tasksUp, int parallelism, Instant startTime) {
        private static final Set<String> TERMINAL = Set.of("FAILED", "FINISHED", "CANCELED");

        public boolean isTerminal() {
            return TERMINAL.contains(state);
        }

        Job in(String next) {
            return isTerminal() ? this : new Job(id, next, false, parallelism, startTime);
        }

        Job scaledTo(int next) {
            return new Job(id, state, tasksUp, next, startTime);
        }
    }

    static SimulatedPod jobManager(String name, String attempt) {
        return new SimulatedPod(
                name, true, attempt, Phase.PENDING, Optional.empty(), Optional.empty());
    }

    static SimulatedPod taskManager(String name, String attempt) {
        return new SimulatedPod(
                name, false, attempt, Phase.PENDING, Optional.empty(), Optional.empty());
    }

    public boolean isTerminating() {
        return phase == Phase.TERMINATING;
    }

    boolean isRunningJobManager() {
        return isJobManager && phase == Phase.RUNNING;
    }

    /** The job, while it has not ended. */
    Optional<String> liveJob() {
        return job.filter(it -> !it.isTerminal()).map(it -> it.id() + " in " + name);
    }

    SimulatedPod stuck(String why) {
        return new SimulatedPod(name, isJobManager, attempt, phase, Optional.of(why), job);
    }

    SimulatedPod running() {
        return new SimulatedPod(name, isJobManager, attempt, Phase.RUNNING, Optional.empty(), job);
    }

    SimulatedPod terminating() {
        return new SimulatedPod(name, isJobManager, attempt, Phase.TERMINATING, problem, job);
    }

    SimulatedPod withJob(Optional<Job> next) {
        return new SimulatedPod(name, isJobManager, attempt, phase, problem, next);
    }

    /** None, then INITIALIZING, then RUNNING while tasks are deployed, then all of them up. */
    SimulatedPod advanceJob(Instant now) {
        return withJob(
                Optional.of(
                        job.map(SimulatedPod::advanced)
                                .orElseGet(() -> new Job(attempt, "INITIALIZING", false, 1, now))));
    }

    private static Job advanced(Job job) {
        return job.isTerminal()
                ? job
                : new Job(
                        job.id(),
                        "RUNNING",
                        job.state().equals("RUNNING"),
                        job.parallelism(),
                        job.startTime());
    }
}
