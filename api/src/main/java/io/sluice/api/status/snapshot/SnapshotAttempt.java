// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status.snapshot;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.StatusJson;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Optional;

/**
 * What a FlinkStateSnapshot's status remembers of the newest try beside the fields of the Apache
 * operator. It is Sluice's own and lies in {@code status.attempt}.
 *
 * @param jobId the job that was asked; empty if no job was, or another operator asked it
 * @param attempt the attempt of the resource that ran the job
 * @param tries how often the job was asked again under the same trigger id
 * @param restarts how many failed tries in a row have seen the job restart
 * @param jobChange when a task of the job had last changed as the try began, by Flink's clock
 * @param unnamedSince since when a checkpoint is complete whose path Flink does not tell
 */
@RecordBuilder
public record SnapshotAttempt(
        Optional<String> jobId,
        Optional<String> attempt,
        int tries,
        int restarts,
        Optional<Instant> jobChange,
        Optional<Instant> unnamedSince)
        implements SnapshotAttemptBuilder.With {
    /** Nothing was asked of any job. */
    public static final SnapshotAttempt NONE = SnapshotAttemptBuilder.builder().build();

    static SnapshotAttempt read(Fields status) {
        return status.object("attempt", SnapshotAttempt::of).orElse(NONE);
    }

    private static SnapshotAttempt of(Fields fields) {
        return new SnapshotAttempt(
                fields.string("jobId"),
                fields.string("id"),
                fields.int32("tries").orElse(0),
                fields.int32("restarts").orElse(0),
                fields.string("jobChange").flatMap(StatusJson::instant),
                fields.string("unnamedSince").flatMap(StatusJson::instant));
    }

    void writeOnto(ObjectNode status) {
        if (equals(NONE)) {
            status.remove("attempt");
            return;
        }
        ObjectNode node = status.putObject("attempt");
        StatusJson.put(node, "jobId", jobId);
        StatusJson.put(node, "id", attempt);
        node.put("tries", tries).put("restarts", restarts);
        StatusJson.put(node, "jobChange", jobChange.map(Instant::toString));
        StatusJson.put(node, "unnamedSince", unnamedSince.map(Instant::toString));
    }
}
