// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.StatusJson;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Optional;

/**
 * {@code status.jobStatus}: the job as last seen. Times travel as strings of epoch milliseconds.
 *
 * @param log its savepoints, checkpoints and exceptions
 */
@RecordBuilder
public record JobStatus(
        Optional<String> jobName,
        Optional<String> jobId,
        Optional<JobState> state,
        Optional<Instant> startTime,
        Optional<Instant> updateTime,
        Optional<String> upgradeSavepointPath,
        JobLog log)
        implements JobStatusBuilder.With {
    public static final JobStatus EMPTY = JobStatusBuilder.builder().log(JobLog.EMPTY).build();

    static JobStatus read(Fields fields) {
        return new JobStatus(
                fields.string("jobName"),
                fields.string("jobId"),
                fields.choice("state", JobState.WORDS),
                fields.string("startTime").flatMap(JobStatus::instant),
                fields.string("updateTime").flatMap(JobStatus::instant),
                fields.string("upgradeSavepointPath"),
                JobLog.read(fields));
    }

    void writeTo(ObjectNode node) {
        StatusJson.put(node, "jobName", jobName);
        StatusJson.put(node, "jobId", jobId);
        StatusJson.put(node, "state", state.map(JobState::wire));
        StatusJson.put(node, "startTime", startTime.map(JobStatus::millis));
        StatusJson.put(node, "updateTime", updateTime.map(JobStatus::millis));
        StatusJson.put(node, "upgradeSavepointPath", upgradeSavepointPath);
        log.writeOnto(node);
    }

    public JobStatus withState(JobState next, Instant at) {
        return with().state(Optional.of(next)).updateTime(Optional.of(at)).build();
    }

    private static String millis(Instant instant) {
        return Long.toString(instant.toEpochMilli());
    }

    private static Optional<Instant> instant(String millis) {
        try {
            return Optional.of(Instant.ofEpochMilli(Long.parseLong(millis)));
        } catch (NumberFormatException notMillis) {
            return Optional.empty();
        }
    }
}
