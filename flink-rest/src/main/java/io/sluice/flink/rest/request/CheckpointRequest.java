// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.request;

/**
 * {@code POST /jobs/:id/checkpoints}: complete a checkpoint now. Known since Flink 1.17.
 *
 * @param triggerId 32 hexadecimal digits; the same again changes nothing
 */
public record CheckpointRequest(String triggerId, Type type) {
    /** How much is written; Flink refuses to be asked for an incremental one by name. */
    public enum Type {
        /** As the job is configured: incremental where that is on. */
        CONFIGURED,
        FULL
    }
}
