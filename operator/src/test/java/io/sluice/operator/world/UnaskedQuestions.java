// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.world;

import io.sluice.flink.rest.Accepted;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.JarUpload;
import io.sluice.flink.rest.JobDetails;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.flink.rest.JobResult;
import io.sluice.flink.rest.MetricSummary;
import io.sluice.flink.rest.ParallelismBounds;
import io.sluice.flink.rest.PlanNode;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.Submission;
import io.sluice.flink.rest.request.RunRequest;
import java.net.URI;
import java.util.List;
import java.util.Map;

/** A JobManager that refuses the questions on which no decision of these worlds depends. */
public interface UnaskedQuestions extends JobManagerRest {
    @Override
    default Reply<List<PlanNode>> plan(URI at, String jobId) {
        throw unasked();
    }

    @Override
    default Reply<List<String>> subtaskMetricNames(URI at, String jobId, String vertexId) {
        throw unasked();
    }

    @Override
    default Reply<Map<String, MetricSummary>> subtaskMetrics(
            URI at, String jobId, String vertexId, List<String> names) {
        throw unasked();
    }

    @Override
    default Reply<CheckpointRef> checkpointDetails(URI at, String jobId, long checkpointId) {
        throw unasked();
    }

    @Override
    default Reply<JobDetails> job(URI at, String jobId) {
        throw unasked();
    }

    @Override
    default Reply<Map<String, String>> jobConfiguration(URI at, String jobId) {
        throw unasked();
    }

    @Override
    default Reply<Map<String, ParallelismBounds>> resourceRequirements(URI at, String jobId) {
        throw unasked();
    }

    @Override
    default Reply<Accepted> changeResourceRequirements(
            URI at, String jobId, Map<String, ParallelismBounds> bounds) {
        throw unasked();
    }

    @Override
    default Reply<JobResult> result(URI at, String jobId) {
        throw unasked();
    }

    @Override
    default Reply<String> uploadJar(URI at, JarUpload upload) {
        throw unasked();
    }

    @Override
    default Reply<Submission> runJar(URI at, String jarId, RunRequest request) {
        throw unasked();
    }

    @Override
    default Reply<Accepted> deleteJar(URI at, String jarId) {
        throw unasked();
    }

    static UnsupportedOperationException unasked() {
        return new UnsupportedOperationException("no decision depends on it");
    }
}
