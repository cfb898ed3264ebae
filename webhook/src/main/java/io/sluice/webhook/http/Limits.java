// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.http;

import io.sluice.process.port.PortLimits;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;

/**
 * What callers may ask of this process at once.
 *
 * @param port of connections
 * @param body bytes of one body: the API server stores objects of up to 1.5 MiB and sends the old
 *     and the new one
 * @param held bytes of all bodies received and not answered
 * @param reserve of {@code held}, for bodies of no more than {@code ordinary} bytes
 * @param ordinary bytes of a body that may use the reserve; a body that counts for more is worked
 *     on by the thread for large ones
 * @param waiting received requests that wait for their turn, ordinary and large ones each
 * @param receive how long a body may take to arrive
 */
@RecordBuilder
public record Limits(
        PortLimits port,
        int body,
        int held,
        int reserve,
        int ordinary,
        int waiting,
        Duration receive)
        implements LimitsBuilder.With {
    private static final int KIBIBYTE = 1024;
    private static final int MEBIBYTE = 1024 * KIBIBYTE;

    /** An API server closes a connection that was idle for 90 seconds, before we do. */
    public static final PortLimits PORT =
            new PortLimits(
                    512, 50, Duration.ofSeconds(10), Duration.ofMinutes(2), Duration.ofSeconds(10));

    public static final Limits USUAL =
            new Limits(
                    PORT,
                    3 * MEBIBYTE,
                    16 * MEBIBYTE,
                    2 * MEBIBYTE,
                    256 * KIBIBYTE,
                    256,
                    Duration.ofSeconds(4));

    /** The same for a port that holds so many connections, of which half may wait for an answer. */
    public Limits scaledToPort(PortLimits other) {
        return with().port(other).waiting(Math.max(1, other.connections() / 2)).build();
    }

    /** The same for so many bytes of all bodies, of which an eighth is kept for ordinary ones. */
    public Limits scaledToHeld(int bytes) {
        return with().held(bytes).reserve(bytes / 8).build();
    }
}
