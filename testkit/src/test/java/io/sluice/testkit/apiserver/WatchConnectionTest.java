// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.sluice.testkit.TestCluster;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A cache of the client behind watches that are late, break, or expire. */
class WatchConnectionTest implements ApiServerContract {
    private final InMemoryApiServer server = new InMemoryApiServer(1, InMemoryApiServerTest.CLOCK);
    private SharedIndexInformer<ConfigMap> cache;

    @Override
    public TestCluster cluster() {
        return server;
    }

    @BeforeEach
    void start() {
        server.createNamespace("shop");
        cache = client().configMaps().inNamespace("shop").inform();
        server.deliver();
    }

    @AfterEach
    void stop() {
        cache.close();
    }

    private void create(String name) {
        client().resource(map("shop", name, Map.of())).create();
    }

    private List<String> cached() {
        return cache.getStore().list().stream()
                .map(map -> map.getMetadata().getName())
                .sorted()
                .toList();
    }

    private void becomes(String... names) {
        await().atMost(ofSeconds(20))
                .untilAsserted(
                        () -> {
                            server.deliver();
                            assertThat(cached()).containsExactly(names);
                        });
    }

    @Test
    void aCacheKnowsNothingOfWhatIsNotDelivered() {
        create("a");
        create("b");
        assertThat(cached()).isEmpty();

        WatchConnection watch = server.watches().getFirst();
        assertThat(watch.pending()).isEqualTo(2);
        assertThat(watch.deliver()).isTrue();
        assertThat(cached()).containsExactly("a");

        server.deliver();

        assertThat(cached()).containsExactly("a", "b");
        assertThat(watch.deliver()).isFalse();
    }

    @Test
    void aCacheGoesOnWhereItWasAfterItsWatchHasBroken() {
        create("a");
        server.deliver();
        create("b");

        server.watches().getFirst().breakOff();

        becomes("a", "b");
    }

    @Test
    void aCacheListsAnewAfterItsVersionHasExpired() {
        create("a");
        server.deliver();
        client().resource(map("shop", "a", Map.of())).delete();
        create("b");
        server.compact();

        server.watches().getFirst().expire();

        becomes("b");
    }

    @Test
    void aCacheListsAnewWhoseWatchCouldNotGoOn() {
        create("a");
        server.deliver();
        create("b");
        server.compact();

        server.watches().getFirst().breakOff();

        becomes("a", "b");
    }

    @Test
    void aBookmarkBringsAnIdleCacheToTheLastVersion() {
        client().resource(flink("shop", "other")).create();

        server.sendBookmarks();

        assertThat(cache.lastSyncResourceVersion())
                .isEqualTo(
                        client().configMaps()
                                .inNamespace("shop")
                                .list()
                                .getMetadata()
                                .getResourceVersion());
    }
}
