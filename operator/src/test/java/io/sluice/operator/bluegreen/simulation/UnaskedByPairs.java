// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import io.sluice.flink.rest.Accepted;
import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.flink.rest.CheckpointStatus;
import io.sluice.flink.rest.ClusterConfig;
import io.sluice.flink.rest.DisposalStatus;
import io.sluice.flink.rest.JobException;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.request.CheckpointRequest;
import io.sluice.flink.rest.request.StopRequest;
import io.sluice.operator.world.UnaskedQuestions;
import java.net.URI;
import java.util.List;

/** A JobManager that refuses what the operator of a half asks, and that of a pair does not. */
interface UnaskedByPairs extends UnaskedQuestions {
    @Override
    default Reply<ClusterConfig> config(URI at) {
        throw UnaskedQuestions.unasked();
    }

    @Override
    default Reply<List<JobOverview>> jobs(URI at) {
        throw UnaskedQuestions.unasked();
    }

    @Override
    default Reply<List<JobException>> exceptions(URI at, String jobId) {
        throw UnaskedQuestions.unasked();
    }

    @Override
    default Reply<Accepted> cancel(URI at, String jobId) {
        throw UnaskedQuestions.unasked();
    }

    @Override
    default Reply<Accepted> stop(URI at, String jobId, StopRequest request) {
        throw UnaskedQuestions.unasked();
    }

    @Override
    default Reply<Accepted> triggerCheckpoint(URI at, String jobId, CheckpointRequest request) {
        throw UnaskedQuestions.unasked();
    }

    @Override
    default Reply<CheckpointStatus> checkpoint(URI at, String jobId, String triggerId) {
        throw UnaskedQuestions.unasked();
    }

    @Override
    default Reply<String> disposeSavepoint(URI at, String path) {
        throw UnaskedQuestions.unasked();
    }

    @Override
    default Reply<DisposalStatus> disposal(URI at, String requestId) {
        throw UnaskedQuestions.unasked();
    }

    @Override
    default Reply<Integer> taskManagers(URI at) {
        throw UnaskedQuestions.unasked();
    }

    @Override
    default Reply<CheckpointRetention> checkpointRetention(URI at, String jobId) {
        throw UnaskedQuestions.unasked();
    }
}
