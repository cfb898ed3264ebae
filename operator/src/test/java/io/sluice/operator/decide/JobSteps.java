// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import io.sluice.api.spec.StateKind;
import io.sluice.api.status.JobState;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.JobException;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.TaskCounts;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.DisposalResult;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.RunView;
import io.sluice.operator.model.RunView.ClusterFacts;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Steps after which a JobManager says something else of the job that it runs. */
public sealed interface JobSteps permits Snapshots {
    ObservedState observed();

    default Snapshots withJob(JobState state, int tasksUp) {
        return withJob(seen(state, tasksUp, Snapshots.NOW));
    }

    /** The job as another process of the JobManager lists it. */
    default Snapshots withJobOfAnotherRun(JobState state, int tasksUp) {
        return withJob(seen(state, tasksUp, Snapshots.NOW.plusSeconds(30)));
    }

    private JobView seen(JobState state, int tasksUp, Instant start) {
        return new JobView.Seen(
                state,
                new JobOverview(
                        observed().status().jobStatus().jobId().orElse(""),
                        "orders",
                        state.wire(),
                        start,
                        Optional.empty(),
                        new TaskCounts(2, tasksUp, 0)));
    }

    default Snapshots withJob(JobView job) {
        return new Snapshots(observed().withJob(job));
    }

    /** The JobManager of the attempt before still stands, and tells of its job. */
    default Snapshots withFormer(JobView job) {
        return with(observed().run().withFormer(job));
    }

    /** What the JobManager says of the savepoint or checkpoint that was asked for. */
    default Snapshots withAnswer(StateKind kind, AsyncResult asyncResult) {
        RunView run = observed().run();
        return switch (kind) {
            case SAVEPOINT -> with(run.withSavepoint(asyncResult));
            case CHECKPOINT -> with(run.withCheckpoint(asyncResult));
        };
    }

    /** What the JobManager says of the savepoint that is being deleted. */
    default Snapshots withDisposal(String location, DisposalResult result) {
        return with(observed().run().withDisposals(Map.of(location, result)));
    }

    default Snapshots withExceptions(JobException... exceptions) {
        return with(observed().run().withExceptions(Optional.of(List.of(exceptions))));
    }

    /** What the JobManager says of its cluster. */
    default Snapshots withCluster(ClusterFacts facts) {
        return with(observed().run().withCluster(facts));
    }

    /** Some time ago this checkpoint was seen, complete at {@link Snapshots#NOW}. */
    default Snapshots withCheckpointSeen(String path) {
        var seen = new CheckpointRef(6, path, Snapshots.NOW, false);
        return with(observed().run().withLastCheckpoint(Optional.of(seen)));
    }

    private Snapshots with(RunView run) {
        return new Snapshots(observed().withRun(run));
    }
}
