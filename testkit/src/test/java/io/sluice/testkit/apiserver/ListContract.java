// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapList;
import io.fabric8.kubernetes.api.model.EventBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ListOptionsBuilder;
import io.fabric8.kubernetes.client.dsl.FilterWatchListDeletable;
import io.fabric8.kubernetes.client.dsl.NonNamespaceOperation;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

/** What a list has, and in which order. */
interface ListContract extends ApiServerContract {
    private void labelled(String namespace, String name, String tier) {
        client().resource(labelled(map(namespace, name, Map.of()), "tier", tier)).create();
    }

    private String threeTiers() {
        String namespace = cluster().newNamespace();
        labelled(namespace, "b", "back");
        labelled(namespace, "a", "front");
        labelled(namespace, "c", "middle");
        return namespace;
    }

    private List<String> selected(
            String namespace,
            Function<
                            NonNamespaceOperation<ConfigMap, ConfigMapList, Resource<ConfigMap>>,
                            FilterWatchListDeletable<ConfigMap, ConfigMapList, Resource<ConfigMap>>>
                    selection) {
        return names(
                selection.apply(client().configMaps().inNamespace(namespace)).list().getItems());
    }

    private static List<String> names(List<? extends HasMetadata> items) {
        return items.stream().map(item -> item.getMetadata().getName()).toList();
    }

    @Test
    default void aListIsInTheOrderOfNamesAndOfOneNamespace() {
        String namespace = threeTiers();
        threeTiers();

        assertThat(names(client().configMaps().inNamespace(namespace).list().getItems()))
                .containsExactly("a", "b", "c");
    }

    @Test
    default void aListOfAllNamespacesHasEachOfThem() {
        String one = threeTiers();
        String other = threeTiers();

        assertThat(
                        client().configMaps()
                                .inAnyNamespace()
                                .withLabel("tier", "back")
                                .list()
                                .getItems())
                .extracting(map -> map.getMetadata().getNamespace())
                .contains(one, other);
    }

    @Test
    default void labelsSelectByValueBySetAndByPresence() {
        String namespace = threeTiers();
        client().resource(map(namespace, "none", Map.of())).create();

        assertThat(selected(namespace, maps -> maps.withLabel("tier", "back")))
                .containsExactly("b");
        assertThat(selected(namespace, maps -> maps.withLabelIn("tier", "back", "front")))
                .containsExactly("a", "b");
        assertThat(selected(namespace, maps -> maps.withLabelNotIn("tier", "back", "front")))
                .containsExactly("c", "none");
        assertThat(selected(namespace, maps -> maps.withLabel("tier")))
                .containsExactly("a", "b", "c");
        assertThat(selected(namespace, maps -> maps.withoutLabel("tier"))).containsExactly("none");
        assertThat(selected(namespace, maps -> maps.withoutLabel("tier", "back")))
                .containsExactly("a", "c", "none");
    }

    @Test
    default void everyObjectIsSelectedByItsName() {
        String namespace = threeTiers();

        assertThat(selected(namespace, maps -> maps.withField("metadata.name", "b")))
                .containsExactly("b");
    }

    @Test
    default void eventsAreSelectedByWhatTheyAreAbout() {
        String namespace = cluster().newNamespace();
        for (String about : List.of("one", "other")) {
            client().resource(
                            new EventBuilder()
                                    .withNewMetadata()
                                    .withNamespace(namespace)
                                    .withName(about)
                                    .endMetadata()
                                    .withNewInvolvedObject()
                                    .withKind("Pod")
                                    .withNamespace(namespace)
                                    .withName(about)
                                    .withUid("uid-of-" + about)
                                    .endInvolvedObject()
                                    .withReason("Seen")
                                    .build())
                    .create();
        }

        assertThat(
                        names(
                                client().v1()
                                        .events()
                                        .inNamespace(namespace)
                                        .withField("involvedObject.uid", "uid-of-one")
                                        .list()
                                        .getItems()))
                .containsExactly("one");
    }

    @Test
    default void aFieldThatIsNotIndexedSelectsNothing() {
        refusal(
                () -> client().configMaps().inNamespace("default").withField("data.a", "1").list(),
                400);
    }

    @Test
    default void aListInPagesIsOfTheVersionOfItsFirstPage() {
        String namespace = threeTiers();
        ConfigMapList first =
                client().configMaps()
                        .inNamespace(namespace)
                        .list(new ListOptionsBuilder().withLimit(2L).build());
        labelled(namespace, "d", "back");

        ConfigMapList rest =
                client().configMaps()
                        .inNamespace(namespace)
                        .list(
                                new ListOptionsBuilder()
                                        .withLimit(2L)
                                        .withContinue(first.getMetadata().getContinue())
                                        .build());

        assertThat(names(first.getItems())).containsExactly("a", "b");
        assertThat(names(rest.getItems())).containsExactly("c");
        assertThat(rest.getMetadata().getContinue()).isNullOrEmpty();
        assertThat(rest.getMetadata().getResourceVersion())
                .isEqualTo(first.getMetadata().getResourceVersion());
    }

    @Test
    default void whatIsSelectedCanBeDeletedAtOnce() {
        String namespace = threeTiers();

        client().configMaps().inNamespace(namespace).withLabelIn("tier", "back", "front").delete();

        assertThat(selected(namespace, maps -> maps.withLabel("tier"))).containsExactly("c");
    }
}
