// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.cluster;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.sluice.cli.document.Unreadable;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options that say which cluster a command asks. */
public final class Connection {
    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "How to reach the cluster; as kubectl finds it if not given.")
    private @Nullable Path kubeconfig;

    @Option(
            names = "--context",
            paramLabel = "NAME",
            description = "The context of the kubeconfig; the current one if not given.")
    private @Nullable String context;

    /**
     * @param agent what the API server's audit log calls the command
     * @param repetitions how often a request that was not answered is repeated
     * @throws Unreadable if the file can't be read, or has no such context
     */
    public Config config(String agent, int repetitions) {
        Config found = found(Optional.ofNullable(kubeconfig));
        Optional.ofNullable(context).ifPresent(name -> check(name, found));
        return new ConfigBuilder(found)
                .withRequestRetryBackoffLimit(repetitions)
                .withUserAgent(agent)
                .build();
    }

    /** A client that looks for no models of resources on the class path, which takes long. */
    public static KubernetesClientBuilder client(Config config) {
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withKubernetesSerialization(
                        new KubernetesSerialization(new ObjectMapper(), false));
    }

    /**
     * The namespace that a command looks into.
     *
     * @param given on the command line; that of the kubeconfig's context if there is none
     */
    public static String namespace(Optional<String> given, Config config) {
        return given.or(() -> Optional.ofNullable(config.getNamespace()))
                .filter(name -> !name.isBlank())
                .orElse("default");
    }

    private Config found(Optional<Path> file) {
        if (file.isEmpty()) {
            return context == null ? new ConfigBuilder().build() : Config.autoConfigure(context);
        }
        if (!Files.isReadable(file.get()) || Files.isDirectory(file.get())) {
            throw new Unreadable("--kubeconfig: '" + file.get() + "' cannot be read; name a file");
        }
        return Config.fromKubeconfig(context, file.get().toFile());
    }

    /** The client takes the current context instead of one that is not there. */
    private static void check(String name, Config found) {
        List<String> names =
                Optional.ofNullable(found.getContexts()).orElse(List.of()).stream()
                        .map(NamedContext::getName)
                        .toList();
        if (!names.contains(name)) {
            throw new Unreadable(
                    "--context: the kubeconfig has no context '"
                            + name
                            + "'; it has "
                            + (names.isEmpty() ? "none" : String.join(", ", names)));
        }
    }
}
