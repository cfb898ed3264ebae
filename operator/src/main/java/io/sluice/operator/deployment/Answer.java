// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import java.util.Optional;

/** What a JobManager says of something it was asked to do, and does on its own time. */
public sealed interface Answer {
    /** Nothing of the kind is under way. */
    record NotAsked() implements Answer {}

    /** Nobody knows: the JobManager did not say. */
    record Silent(String message) implements Answer {}

    record Pending() implements Answer {}

    /**
     * @param location where what was made is; empty where that is no place of ours
     */
    record Done(Optional<String> location) implements Answer {}

    /**
     * @param message Flink's own words
     */
    record Failed(String message) implements Answer {}

    /** This process of the JobManager was never asked. */
    record Unknown() implements Answer {}
}
