// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.sluice.cli.document.Unreadable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
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

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "How to reach the cluster; as kubectl finds it if not given.")
    private @Nullable Path kubeconfig;

    /**
     * Reads the resources of the cluster and the installations of the operator.
     *
     * @param product the operator that serves the cluster
     * @throws Unreadable see {@link LiveCluster#read}
     */
    LivePicture read(Product product) {
        try (KubernetesClient client =
                new KubernetesClientBuilder()
                        .withConfig(config())
                        .withKubernetesSerialization(
                                new KubernetesSerialization(new ObjectMapper(), false))
                        .build()) {
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

    private Config config() {
        Path file = kubeconfig;
        try {
            Config found =
                    file == null
                            ? new ConfigBuilder().build()
                            : Config.fromKubeconfig(Files.readString(file));
            return new ConfigBuilder(found)
                    .withRequestRetryBackoffLimit(1)
                    .withUserAgent("sluice-migrate-check")
                    .build();
        } catch (IOException unreadable) {
            throw new Unreadable("--kubeconfig: '" + file + "' cannot be read; name a file");
        }
    }
}
