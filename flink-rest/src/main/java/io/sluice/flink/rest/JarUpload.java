// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest;

import java.nio.file.Path;
import java.time.Duration;

/**
 * {@code POST /jars/upload}.
 *
 * @param jar the file to send
 * @param name under which it is sent, ending in {@code .jar}; letters, digits, '.', '_' and '-'
 * @param patience for the whole exchange
 */
public record JarUpload(Path jar, String name, Duration patience) {
    public JarUpload {
        if (!name.matches("[A-Za-z0-9._-]+\\.jar")) {
            throw new IllegalArgumentException("'" + name + "' is no name for a jar");
        }
    }
}
