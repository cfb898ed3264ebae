// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** A savepoint or a checkpoint that a process of a JobManager was asked for. */
final class SnapshotTry {
    /** How far it is. */
    enum Progress {
        PENDING,
        COMPLETED,
        FAILED
    }

    /** For so long Flink keeps what has come of it. */
    private static final Duration KEPT = Duration.ofMinutes(5);

    private final String snapshot;
    private final String jobId;
    private final String triggerId;
    private final boolean isCheckpoint;
    private final String folder;
    private Progress progress = Progress.PENDING;
    private Optional<Instant> ended = Optional.empty();
    private String path = "";
    private long checkpoint;
    private boolean isUnanswered;
    private boolean isLate;
    private boolean hasRestartedJob;

    /**
     * @param snapshot the uid of the snapshot that it is for
     * @param folder where a savepoint goes
     */
    SnapshotTry(
            String snapshot, String jobId, String triggerId, boolean isCheckpoint, String folder) {
        this.snapshot = snapshot;
        this.jobId = jobId;
        this.triggerId = triggerId;
        this.isCheckpoint = isCheckpoint;
        this.folder = folder;
    }

    String snapshot() {
        return snapshot;
    }

    String jobId() {
        return jobId;
    }

    String triggerId() {
        return triggerId;
    }

    boolean isCheckpoint() {
        return isCheckpoint;
    }

    String folder() {
        return folder;
    }

    Progress progress() {
        return progress;
    }

    boolean isPending() {
        return progress == Progress.PENDING;
    }

    String path() {
        return path;
    }

    long checkpoint() {
        return checkpoint;
    }

    /** Whether the operator has asked what has come of it, and was not answered. */
    boolean isUnanswered() {
        return isUnanswered;
    }

    void unanswered() {
        isUnanswered = true;
    }

    /** Whether the request was taken up when its client had given up. */
    boolean isLate() {
        return isLate;
    }

    void late() {
        isLate = true;
    }

    boolean hasRestartedJob() {
        return hasRestartedJob;
    }

    void complete(String at, long id, Instant now) {
        path = at;
        checkpoint = id;
        end(Progress.COMPLETED, now);
    }

    void fail(boolean restartsJob, Instant now) {
        hasRestartedJob = restartsJob;
        end(Progress.FAILED, now);
    }

    private void end(Progress with, Instant now) {
        progress = with;
        ended = Optional.of(now);
        isUnanswered = false;
    }

    /** Whether Flink does not know of it any more. */
    boolean isForgotten(Instant now) {
        return ended.filter(at -> now.isAfter(at.plus(KEPT))).isPresent();
    }

    @Override
    public String toString() {
        return triggerId.substring(0, Math.min(6, triggerId.length()))
                + " "
                + progress
                + " "
                + path;
    }
}
