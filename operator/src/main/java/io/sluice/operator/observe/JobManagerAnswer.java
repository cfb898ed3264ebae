// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import io.sluice.flink.rest.JobManagerRest;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.Target;
import io.sluice.operator.model.Target.Jobs;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;

/**
 * What a JobManager said when it was asked for its jobs, as far as a reconciliation depends on it.
 */
public sealed interface JobManagerAnswer {
    /** The JobManager was asked for an application's job. */
    record OfJob(String id, JobView job) implements JobManagerAnswer {}

    /** The JobManager was asked for all jobs of a session cluster. */
    record OfCluster(Jobs jobs) implements JobManagerAnswer {}

    static JobManagerAnswer in(ObservedState observed) {
        return observed.target() instanceof Target.SessionCluster(_, var jobs, _)
                ? new OfCluster(jobs)
                : new OfJob(observed.status().jobStatus().jobId().orElse(""), observed.job());
    }

    /** The same question, asked now. */
    default JobManagerAnswer again(JobManagerRest rest, URI at) {
        return switch (this) {
            case OfJob(var id, _) -> new OfJob(id, JobReader.job(rest, at, id));
            case OfCluster _ -> new OfCluster(JobReader.jobs(rest, at));
        };
    }

    /** When a task last changed, as was said; empty if nothing was. */
    default Optional<Instant> lastChange() {
        return switch (this) {
            case OfJob(_, JobView.Seen(_, var overview)) -> Optional.of(overview.lastChange());
            case OfCluster(Jobs.Listed listed) -> Optional.of(listed.lastChange());
            case OfJob _, OfCluster _ -> Optional.empty();
        };
    }
}
