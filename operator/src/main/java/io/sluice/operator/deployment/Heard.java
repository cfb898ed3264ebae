// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.flink.rest.JobManagerRest;
import io.sluice.operator.deployment.Target.Jobs;
import java.net.URI;
import java.time.Instant;
import java.util.Optional;

/** What a JobManager said when it was asked for its jobs, as far as a pass depends on it. */
sealed interface Heard {
    /** Of an application's job. */
    record OfJob(String id, JobView job) implements Heard {}

    /** Of all that run on a session cluster. */
    record OfCluster(Jobs jobs) implements Heard {}

    static Heard in(Snapshot snapshot) {
        return snapshot.target() instanceof Target.SessionCluster(_, var jobs, _)
                ? new OfCluster(jobs)
                : new OfJob(snapshot.status().jobStatus().jobId().orElse(""), snapshot.job());
    }

    /** The same question, asked now. */
    default Heard again(JobManagerRest rest, URI at) {
        return switch (this) {
            case OfJob(var id, _) -> new OfJob(id, JobReading.job(rest, at, id));
            case OfCluster _ -> new OfCluster(JobReading.jobs(rest, at));
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
