// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

/** How many subtasks are in which state; {@code total} is 0 before a job has been scheduled. */
public record TaskCounts(int total, int running, int finished) {
    /**
     * Whether every subtask runs or is done. The job's own state does not tell: it is RUNNING long
     * before its tasks are.
     */
    public boolean allUp() {
        return total > 0 && running + finished == total;
    }
}
