// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.artifact;

import java.nio.file.Path;

/** What came of fetching a jar. */
public sealed interface Fetched {
    /**
     * @param jar stays until the cache needs its room
     */
    record Here(Path jar) implements Fetched {}

    /**
     * @param message the address, what is wrong, and what to do; free of secrets
     */
    record Refused(String message) implements Fetched {}
}
