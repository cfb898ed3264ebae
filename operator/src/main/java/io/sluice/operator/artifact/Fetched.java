// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.artifact;

import java.nio.file.Path;
import java.util.Optional;

/** What came of fetching a jar. */
public sealed interface Fetched {
    /**
     * @param jar stays until the cache needs its room
     */
    record Here(Path jar) implements Fetched {}

    /**
     * @param limit the limit of downloads that was reached; empty if it was something else
     * @param message the address, what is wrong, and what to do; free of secrets
     */
    record Refused(Optional<DownloadLimit> limit, String message) implements Fetched {
        /** Refused for something else than a limit. */
        public Refused(String message) {
            this(Optional.empty(), message);
        }
    }
}
