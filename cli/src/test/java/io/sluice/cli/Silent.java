// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A cluster at whose address nothing answers. */
public final class Silent {
    private Silent() {}

    /**
     * A kubeconfig that leads to it.
     *
     * @param folder for the file
     */
    public static Path kubeconfig(Path folder) throws IOException {
        return Files.writeString(
                folder.resolve("config"),
                """
                apiVersion: v1
                kind: Config
                current-context: silent
                clusters: [{name: silent, cluster: {server: "http://127.0.0.1:1"}}]
                users: [{name: nobody, user: {}}]
                contexts:
                  - {name: silent, context: {cluster: silent, user: nobody, namespace: shop}}
                """);
    }
}
