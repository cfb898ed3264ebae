// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

/** The state that an attempt starts from. */
public sealed interface StartFrom {
    /** There is no state, or it is not wanted. */
    record Nothing() implements StartFrom {}

    /**
     * @param path of a savepoint or a retained checkpoint
     */
    record Savepoint(String path) implements StartFrom {}

    /**
     * The last checkpoint that Flink's own high-availability metadata names for the job, which
     * keeps its id.
     */
    record LastState() implements StartFrom {}
}
