// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.artifact;

import java.io.IOException;

/** Ends a download at a limit; the message completes "the URI …" and names the option. */
final class LimitReached extends IOException {
    @java.io.Serial private static final long serialVersionUID = 1L;

    private final DownloadLimit limit;

    LimitReached(DownloadLimit limit, String message) {
        super(message);
        this.limit = limit;
    }

    DownloadLimit limit() {
        return limit;
    }
}
