// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.core.ThrowingRunnable;
import org.junit.jupiter.api.Test;

/** What watches tell. */
interface WatchContract extends ApiServerContract {
    /** As {@code ADDED a 1}, with the value of the key {@code v}. */
    record RecordedEvents(List<String> events) implements Watcher<ConfigMap> {
        @Override
        public void eventReceived(Action action, ConfigMap map) {
            events.add(
                    "%s %s %s"
                            .formatted(
                                    action, map.getMetadata().getName(), map.getData().get("v")));
        }

        @Override
        public void onClose(WatcherException cause) {
            events.add("closed");
        }
    }

    private ConfigMap valued(String namespace, String name, String value) {
        return labelled(map(namespace, name, Map.of("v", value)), "tier", value);
    }

    private ConfigMap changed(ConfigMap map, String value) {
        return client().resource(
                        labelled(
                                new ConfigMapBuilder(map).withData(Map.of("v", value)).build(),
                                "tier",
                                value))
                .update();
    }

    private void soon(ThrowingRunnable assertion) {
        await().atMost(ofSeconds(20))
                .untilAsserted(
                        () -> {
                            cluster().deliver();
                            assertion.run();
                        });
    }

    @Test
    default void aWatchTellsWhatIsThereAndThenWhatChangesInOrder() {
        String namespace = cluster().newNamespace();
        ConfigMap map = client().resource(valued(namespace, "a", "1")).create();
        var told = new RecordedEvents(new CopyOnWriteArrayList<>());
        try (Watch _ = client().configMaps().inNamespace(namespace).watch(told)) {
            changed(map, "2");
            client().resource(valued(namespace, "b", "1")).create();
            client().resource(map).delete();

            soon(
                    () ->
                            assertThat(told.events())
                                    .containsExactly(
                                            "ADDED a 1",
                                            "MODIFIED a 2",
                                            "ADDED b 1",
                                            "DELETED a 2"));
        }
    }

    @Test
    default void aWatchGoesOnFromTheVersionThatItNames() {
        String namespace = cluster().newNamespace();
        ConfigMap map = client().resource(valued(namespace, "a", "1")).create();
        String since = changed(map, "2").getMetadata().getResourceVersion();
        changed(now(map), "3");
        var told = new RecordedEvents(new CopyOnWriteArrayList<>());
        try (Watch _ =
                client().configMaps()
                        .inNamespace(namespace)
                        .watch(new ListOptionsBuilder().withResourceVersion(since).build(), told)) {
            soon(() -> assertThat(told.events()).containsExactly("MODIFIED a 3"));
        }
    }

    @Test
    default void aWatchTellsNothingOfOtherNamespaces() {
        String namespace = cluster().newNamespace();
        var told = new RecordedEvents(new CopyOnWriteArrayList<>());
        try (Watch _ = client().configMaps().inNamespace(namespace).watch(told)) {
            client().resource(valued(cluster().newNamespace(), "a", "1")).create();
            client().resource(valued(namespace, "b", "1")).create();

            soon(() -> assertThat(told.events()).containsExactly("ADDED b 1"));
        }
    }

    @Test
    default void anObjectThatIsNotSelectedAnyMoreIsToldAsDeleted() {
        String namespace = cluster().newNamespace();
        ConfigMap map = client().resource(valued(namespace, "a", "1")).create();
        var told = new RecordedEvents(new CopyOnWriteArrayList<>());
        try (Watch _ =
                client().configMaps().inNamespace(namespace).withLabel("tier", "1").watch(told)) {
            changed(now(changed(map, "2")), "1");

            soon(
                    () ->
                            assertThat(told.events())
                                    .hasSize(3)
                                    .startsWith("ADDED a 1")
                                    .endsWith("ADDED a 1")
                                    .anyMatch(event -> event.startsWith("DELETED a")));
        }
    }

    @Test
    default void aCacheHasWhatIsThereAndThenWhatChanges() {
        String namespace = cluster().newNamespace();
        ConfigMap map = client().resource(valued(namespace, "a", "1")).create();
        try (SharedIndexInformer<ConfigMap> informer =
                client().configMaps().inNamespace(namespace).inform()) {
            soon(() -> assertThat(values(informer)).containsExactly("1"));
            changed(map, "2");
            soon(() -> assertThat(values(informer)).containsExactly("2"));
            client().resource(map).delete();
            soon(() -> assertThat(values(informer)).isEmpty());
        }
    }

    private static List<String> values(SharedIndexInformer<ConfigMap> informer) {
        return informer.getStore().list().stream().map(map -> map.getData().get("v")).toList();
    }
}
