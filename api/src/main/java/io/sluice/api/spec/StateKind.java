// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.spec;

/**
 * The two kinds of state that a running job can be asked to write, and where each is kept track of.
 */
public enum StateKind {
    SAVEPOINT(
            "savepoint",
            "savepointInfo",
            "lastSavepoint",
            "lastPeriodicSavepointTimestamp",
            "savepointTriggerNonce"),
    CHECKPOINT(
            "checkpoint",
            "checkpointInfo",
            "lastCheckpoint",
            "lastPeriodicCheckpointTimestamp",
            "checkpointTriggerNonce");

    private final String word;
    private final String field;
    private final String last;
    private final String lastPeriodic;
    private final String nonce;

    StateKind(String word, String field, String last, String lastPeriodic, String nonce) {
        this.word = word;
        this.field = field;
        this.last = last;
        this.lastPeriodic = lastPeriodic;
        this.nonce = nonce;
    }

    /** In texts and keys: {@code savepoint}, {@code checkpoint}. */
    public String word() {
        return word;
    }

    /** The field of {@code spec.job} that asks for one. */
    public String nonce() {
        return nonce;
    }

    /** The field of {@code status.jobStatus}. */
    public String field() {
        return field;
    }

    public String last() {
        return last;
    }

    public String lastPeriodic() {
        return lastPeriodic;
    }
}
