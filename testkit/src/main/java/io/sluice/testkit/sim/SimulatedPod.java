// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import java.util.Optional;

/**
 * A pod of a cluster.
 *
 * @param attempt the one its Deployment was made for
 * @param problem why it does not start, in Kubernetes' words
 */
public record SimulatedPod(
        String name, boolean isJobManager, String attempt, Phase phase, Optional<String> problem) {
    /**
     * How far a pod is. A terminating JobManager still runs its job: it is gone when it is gone.
     */
    public enum Phase {
        PENDING,
        RUNNING,
        TERMINATING
    }

    static SimulatedPod jobManager(String name, String attempt) {
        return new SimulatedPod(name, true, attempt, Phase.PENDING, Optional.empty());
    }

    static SimulatedPod taskManager(String name, String attempt) {
        return new SimulatedPod(name, false, attempt, Phase.PENDING, Optional.empty());
    }

    public boolean isTerminating() {
        return phase == Phase.TERMINATING;
    }

    boolean isRunningJobManager() {
        return isJobManager && phase == Phase.RUNNING;
    }

    SimulatedPod stuck(String why) {
        return new SimulatedPod(name, isJobManager, attempt, phase, Optional.of(why));
    }

    SimulatedPod running() {
        return new SimulatedPod(name, isJobManager, attempt, Phase.RUNNING, Optional.empty());
    }

    SimulatedPod terminating() {
        return new SimulatedPod(name, isJobManager, attempt, Phase.TERMINATING, problem);
    }
}
