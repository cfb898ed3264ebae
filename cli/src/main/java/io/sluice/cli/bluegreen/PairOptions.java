// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bluegreen;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.cli.cluster.Connection;
import io.sluice.cli.cluster.Unanswered;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** The options that say in which cluster and namespace a pair is. */
final class PairOptions {
    @Option(
            names = {"-n", "--namespace"},
            description =
                    "The pair's namespace; that of the kubeconfig's context, or default, if not"
                            + " given.")
    private @Nullable String namespace;

    @Mixin private Connection connection = new Connection();

    Optional<String> namespace() {
        return Optional.ofNullable(namespace);
    }

    /**
     * Asks the API server.
     *
     * @param agent what its audit log and {@code managedFields} call the command
     * @param otherwise the namespace if the command line names none
     * @throws NotDone if the API server does not answer
     */
    <T> T ask(String agent, Optional<String> otherwise, Function<PairCluster, T> question) {
        // A change is not repeated by itself, as it may have been made.
        Config config = connection.config(agent, 0);
        String home = Connection.namespace(namespace().or(() -> otherwise), config);
        try (KubernetesClient client = Connection.client(config).build()) {
            try {
                return question.apply(new PairCluster(client, home));
            } catch (KubernetesClientException failed) {
                throw new NotDone(Unanswered.text(client.getMasterUrl(), failed));
            }
        }
    }
}
