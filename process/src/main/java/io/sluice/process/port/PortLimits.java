// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.port;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;

/**
 * What callers may ask of one port.
 *
 * @param connections open at once, of all peers together
 * @param newPerSecond connections that one peer may open each second; it may open {@code
 *     connections} in a row before that counts
 * @param request how long a new connection may take until its first request is there, with the
 *     handshake of TLS
 * @param idle how long a connection may wait for its next request
 * @param answer how long a caller may take to read its answer
 */
@RecordBuilder
public record PortLimits(
        int connections, int newPerSecond, Duration request, Duration idle, Duration answer)
        implements PortLimitsBuilder.With {
    /** Of the port for probes and metrics, which a few callers use now and then. */
    public static final PortLimits MANAGEMENT =
            new PortLimits(
                    128, 20, Duration.ofSeconds(5), Duration.ofSeconds(5), Duration.ofSeconds(10));

    public PortLimits {
        if (connections < 1 || newPerSecond < 1) {
            throw new IllegalArgumentException("a port without connections serves nobody");
        }
    }
}
