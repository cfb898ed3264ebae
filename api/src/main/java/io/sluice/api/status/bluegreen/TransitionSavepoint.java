// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status.bluegreen;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.StatusJson;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Optional;

/**
 * The savepoint that the other half starts from.
 *
 * @param triggerId what Flink was asked for it under; empty if the active half is stopped with it
 * @param jobId the job that was asked
 * @param at when it was asked first
 * @param tries how many were made, the present one included
 * @param nextTry when to try again after a failure; empty while a try is in progress
 * @param path empty until it is complete
 */
@RecordBuilder
public record TransitionSavepoint(
        Optional<String> triggerId,
        Optional<String> jobId,
        Instant at,
        int tries,
        Optional<Instant> nextTry,
        Optional<String> path)
        implements TransitionSavepointBuilder.With {
    static TransitionSavepoint read(Fields fields) {
        return new TransitionSavepoint(
                fields.string("triggerId"),
                fields.string("jobId"),
                fields.string("at").flatMap(StatusJson::instant).orElse(Instant.EPOCH),
                fields.int32("tries").orElse(1),
                fields.string("nextTry").flatMap(StatusJson::instant),
                fields.string("path"));
    }

    void writeTo(ObjectNode node) {
        StatusJson.put(node, "triggerId", triggerId);
        StatusJson.put(node, "jobId", jobId);
        node.put("at", at.toString()).put("tries", tries);
        StatusJson.put(node, "nextTry", nextTry.map(Instant::toString));
        StatusJson.put(node, "path", path);
    }
}
