// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.sluice.testkit.TestCluster;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The suite on the server in memory. */
class InMemoryApiServerTest
        implements ChangeContract,
                CreationContract,
                DeletionContract,
                ListContract,
                PatchContract,
                WatchContract {
    static final InstantSource CLOCK = InstantSource.fixed(Instant.parse("2026-01-01T00:00:00.5Z"));

    private final InMemoryApiServer server = withDefaultNamespace(1);

    private static InMemoryApiServer withDefaultNamespace(long seed) {
        var server = new InMemoryApiServer(seed, CLOCK);
        server.createNamespace("default");
        return server;
    }

    @Override
    public TestCluster cluster() {
        return server;
    }

    @Test
    void aSeedGivesTheSameAgain() {
        assertThat(created(5)).isEqualTo(created(5)).isNotEqualTo(created(6));
    }

    private ConfigMap created(long seed) {
        return withDefaultNamespace(seed)
                .client()
                .resource(map("default", "a", Map.of("a", "1")))
                .create();
    }
}
