// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import java.time.Duration;

/**
 * What callers may ask of this process at once.
 *
 * @param body bytes of one body: the API server stores objects of up to 1.5 MiB and sends the old
 *     and the new one
 * @param held bytes of all bodies received and not answered
 * @param worked bytes of the bodies worked on at once
 * @param receive how long a body may take to arrive
 * @param patience how long a received body waits for its turn
 */
record Limits(int body, int held, int worked, Duration receive, Duration patience) {
    private static final int MEBIBYTE = 1024 * 1024;

    static final Limits USUAL =
            new Limits(
                    3 * MEBIBYTE,
                    16 * MEBIBYTE,
                    MEBIBYTE,
                    Duration.ofSeconds(4),
                    Duration.ofSeconds(2));
}
