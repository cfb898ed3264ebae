// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

/** What has come of a savepoint's deletion: {@code GET /savepoint-disposal/:requestId}. */
public sealed interface DisposalStatus {
    record InProgress() implements DisposalStatus {}

    /** The savepoint is gone; or was already. */
    record Done() implements DisposalStatus {}

    /**
     * @param message Flink's own words, one line
     */
    record Failed(String message) implements DisposalStatus {}

    /** This JobManager's process does not know the request. */
    record Unknown() implements DisposalStatus {}
}
