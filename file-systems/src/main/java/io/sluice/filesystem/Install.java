// SPDX-License-Identifier: Apache-2.0
package io.sluice.filesystem;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Copies the jar of this class, which the operator's image has, to where a container of Flink's
 * image can run it.
 *
 * <pre>
 *   java -cp '/app/lib/*' io.sluice.filesystem.Install FOLDER
 * </pre>
 */
public final class Install {
    static final String JAR = "sluice-file-systems.jar";

    private Install() {}

    /**
     * @param arguments the folder
     * @throws IOException if it can't be written to
     */
    public static void main(String[] arguments) throws IOException {
        URI own =
                URI.create(
                        Install.class
                                .getProtectionDomain()
                                .getCodeSource()
                                .getLocation()
                                .toString());
        Files.copy(
                Path.of(own),
                Path.of(arguments[0]).resolve(JAR),
                StandardCopyOption.REPLACE_EXISTING);
    }
}
