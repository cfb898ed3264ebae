// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.access;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.process.Environment;
import io.sluice.process.Variable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Whether callers have to say who they are, from a process's environment.
 *
 * @param authenticate false: everybody may read everything
 * @param audience whom the tokens of callers are to be meant for; empty for the API server
 * @param replicaToken a file with the token by which this replica asks others; read each time, as
 *     the kubelet renews it
 */
public record AccessSettings(
        boolean authenticate, Optional<String> audience, Optional<Path> replicaToken) {
    public static final AccessSettings OPEN =
            new AccessSettings(false, Optional.empty(), Optional.empty());

    /** The audience of tokens by which replicas ask one another. They open nothing else. */
    public static final String REPLICAS = "sluice-replicas";

    /**
     * As the environment says.
     *
     * @throws Environment.Unusable if it can't be read
     */
    public static AccessSettings from(Environment environment) {
        return new AccessSettings(
                environment.flag(Variable.AUTHENTICATE),
                environment.text(Variable.TOKEN_AUDIENCE),
                environment.text(Variable.REPLICA_TOKEN).map(Path::of));
    }

    public Access access(KubernetesClient client, Consumer<AccessOutcome> count) {
        return authenticate
                ? new ReviewedAccess(
                        new KubernetesReviews(client),
                        new ReviewedAccess.Audiences(audience, REPLICAS, this::ownToken),
                        count,
                        System::nanoTime)
                : Access.OPEN;
    }

    /** The token by which this replica asks others; empty if there is none. */
    public Optional<String> ownToken() {
        return replicaToken.flatMap(AccessSettings::read);
    }

    private static Optional<String> read(Path file) {
        try {
            return Optional.of(Files.readString(file).strip()).filter(token -> !token.isEmpty());
        } catch (IOException unreadable) {
            return Optional.empty();
        }
    }
}
