// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

import io.sluice.flink.rest.request.CheckpointRequest;
import io.sluice.flink.rest.request.RunRequest;
import io.sluice.flink.rest.request.SavepointRequest;
import io.sluice.flink.rest.request.StopRequest;
import java.net.URI;
import java.util.List;
import java.util.Map;

/**
 * What Sluice asks of a JobManager. Every call ends within the adapter's time budget and answers
 * with a value: a JobManager that does not answer is {@link Reply.Unreachable}, never an exception
 * and never "gone".
 *
 * <p>{@code at} is the root of a cluster's REST API, for example {@code
 * http://orders-rest.shop:8081}.
 */
public interface JobManagerRest {
    /** {@code GET /config}. */
    Reply<ClusterConfig> config(URI at);

    /**
     * {@code GET /jobs/overview}. An empty list says nothing about a job that should be there: see
     * {@link JobOverview}.
     */
    Reply<List<JobOverview>> jobs(URI at);

    /** {@code GET /jobs/:id}. */
    Reply<JobDetails> job(URI at, String jobId);

    /**
     * {@code GET /jobs/:id/jobmanager/config}: what its JobManager was configured with, secrets
     * starred by Flink.
     */
    Reply<Map<String, String>> jobConfiguration(URI at, String jobId);

    /** {@code GET /jobs/:id/exceptions}, newest first. */
    Reply<List<JobException>> exceptions(URI at, String jobId);

    /** {@code GET /jobs/:id/resource-requirements}; refused under the default scheduler. */
    Reply<Map<String, ParallelismBounds>> resourceRequirements(URI at, String jobId);

    /**
     * {@code PUT /jobs/:id/resource-requirements}. A wish: whether it was fulfilled shows in each
     * vertex's parallelism.
     *
     * @param bounds for every vertex of the job, or Flink refuses it
     */
    Reply<Accepted> changeResourceRequirements(
            URI at, String jobId, Map<String, ParallelismBounds> bounds);

    /** {@code PATCH /jobs/:id?mode=cancel}. Accepted again for a job that is cancelled already. */
    Reply<Accepted> cancel(URI at, String jobId);

    /**
     * {@code POST /jobs/:id/stop}. Flink takes it up whatever the job is like, even one it does not
     * know; the truth comes with {@link #savepoint}.
     */
    Reply<Accepted> stop(URI at, String jobId, StopRequest request);

    /** {@code GET /jobs/:id/savepoints/:triggerId}; for a job that is not known, too. */
    Reply<SavepointStatus> savepoint(URI at, String jobId, String triggerId);

    /**
     * {@code POST /jobs/:id/savepoints}. Taken up whatever the job is like; the truth comes with
     * {@link #savepoint}.
     */
    Reply<Accepted> triggerSavepoint(URI at, String jobId, SavepointRequest request);

    /** {@code POST /jobs/:id/checkpoints}; the truth comes with {@link #checkpoint}. */
    Reply<Accepted> triggerCheckpoint(URI at, String jobId, CheckpointRequest request);

    /** {@code GET /jobs/:id/checkpoints/:triggerId}; for a job that is not known, too. */
    Reply<CheckpointStatus> checkpoint(URI at, String jobId, String triggerId);

    /**
     * {@code POST /savepoint-disposal}: delete a savepoint, of whatever job. Answers the request's
     * id, which Flink chooses; the truth comes with {@link #disposal}.
     */
    Reply<String> disposeSavepoint(URI at, String path);

    /** {@code GET /savepoint-disposal/:requestId}. */
    Reply<DisposalStatus> disposal(URI at, String requestId);

    /** How many TaskManagers have registered: {@code GET /taskmanagers}. */
    Reply<Integer> taskManagers(URI at);

    /** {@code GET /jobs/:id/checkpoints}; {@link Checkpoints#NONE} without checkpointing. */
    Reply<Checkpoints> checkpoints(URI at, String jobId);

    /**
     * {@code GET /jobs/:id/checkpoints/details/:checkpointId}. Flink keeps the last ten by default
     * and refuses others.
     *
     * @param checkpointId as {@link CheckpointStatus.Completed} tells it
     */
    Reply<CheckpointRef> checkpointDetails(URI at, String jobId, long checkpointId);

    /**
     * {@code GET /jobs/:id/checkpoints/config}: as the job runs with, whatever its configuration
     * and its own code have said.
     */
    Reply<CheckpointRetention> checkpointRetention(URI at, String jobId);

    /**
     * {@code GET /jobs/:id/metrics?get=…}: those of {@code names} that Flink knows and that are
     * numbers. It answers from what an earlier call made it fetch, at most 10 s old; a first call
     * may know none.
     */
    Reply<Map<String, Double>> metrics(URI at, String jobId, List<String> names);

    /** {@code GET /jobs/:id/plan}: the vertices of the job. */
    Reply<List<PlanNode>> plan(URI at, String jobId);

    /**
     * {@code GET /jobs/:id/vertices/:vertexId/subtasks/metrics}: the names of all metrics that the
     * subtasks of a vertex have, as old as those of {@link #metrics}. Those of an operator begin
     * with its name, as in {@code Source__orders.pendingRecords}.
     */
    Reply<List<String>> subtaskMetricNames(URI at, String jobId, String vertexId);

    /**
     * {@code GET /jobs/:id/vertices/:vertexId/subtasks/metrics?get=…}: those of {@code names} whose
     * values are numbers, as old as those of {@link #metrics}. If Flink does not know one of the
     * names, it tells none of them.
     */
    Reply<Map<String, MetricSummary>> subtaskMetrics(
            URI at, String jobId, String vertexId, List<String> names);

    /** {@code GET /jobs/:id/execution-result}. */
    Reply<JobResult> result(URI at, String jobId);

    /**
     * {@code POST /jars/upload}. The jar lies on the disk of the JobManager's process, until that
     * ends.
     *
     * @return the jar's id
     */
    Reply<String> uploadJar(URI at, JarUpload upload);

    /**
     * {@code POST /jars/:id/run}. Without an answer nobody knows whether the job was submitted; to
     * ask again, under the same job id, submits no second one.
     */
    Reply<Submission> runJar(URI at, String jarId, RunRequest request);

    /** {@code DELETE /jars/:id}; refused if it is not there. A job that runs does not need it. */
    Reply<Accepted> deleteJar(URI at, String jarId);
}
