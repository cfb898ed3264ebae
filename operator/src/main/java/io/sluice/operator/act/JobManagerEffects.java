// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.act;

import io.sluice.flink.rest.JobManagerRest;
import io.sluice.flink.rest.Reply;
import io.sluice.operator.model.Action;
import io.sluice.operator.observe.ObservationMemory;
import java.net.URI;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Asks JobManagers. Whatever they say, what comes of it is observed. */
public record JobManagerEffects(JobManagerRest rest, ObservationMemory memory) {
    private static final Logger LOG = LoggerFactory.getLogger(JobManagerEffects.class);

    /**
     * @param at where the JobManager answers
     * @param uid of the resource whose job it is
     */
    public void perform(URI at, String uid, Action.OfJob action) {
        switch (action) {
            case Action.StopWithSavepoint(var jobId, var request) ->
                    said("asked to stop", rest.stop(at, jobId, request));
            case Action.CancelJob(var jobId) -> said("asked to cancel", rest.cancel(at, jobId));
            case Action.ScaleInPlace(var jobId, var bounds) ->
                    said(
                            "asked for new parallelism",
                            rest.changeResourceRequirements(at, jobId, bounds));
            case Action.TriggerSavepoint(var jobId, var request) ->
                    said("asked for a savepoint", rest.triggerSavepoint(at, jobId, request));
            case Action.TriggerCheckpoint(var jobId, var request) ->
                    said("asked for a checkpoint", rest.triggerCheckpoint(at, jobId, request));
            case Action.DisposeSavepoint(var location) ->
                    rest.disposeSavepoint(at, location)
                            .answer()
                            .ifPresent(request -> memory.asked(uid, location, request));
        }
    }

    private static void said(String what, Reply<?> reply) {
        LOG.atDebug().addKeyValue("reply", reply).log(what);
    }
}
