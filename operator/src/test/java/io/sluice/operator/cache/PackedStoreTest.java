// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cache;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.sluice.api.FlinkDeployment;
import io.sluice.process.cache.PackedStore;
import org.junit.jupiter.api.Test;

class PackedStoreTest {
    private static final String KEY = "shop/orders";

    private final ResourceSizes sizes = new ResourceSizes();
    private final PackedStore<FlinkDeployment, ?> store =
            ResourcePacking.store(FlinkDeployment::new, sizes);

    @Test
    void givesBackWhatWasPutButForManagedFields() {
        FlinkDeployment resource = resource("flink:1.20");
        resource.getMetadata().getManagedFields().add(new ManagedFieldsEntry());

        store.put(store.getKey(resource), resource);

        FlinkDeployment found = store.get(KEY);
        assertThat(found.getSpec()).isEqualTo(resource.getSpec());
        assertThat(found.getStatus()).isEqualTo(resource.getStatus());
        assertThat(found.getMetadata().getUid()).isEqualTo("u1");
        assertThat(found.getMetadata().getManagedFields()).isEmpty();
        assertThat(resource.getMetadata().getManagedFields()).hasSize(1);
    }

    @Test
    void eachReadIsACopy() {
        store.put(KEY, resource("flink:1.20"));

        store.get(KEY).getSpec().put("image", "changed");

        assertThat(store.get(KEY).getSpec().path("image").asText()).isEqualTo("flink:1.20");
    }

    @Test
    void whatIsReplacedOrRemovedIsGivenBackWhole() {
        assertThat(store.put(KEY, resource("one"))).isNull();
        assertThat(store.put(KEY, resource("two")).getSpec().path("image").asText())
                .isEqualTo("one");
        assertThat(store.remove(KEY).getSpec().path("image").asText()).isEqualTo("two");
        assertThat(store.get(KEY)).isNull();
        assertThat(store.size()).isZero();
    }

    @Test
    void tellsHowLargeALargeResourceIsAsLongAsItIsKept() {
        int usual = sizes.of("shop", "orders");
        store.put(KEY, resource("x".repeat(100_000)));

        assertThat(sizes.of("shop", "orders")).isBetween(100_000, 101_000);
        assertThat(sizes.of("shop", "others")).isEqualTo(usual);

        store.put(KEY, resource("flink:1.20"));
        assertThat(sizes.of("shop", "orders")).isEqualTo(usual);

        store.put(KEY, resource("x".repeat(200_000)));
        store.remove(KEY);
        assertThat(sizes.of("shop", "orders")).isEqualTo(usual);
    }

    /** Else an informer tells of each parsed resource at once, and thousands wait in line. */
    @Test
    void whatTheFirstListAddsIsToldAsItIsKept() {
        assertThat(store.isFullState()).isTrue();
    }

    @Test
    void allOfThemAreNamesOnly() {
        store.put(KEY, resource("flink:1.20"));

        assertThat(store.values())
                .singleElement()
                .satisfies(
                        named -> {
                            assertThat(store.getKey(named)).isEqualTo(KEY);
                            assertThat(named.getMetadata().getUid()).isNull();
                        });
    }

    @Test
    void anApplicationIsKeptForSessionJobsAsSomethingThatIsNoSessionCluster() {
        FlinkDeployment application = resource("flink:1.20");
        application.getSpec().putObject("job").put("parallelism", 4);

        FlinkDeployment kept = Trimmed.cluster(application);

        assertThat(kept.getSpec().path("job").isObject()).isTrue();
        assertThat(kept.getSpec().has("image")).isFalse();
        assertThat(application.getSpec().at("/job/parallelism").asInt()).isEqualTo(4);
    }

    private static FlinkDeployment resource(String image) {
        ObjectNode spec = JsonNodeFactory.instance.objectNode().put("image", image);
        FlinkDeployment resource = new FlinkDeployment();
        resource.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace("shop")
                        .withName("orders")
                        .withUid("u1")
                        .withGeneration(3L)
                        .build());
        resource.setSpec(spec);
        resource.setStatus(JsonNodeFactory.instance.objectNode().put("lifecycleState", "STABLE"));
        return resource;
    }
}
