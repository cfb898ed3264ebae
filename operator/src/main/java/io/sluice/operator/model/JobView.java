// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import io.sluice.api.status.JobState;
import io.sluice.api.status.JobStatus;
import io.sluice.flink.rest.JobOverview;
import java.util.Optional;

/** What is known of the job. Not knowing is a case of its own: it is never taken for "gone". */
public sealed interface JobView {
    /** There was no JobManager to ask. */
    record NotAsked() implements JobView {}

    /** The JobManager did not answer, is electing a leader, or answered with too much. */
    record Unreachable(String message, NoAnswer noAnswer) implements JobView {
        /** No answer came. */
        public Unreachable(String message) {
            this(message, NoAnswer.NO_ANSWER);
        }
    }

    /**
     * The JobManager answered and does not list the job: not submitted yet, not recovered yet, or
     * lost.
     */
    record NotListed() implements JobView {}

    /** The job as the JobManager lists it. */
    record Seen(JobState state, JobOverview overview) implements JobView {
        public boolean isUp() {
            return state == JobState.RUNNING && overview.tasks().allUp();
        }

        /** Whether a cancellation would be news to it. */
        public boolean isUncancelled() {
            return !state.isTerminal() && state != JobState.CANCELLING;
        }
    }

    /** Whether the job that is listed is the run of it that is on record. */
    default boolean isRunOf(JobStatus recorded) {
        return this instanceof Seen seen
                && recorded.startTime().equals(Optional.of(seen.overview().startTime()));
    }
}
