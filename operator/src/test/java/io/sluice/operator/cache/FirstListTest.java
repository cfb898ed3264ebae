// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.process.cache.PackedStore;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What an informer tells of its first list, and later. */
class FirstListTest {
    private static final String SETTLED = "settled-";

    private final InMemoryApiServer api = new InMemoryApiServer(1, () -> Instant.EPOCH);
    private final KubernetesClient client = api.client();
    private final String namespace = api.newNamespace();
    private final PackedStore<FlinkStateSnapshot, ?> store = SnapshotPacking.store();
    private final List<String> told = new CopyOnWriteArrayList<>();
    private final List<String> complete = new CopyOnWriteArrayList<>();
    private final SharedIndexInformer<FlinkStateSnapshot> informer =
            client.resources(FlinkStateSnapshot.class)
                    .inNamespace(namespace)
                    .withLimit(2L)
                    .runnableInformer(0)
                    .itemStore(store);

    @AfterEach
    void stop() {
        informer.stop();
    }

    @Test
    void nobodyIsToldOfWhatIsSettledInTheFirstList() {
        for (int i = 0; i < 5; i++) {
            create(SETTLED + i);
            create("new-" + i);
        }

        start();

        await().untilAsserted(
                        () ->
                                assertThat(told)
                                        .containsExactlyInAnyOrder(
                                                "+new-0", "+new-1", "+new-2", "+new-3", "+new-4"));
        assertThat(complete).as("told once, with all of the list").containsExactly("10");
        assertThat(store.size()).isEqualTo(10);
    }

    @Test
    void whatIsSettledIsToldOfWhenItChangesOrGoes() {
        create(SETTLED + 1);
        create(SETTLED + 2);
        start();
        await().until(() -> !complete.isEmpty());
        assertThat(told).isEmpty();

        relabel(SETTLED + 1);
        client.resource(read(SETTLED + 2)).delete();
        api.deliver();

        await().untilAsserted(() -> assertThat(told).contains("~settled-1", "-settled-2"));
        assertThat(store.keySet()).containsExactly(namespace + "/settled-1");
    }

    @Test
    void whatIsCreatedLaterIsToldOfEvenIfItIsSettled() {
        create("new-0");
        start();
        await().until(() -> told.contains("+new-0"));

        create(SETTLED + 1);
        api.deliver();

        await().untilAsserted(() -> assertThat(told).contains("+settled-1"));
    }

    private void start() {
        store.askOfFirstList(
                new PackedStore.FirstList<>() {
                    @Override
                    public boolean isSettled(FlinkStateSnapshot resource) {
                        return resource.getMetadata().getName().startsWith(SETTLED);
                    }

                    @Override
                    public void isComplete(Predicate<String> has) {
                        complete.add("" + store.keySet().filter(has).count());
                    }
                });
        informer.addEventHandler(
                new ResourceEventHandler<>() {
                    @Override
                    public void onAdd(FlinkStateSnapshot added) {
                        told.add("+" + added.getMetadata().getName());
                    }

                    @Override
                    public void onUpdate(FlinkStateSnapshot before, FlinkStateSnapshot now) {
                        told.add("~" + now.getMetadata().getName());
                    }

                    @Override
                    public void onDelete(FlinkStateSnapshot gone, boolean isStateUnknown) {
                        told.add("-" + gone.getMetadata().getName());
                    }
                });
        informer.start();
    }

    private void relabel(String name) {
        FlinkStateSnapshot resource = read(name);
        resource.getMetadata().setLabels(Map.of("team", "shop"));
        client.resource(resource).update();
    }

    private FlinkStateSnapshot read(String name) {
        return client.resources(FlinkStateSnapshot.class)
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    private void create(String name) {
        var resource = new FlinkStateSnapshot();
        resource.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        resource.setSpec(JsonNodeFactory.instance.objectNode());
        client.resource(resource).create();
    }
}
