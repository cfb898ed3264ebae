// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.cli.cluster.Connection;
import io.sluice.cli.document.Unreadable;
import java.util.List;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Which cluster a check reads, how much of it, and how the report is written. */
final class ClusterOptions {
    /** How the report is written. */
    enum Output {
        TEXT,
        JSON
    }

    @Option(
            names = {"-o", "--output"},
            description = "text (also if not given) or json.")
    private Output output = Output.TEXT;

    @Option(
            names = {"-n", "--namespace"},
            description = "A namespace to look at, may be given several times; all if not given.")
    private List<String> namespaces = List.of();

    @Option(
            names = "--operator-namespace",
            description = "Where the operator runs; looked for in all if not given.")
    private String operatorNamespace = "";

    @Mixin private Connection connection = new Connection();

    /**
     * Reads the resources of the cluster and the installations of the operator.
     *
     * @param product the operator that serves the cluster
     * @throws Unreadable see {@link Connection#config} and {@link LiveCluster#read}
     */
    LivePicture read(Product product) {
        try (KubernetesClient client =
                Connection.client(connection.config("sluice-migrate-check", 1)).build()) {
            return new LiveCluster(client, product, namespaces, operatorNamespace).read();
        }
    }

    /**
     * @param product the operator that serves the cluster
     */
    String written(CheckReport report, Product product) {
        return switch (output) {
            case TEXT -> CheckText.of(report, product);
            case JSON -> CheckJson.of(report);
        };
    }
}
