// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.request;

import java.util.Optional;

/**
 * {@code POST /jobs/:id/stop}: end the job with a savepoint.
 *
 * @param triggerId 32 hexadecimal digits; the same again changes nothing, but a second stop under
 *     another id makes both fail
 * @param folder where the savepoint goes; empty for the cluster's own folder
 * @param drain whether the sources are told that they have ended for good
 */
public record StopRequest(
        String triggerId, Optional<String> folder, SavepointFormat format, boolean drain) {
    /** How a savepoint is written. */
    public enum SavepointFormat {
        CANONICAL,
        NATIVE
    }
}
