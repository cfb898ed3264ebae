// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob.simulation;

import java.util.Optional;
import java.util.stream.Stream;

/** A session cluster: its resource, and the processes of its JobManager. */
interface SessionCluster {
    String NAME = "session";

    /** All that run, whether they answer or not. */
    Stream<SessionProcess> processes();

    /** Whoever answers at its address. */
    Optional<SessionProcess> answering();

    /** The process ends, and the next one begins at once. */
    void restart();

    /** Somebody deletes its Deployment. */
    void goAway();

    void loseTaskManager();

    /** It goes on. */
    void step();

    /** Time has passed. */
    void finishOverdue();
}
