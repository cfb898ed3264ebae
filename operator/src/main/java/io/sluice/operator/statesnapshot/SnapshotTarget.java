// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import java.time.Instant;

/**
 * The job of a snapshot, as far as a snapshot depends on it.
 *
 * <pre>
 *   NotRead   nothing depends on it
 *   Gone      the API server says that there is no such resource
 *   Leaving   the resource is being deleted
 *   AtRest    the job is suspended
 *   Ended     the job has ended, or the resource never has one
 *   Busy      the job may run soon
 *   Up        all of its tasks run
 * </pre>
 */
sealed interface SnapshotTarget {
    record NotRead() implements SnapshotTarget {}

    record Gone() implements SnapshotTarget {}

    record Leaving() implements SnapshotTarget {}

    record AtRest() implements SnapshotTarget {}

    /**
     * @param why for people, as a clause
     */
    record Ended(String why) implements SnapshotTarget {}

    record Busy(With with) implements SnapshotTarget {}

    /**
     * @param attempt of the resource that runs the job; empty of one that another operator started
     * @param lastChange when a task of the job last changed, by Flink's clock
     */
    record Up(String jobId, String attempt, Instant lastChange) implements SnapshotTarget {}

    /** What a job is busy with. */
    enum With {
        DEPLOYMENT("the job is being deployed"),
        RESTART("Flink restarts the job"),
        UPGRADE("the job is being upgraded"),
        SILENCE("the job's JobManager does not answer"),
        CLUSTER("the job's session cluster is not ready");

        private final String text;

        With(String text) {
            this.text = text;
        }

        /** A clause for people. */
        String text() {
            return text;
        }
    }

    /** Whether the resource of the job was found. */
    default boolean isFound() {
        return switch (this) {
            case Leaving _, AtRest _, Ended _, Busy _, Up _ -> true;
            case NotRead _, Gone _ -> false;
        };
    }
}
