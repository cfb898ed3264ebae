// SPDX-License-Identifier: Apache-2.0
package io.sluice.api;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.Optional;

/**
 * {@code status.jobStatus}: the job as last seen. Times travel as strings of epoch milliseconds.
 *
 * @param log its savepoints, checkpoints and exceptions
 */
public record JobStatus(
        Optional<String> jobName,
        Optional<String> jobId,
        Optional<JobState> state,
        Optional<Instant> startTime,
        Optional<Instant> updateTime,
        Optional<String> upgradeSavepointPath,
        JobLog log) {
    public static final JobStatus EMPTY =
            new JobStatus(
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    JobLog.EMPTY);

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
        return new JobStatus(
                jobName,
                jobId,
                Optional.of(next),
                startTime,
                Optional.of(at),
                upgradeSavepointPath,
                log);
    }

    /** The same job, which has not begun to run. */
    public JobStatus withoutStart() {
        return new JobStatus(
                jobName, jobId, state, Optional.empty(), updateTime, upgradeSavepointPath, log);
    }

    /** The same job under another id. */
    public JobStatus withJobId(String id) {
        return new JobStatus(
                jobName, Optional.of(id), state, startTime, updateTime, upgradeSavepointPath, log);
    }

    /** The same job, with what it can be restored from. */
    public JobStatus withUpgradeSavepointPath(Optional<String> path) {
        return new JobStatus(jobName, jobId, state, startTime, updateTime, path, log);
    }

    /** The same job, with what is remembered of it. */
    public JobStatus withLog(JobLog next) {
        return new JobStatus(
                jobName, jobId, state, startTime, updateTime, upgradeSavepointPath, next);
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
