// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

/** What a JobManager says of a savepoint that it was asked to delete. */
public sealed interface DisposalResult {
    /** No deletion is under way. */
    record NotAsked() implements DisposalResult {}

    /** Nobody knows: the JobManager did not say. */
    record Silent(String message) implements DisposalResult {}

    record Pending() implements DisposalResult {}

    record Deleted() implements DisposalResult {}

    /**
     * @param message Flink's own words
     */
    record Failed(String message) implements DisposalResult {}

    /** This process of the JobManager was never asked. */
    record Unknown() implements DisposalResult {}
}
