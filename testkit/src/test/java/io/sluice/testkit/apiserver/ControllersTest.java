// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.sluice.testkit.TestCluster;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The garbage collector, and the controller of namespaces. */
class ControllersTest implements ApiServerContract {
    private final InMemoryApiServer server = new InMemoryApiServer(1, InMemoryApiServerTest.CLOCK);
    private Deployment owner;

    @Override
    public TestCluster cluster() {
        return server;
    }

    @BeforeEach
    void start() {
        server.createNamespace("shop");
        owner = client().resource(deployment("shop", "owner")).create();
    }

    private static OwnerReference reference(HasMetadata to) {
        return new OwnerReferenceBuilder()
                .withApiVersion(to.getApiVersion())
                .withKind(to.getKind())
                .withName(to.getMetadata().getName())
                .withUid(to.getMetadata().getUid())
                .withBlockOwnerDeletion(true)
                .build();
    }

    private ConfigMap owned(String name, OwnerReference... owners) {
        return client().resource(
                        new ConfigMapBuilder(map("shop", name, Map.of()))
                                .editMetadata()
                                .withOwnerReferences(owners)
                                .endMetadata()
                                .build())
                .create();
    }

    private void release(ConfigMap kept) {
        client().resource(now(kept))
                .edit(
                        map -> {
                            map.getMetadata().setFinalizers(List.of());
                            return map;
                        });
    }

    @Test
    void whatBelongsToAnObjectGoesAfterIt() {
        ConfigMap owned = owned("a", reference(owner));
        client().resource(owner).delete();
        assertThat(now(owned)).isNotNull();

        server.collectGarbage();

        assertThat(now(owned)).isNull();
    }

    @Test
    void whatBelongsToALaterObjectOfTheNameStays() {
        client().resource(owner).delete();
        Deployment later = client().resource(deployment("shop", "owner")).create();
        ConfigMap ofLater = owned("later", reference(later));
        ConfigMap ofFormer = owned("former", reference(owner));

        server.collectGarbage();

        assertThat(now(ofLater)).isEqualTo(ofLater);
        assertThat(now(ofFormer)).isNull();
    }

    @Test
    void whatHasAnotherOwnerStaysWithThatOne() {
        Deployment other = client().resource(deployment("shop", "other")).create();
        ConfigMap owned = owned("a", reference(owner), reference(other));
        client().resource(owner).delete();

        server.collectGarbage();

        assertThat(now(owned).getMetadata().getOwnerReferences()).containsExactly(reference(other));
    }

    @Test
    void anOwnerThatIsDeletedInTheForegroundGoesAfterWhatBelongsToIt() {
        ConfigMap kept = owned("kept", reference(owner));
        client().resource(kept).edit(map -> kept(map));
        ConfigMap owned = owned("a", reference(owner));
        client().resource(owner).withPropagationPolicy(DeletionPropagation.FOREGROUND).delete();

        server.collectGarbage();

        assertThat(now(owned)).isNull();
        assertThat(now(owner)).isNotNull();

        release(kept);
        server.collectGarbage();

        assertThat(now(kept)).isNull();
        assertThat(now(owner)).isNull();
    }

    @Test
    void whatIsOrphanedBelongsToNobodyThen() {
        ConfigMap owned = owned("a", reference(owner));
        client().resource(owner).withPropagationPolicy(DeletionPropagation.ORPHAN).delete();

        server.collectGarbage();

        assertThat(now(owner)).isNull();
        assertThat(now(owned).getMetadata().getOwnerReferences()).isEmpty();
    }

    @Test
    void theOrderIsTheSeedsAlone() {
        assertThat(order(3)).isEqualTo(order(3)).hasSize(6);
        assertThat(IntStream.range(0, 10).mapToObj(this::order).distinct().count())
                .isGreaterThan(1);
    }

    private List<String> order(int seed) {
        var other = new InMemoryApiServer(seed, InMemoryApiServerTest.CLOCK);
        other.createNamespace("shop");
        OwnerReference gone = reference(owner);
        IntStream.range(0, 6)
                .mapToObj(i -> map("shop", "a" + i, Map.of()))
                .forEach(
                        map -> {
                            map.getMetadata().setOwnerReferences(List.of(gone));
                            other.client().resource(map).create();
                        });
        List<String> left = names(other);
        List<String> order = new ArrayList<>();
        while (other.collectOnePieceOfGarbage()) {
            List<String> now = names(other);
            left.stream().filter(name -> !now.contains(name)).forEach(order::add);
            left = now;
        }
        return order;
    }

    private static List<String> names(InMemoryApiServer server) {
        return server.client().configMaps().inNamespace("shop").list().getItems().stream()
                .map(map -> map.getMetadata().getName())
                .toList();
    }

    @Test
    void aNamespaceThatIsDeletedIsEmptiedAndGoesOnceNothingIsLeft() {
        ConfigMap map = client().resource(kept(map("shop", "a", Map.of()))).create();
        client().namespaces().withName("shop").delete();

        server.finishNamespaces();

        assertThat(now(owner)).isNull();
        assertThat(client().namespaces().withName("shop").get()).isNotNull();

        release(map);
        server.finishNamespaces();

        assertThat(client().namespaces().withName("shop").get()).isNull();
    }
}
