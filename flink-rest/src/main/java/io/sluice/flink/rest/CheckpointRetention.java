// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

/** What becomes of a job's checkpoints when it is cancelled. */
public enum CheckpointRetention {
    RETAINED,
    /** Flink deletes them; savepoints stay. */
    DELETED,
    /** The job makes none, so that there is nothing to delete. */
    NO_CHECKPOINTS
}
