// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.sluice.cli.document.Unreadable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code sluice migrate check}: what becomes of the resources of a cluster. */
@Command(
        name = "check",
        description = {
            "Says of each resource in a cluster of the Apache operator whether Sluice takes it over"
                    + " as it is.",
            "",
            "It changes nothing: it lists the resources, Flink's Deployments, and the Apache"
                    + " operator's Deployment and configuration. What you may not list it names."
        },
        mixinStandardHelpOptions = true,
        exitCodeOnExecutionException = 2,
        exitCodeListHeading = "Ends with:%n",
        exitCodeList = {
            "0:every resource is taken over as it is",
            "1:something is blocked, or needs an edit",
            "2:the cluster cannot be asked, or a right is missing, or the command line is wrong"
        })
final class MigrateCheckCommand implements Callable<Integer> {
    private static final int FINE = 0;
    private static final int OPEN = 1;
    private static final int UNASKED = 2;

    /** How the report is written. */
    enum Output {
        TEXT,
        JSON
    }

    @Spec private @Nullable CommandSpec spec;

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
            description = "Where the Apache operator runs; looked for in all if not given.")
    private String operatorNamespace = "";

    @Option(
            names = "--release-namespace",
            description = "Where Sluice will be installed; sluice-system if not given.")
    private String releaseNamespace = "sluice-system";

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "How to reach the cluster; as kubectl finds it if not given.")
    private @Nullable Path kubeconfig;

    @Override
    public Integer call() {
        var line = Objects.requireNonNull(spec).commandLine();
        try (var client =
                new KubernetesClientBuilder()
                        .withConfig(config())
                        .withKubernetesSerialization(
                                new KubernetesSerialization(new ObjectMapper(), false))
                        .build()) {
            CheckReport report =
                    MigrationCheck.of(
                            new LiveCluster(client, namespaces, operatorNamespace).read(),
                            releaseNamespace);
            line.getOut()
                    .print(output == Output.JSON ? CheckJson.of(report) : CheckText.of(report));
            line.getOut().flush();
            if (!report.isFine()) {
                return OPEN;
            }
            return report.missing().isEmpty() ? FINE : UNASKED;
        } catch (Unreadable | KubernetesClientException unasked) {
            line.getErr().println("sluice migrate check: " + unasked.getMessage());
            return UNASKED;
        }
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
