// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import java.util.Optional;

/** What a JobManager says of a savepoint or a checkpoint that it was asked to make. */
public sealed interface AsyncResult {
    /** Nothing of the kind is under way. */
    record NotAsked() implements AsyncResult {}

    /** Nobody knows: the JobManager did not say. */
    record Silent(String message) implements AsyncResult {}

    record Pending() implements AsyncResult {}

    /**
     * @param location where what was made is; empty where that is no place of ours
     */
    record Done(Optional<String> location) implements AsyncResult {}

    /**
     * It was made, and Flink does not keep it where a job can be started from it.
     *
     * @param why a sentence
     */
    record NotKept(String why) implements AsyncResult {}

    /**
     * @param message Flink's own words
     */
    record Failed(String message) implements AsyncResult {}

    /** This process of the JobManager was never asked. */
    record Unknown() implements AsyncResult {}
}
