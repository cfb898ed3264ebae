// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import io.sluice.api.status.JobState;
import io.sluice.flink.rest.JobDetails;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.ParallelismBounds;
import io.sluice.flink.rest.Reply;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.NoAnswer;
import io.sluice.operator.model.ScalingView;
import io.sluice.operator.model.Target.Jobs;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a JobManager says of one job, as views. */
public final class JobReader {
    private JobReader() {}

    public static JobView job(JobManagerRest rest, URI at, String jobId) {
        return switch (rest.jobs(at)) {
            case Reply.Ok<List<JobOverview>>(var jobs) ->
                    jobs.stream()
                            .filter(job -> job.id().equals(jobId))
                            .findFirst()
                            .map(JobReader::seen)
                            .orElseGet(JobView.NotListed::new);
            case Reply.JobUnknown<List<JobOverview>> _ -> new JobView.NotListed();
            case Reply.Refused<List<JobOverview>>(var status, var message) ->
                    new JobView.Unreachable("HTTP " + status + ": " + message);
            case Reply.Unreachable<List<JobOverview>>(var message) ->
                    new JobView.Unreachable(message);
            case Reply.TooLarge<List<JobOverview>>(_, var message) ->
                    new JobView.Unreachable(message, NoAnswer.TOO_LARGE);
        };
    }

    /** All that it knows. */
    public static Jobs jobs(JobManagerRest rest, URI at) {
        return switch (rest.jobs(at)) {
            case Reply.Ok<List<JobOverview>>(var jobs) -> new Jobs.Listed(jobs);
            case Reply.JobUnknown<List<JobOverview>> _ -> new Jobs.Silent("");
            case Reply.Refused<List<JobOverview>>(var status, var message) ->
                    new Jobs.Silent("HTTP " + status + ": " + message);
            case Reply.Unreachable<List<JobOverview>>(var message) -> new Jobs.Silent(message);
            case Reply.TooLarge<List<JobOverview>>(_, var message) ->
                    new Jobs.Silent(message, NoAnswer.TOO_LARGE);
        };
    }

    private static JobView seen(JobOverview job) {
        return Optional.ofNullable(JobState.WORDS.get(job.state()))
                .<JobView>map(state -> new JobView.Seen(state, job))
                .orElseGet(
                        () ->
                                new JobView.Unreachable(
                                        "the job is in a state that is not known: " + job.state()));
    }

    /** Asked only when the autoscaler wants something of a job that runs. */
    public static ScalingView scaling(
            JobManagerRest rest,
            URI at,
            String jobId,
            Map<String, Integer> overrides,
            boolean inPlace,
            JobView job) {
        if (overrides.isEmpty() || !(job instanceof JobView.Seen seen) || !seen.isUp()) {
            return new ScalingView.NotAsked();
        }
        if (!inPlace) {
            return new ScalingView.ByRestart();
        }
        Reply<JobDetails> details = rest.job(at, jobId);
        if (!(details instanceof Reply.Ok<JobDetails>(var vertices))) {
            return new ScalingView.NotAsked();
        }
        return switch (rest.resourceRequirements(at, jobId)) {
            case Reply.Ok<Map<String, ParallelismBounds>>(var bounds) ->
                    new ScalingView.Known(vertices.vertices(), bounds);
            case Reply.Refused<Map<String, ParallelismBounds>>(var status, var message) ->
                    new ScalingView.Unavailable("HTTP " + status + ": " + message);
            case Reply.JobUnknown<Map<String, ParallelismBounds>> _ -> new ScalingView.NotAsked();
            case Reply.Unreachable<Map<String, ParallelismBounds>> _ -> new ScalingView.NotAsked();
            case Reply.TooLarge<Map<String, ParallelismBounds>>(_, var message) ->
                    new ScalingView.Unavailable(message);
        };
    }
}
