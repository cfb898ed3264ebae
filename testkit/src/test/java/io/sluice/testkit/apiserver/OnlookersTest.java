// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.api.FlinkDeployment;
import io.sluice.testkit.TestCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What those do who belong to a simulated world, and have no client. */
class OnlookersTest implements ApiServerContract {
    private final InMemoryApiServer server = new InMemoryApiServer(1, InMemoryApiServerTest.CLOCK);

    @Override
    public TestCluster cluster() {
        return server;
    }

    @BeforeEach
    void start() {
        server.createNamespace("shop");
        server.createNamespace("other");
    }

    private FlinkDeployment create(String name) {
        var resource = new FlinkDeployment();
        resource.getMetadata().setNamespace("shop");
        resource.getMetadata().setName(name);
        resource.setSpec(spec("a"));
        return client().resource(resource).create();
    }

    private static ObjectNode spec(String image) {
        return JsonNodeFactory.instance.objectNode().put("image", image);
    }

    @Test
    void findWhatAClientFindsButForManagedFields() {
        create("a");
        FlinkDeployment b = create("b");
        b.getMetadata().setManagedFields(List.of());

        assertThat(server.find(FlinkDeployment.class, "shop", "b")).contains(b);
        assertThat(server.find(FlinkDeployment.class, "other", "b")).isEmpty();
        assertThat(server.list(FlinkDeployment.class, "shop")).hasSize(2).last().isEqualTo(b);
    }

    @Test
    void mayChangeTheirCopyOfAResource() {
        create("a");

        FlinkDeployment mine = server.find(FlinkDeployment.class, "shop", "a").orElseThrow();
        mine.getSpec().put("image", "b");
        mine.getMetadata().setResourceVersion(null);

        FlinkDeployment next = server.find(FlinkDeployment.class, "shop", "a").orElseThrow();
        assertThat(next.getSpec()).isEqualTo(spec("a"));
        assertThat(next.getMetadata().getResourceVersion()).isNotNull();
    }

    @Test
    void areToldNothingBeforeItIsDelivered() {
        List<String> told = new ArrayList<>();
        client().resource(map("shop", "old", Map.of())).create();
        WatchConnection watch =
                server.watch(
                        ConfigMap.class,
                        "shop",
                        "",
                        (isThere, it) -> told.add(it.getMetadata().getName() + " " + isThere));
        client().resource(map("shop", "new", Map.of())).create();
        client().resource(map("other", "foreign", Map.of())).create();
        client().configMaps().inNamespace("shop").withName("old").delete();

        assertThat(told).isEmpty();
        assertThat(watch.deliver()).isTrue();
        assertThat(told).containsExactly("old true");
        server.deliver();
        assertThat(told).containsExactly("old true", "new true", "old false");

        watch.leave();
        client().resource(map("shop", "later", Map.of())).create();
        server.deliver();
        assertThat(told).hasSize(3);
    }

    @Test
    void areToldOnlyWhatTheyHaveSelected() {
        List<String> told = new ArrayList<>();
        var _ =
                server.watch(
                        ConfigMap.class,
                        "shop",
                        "part=a",
                        (_, it) -> told.add(it.getMetadata().getName()));
        client().resource(map("shop", "x", Map.of())).create();
        var labelled = map("shop", "y", Map.of());
        labelled.getMetadata().setLabels(Map.of("part", "a"));
        client().resource(labelled).create();
        server.deliver();

        assertThat(told).containsExactly("y");
    }

    @Test
    void giveAResourceAnotherGeneration() {
        FlinkDeployment made = create("a");

        FlinkDeployment edited = server.edit(FlinkDeployment.class, made, spec("b"));

        assertThat(edited.getSpec()).isEqualTo(spec("b"));
        assertThat(edited.getMetadata().getGeneration()).isEqualTo(2);
    }

    @Test
    void changeNothingThatIsNotThere() {
        FlinkDeployment made = create("a");
        client().resource(made).delete();

        assertThat(server.patch(made, "", PatchType.JSON_MERGE, "{}")).isFalse();
        assertThatThrownBy(() -> server.edit(FlinkDeployment.class, made, spec("b")))
                .isInstanceOf(IllegalStateException.class);
    }

    @Test
    void deleteWhatIsThere() {
        FlinkDeployment made = create("a");

        server.delete(made, Optional.empty());
        server.delete(made, Optional.empty());

        assertThat(server.list(FlinkDeployment.class, "shop")).isEmpty();
    }

    @Test
    void keepFromClientsWhoManagesFieldsOfOneKind() {
        server.hideManagers(FlinkDeployment.class);

        FlinkDeployment made = create("a");
        var map = client().resource(map("shop", "m", Map.of("a", "1"))).create();

        assertThat(made.getMetadata().getManagedFields()).isEmpty();
        assertThat(map.getMetadata().getManagedFields()).isNotEmpty();
    }
}
