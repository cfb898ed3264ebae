// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.child;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePortBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.sluice.testkit.ApiRequests;
import io.sluice.testkit.TestCluster;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What becomes of objects that stand. */
class ChildObjectsTest {
    private static final String NAME = "orders-rest";

    private final OwnerReference owner = owner("FlinkDeployment", "orders");
    private KubernetesClient client;
    private String namespace;
    private ChildObjects children;

    TestCluster cluster() {
        return new InMemoryApiServer(1, InstantSource.system());
    }

    @BeforeEach
    void start() {
        TestCluster cluster = cluster();
        client = cluster.client();
        namespace = cluster.newNamespace();
        children = new ChildObjects(client);
    }

    @Test
    void aCreationAndALaterChangeTakeOneRequestEach() {
        ApiRequests before = ApiRequests.of(client);

        children.put(map(Map.of("a", "1")));
        children.put(map(Map.of("b", "2")));

        assertThat(ApiRequests.of(client).since(before).byKind())
                .isEqualTo(Map.of("POST configmaps", 1L, "PATCH configmaps", 1L));
        assertThat(found(ConfigMap.class).getData()).isEqualTo(Map.of("b", "2"));
    }

    @Test
    void ofSeveralTheOneThatIsRefusedIsToldAndTheOthersAreThere() {
        client.resource(
                        new ServiceBuilder(service(8081, Map.of()))
                                .editMetadata()
                                .withOwnerReferences()
                                .endMetadata()
                                .build())
                .create();

        assertThatThrownBy(
                        () ->
                                children.putAll(
                                        List.of(service(9081, Map.of()), map(Map.of("a", "1")))))
                .isInstanceOf(NameTakenException.class);
        assertThat(found(ConfigMap.class).getData()).isEqualTo(Map.of("a", "1"));
        assertThat(found(Service.class).getSpec().getPorts())
                .extracting("port")
                .containsExactly(8081);
    }

    @Test
    void anObjectOfAnEarlierProcessIsReadAndChanged() {
        children.put(map(Map.of("a", "1")));

        new ChildObjects(client).put(map(Map.of("b", "2")));

        assertThat(found(ConfigMap.class).getData()).isEqualTo(Map.of("b", "2"));
        assertThat(found(ConfigMap.class).getMetadata().getManagedFields())
                .allMatch(entry -> entry.getManager().equals(ChildObjects.FIELD_MANAGER));
    }

    /** Both by the process that wrote it, and by a later one. */
    @Test
    void whatIsNotWantedAnyMoreGoesAndWhatOthersAddedStays() {
        children.put(service(8081, Map.of("ours/a", "1", "ours/b", "1")));
        client.resource(found(Service.class))
                .edit(
                        it -> {
                            it.getMetadata().getAnnotations().put("theirs/a", "1");
                            it.getMetadata().getLabels().put("theirs", "1");
                            it.getSpec().setExternalTrafficPolicy(null);
                            it.getSpec().setPublishNotReadyAddresses(true);
                            return it;
                        });

        children.put(service(9081, Map.of("ours/a", "2")));
        new ChildObjects(client).put(service(9082, Map.of()));

        Service now = found(Service.class);
        assertThat(now.getSpec().getPorts()).extracting("port").containsExactly(9082);
        assertThat(now.getSpec().getPublishNotReadyAddresses()).isTrue();
        assertThat(now.getMetadata().getAnnotations()).isEqualTo(Map.of("theirs/a", "1"));
        assertThat(now.getMetadata().getLabels()).containsKeys("app", "theirs");
    }

    /** Earlier releases wrote by server-side apply, under the same name. */
    @Test
    void anObjectThatWasAppliedByAnEarlierReleaseIsChangedAsItsOwn() {
        client.resource(service(8081, Map.of("ours/a", "1")))
                .patch(
                        new PatchContext.Builder()
                                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                                .withFieldManager(ChildObjects.FIELD_MANAGER)
                                .withForce(true)
                                .build());

        children.put(service(9081, Map.of("ours/b", "1")));

        assertThat(found(Service.class).getSpec().getPorts())
                .extracting("port")
                .containsExactly(9081);
        assertThat(found(Service.class).getMetadata().getAnnotations())
                .isEqualTo(Map.of("ours/b", "1"));
    }

    @Test
    void anObjectWithoutAnOwnerIsLeftAlone() {
        var theirs = map(Map.of("a", "1"));
        theirs.getMetadata().setOwnerReferences(List.of());

        leavesAlone(theirs, "ConfigMap 'orders-rest' is there already and is not this resource's:");
    }

    /** As a deletion of the resource with propagation Orphan leaves it. */
    @Test
    void anObjectThatWasWrittenForAResourceAndIsLeftToNobodyBelongsToTheNextOfTheName() {
        children.put(map(Map.of("a", "1")));
        leaveToNobody(found(ConfigMap.class));

        new ChildObjects(client).put(map(Map.of("b", "2")));

        assertThat(found(ConfigMap.class).getData()).isEqualTo(Map.of("b", "2"));
        assertThat(found(ConfigMap.class).getMetadata().getOwnerReferences())
                .containsExactly(owner);
    }

    /** It was removed so that the cluster is kept, which reads its configuration at each start. */
    @Test
    void anObjectThatIsLeftToNobodyIsLeftAloneWhileItsClusterStands() {
        children.put(map(Map.of("a", "1")));
        leaveToNobody(found(ConfigMap.class));
        client.resource(deployment()).create();
        String before = bytes(found(ConfigMap.class));

        assertThatThrownBy(() -> new ChildObjects(client).put(map(Map.of("b", "2"))))
                .isInstanceOf(NameTakenException.class);

        assertThat(bytes(found(ConfigMap.class))).isEqualTo(before);
    }

    /** As the halves are that a deletion of their pair leaves as they run. */
    @Test
    void anObjectThatIsLeftToNobodyIsLeftAloneByAnythingButAFlinkDeployment() {
        children.put(map(Map.of("a", "1")));
        leaveToNobody(found(ConfigMap.class));
        String before = bytes(found(ConfigMap.class));
        var wanted = map(Map.of("b", "2"));
        wanted.getMetadata()
                .setOwnerReferences(List.of(owner("FlinkBlueGreenDeployment", "orders")));

        assertThatThrownBy(() -> new ChildObjects(client).put(wanted))
                .isInstanceOf(NameTakenException.class);

        assertThat(bytes(found(ConfigMap.class))).isEqualTo(before);
    }

    private void leaveToNobody(HasMetadata object) {
        client.resource(object)
                .patch(
                        PatchContext.of(PatchType.JSON_MERGE),
                        "{\"metadata\":{\"ownerReferences\":null}}");
    }

    /** Such as an Ingress, which is written when its cluster stands. */
    @Test
    void anObjectThatWasLeftToNobodyIsAdoptedWhileTheOwnClusterStands() {
        children.put(map(Map.of("a", "1")));
        leaveToNobody(found(ConfigMap.class));
        client.resource(
                        deployment()
                                .edit()
                                .editMetadata()
                                .withOwnerReferences(owner)
                                .endMetadata()
                                .build())
                .create();

        new ChildObjects(client).put(map(Map.of("b", "2")));

        assertThat(found(ConfigMap.class).getMetadata().getOwnerReferences())
                .containsExactly(owner);
    }

    private Deployment deployment() {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withNamespace(namespace)
                .withName("orders")
                .endMetadata()
                .withNewSpec()
                .withNewSelector()
                .addToMatchLabels("app", "orders")
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .addToLabels("app", "orders")
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("flink-main-container")
                .withImage("flink")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    @Test
    void anObjectOfAnotherResourceIsLeftAloneAndItsOwnerNamed() {
        var theirs = map(Map.of("a", "1"));
        theirs.getMetadata().setOwnerReferences(List.of(owner("FlinkDeployment", "orders-rest")));

        leavesAlone(theirs, "it belongs to FlinkDeployment 'orders-rest'");
    }

    /** It was made after this one was written, and has gone. */
    @Test
    void anObjectThatTookThePlaceOfOneThatWasWrittenIsLeftAlone() {
        children.put(map(Map.of("a", "1")));
        client.resource(found(ConfigMap.class)).delete();
        var theirs = map(Map.of("a", "2"));
        theirs.getMetadata().setOwnerReferences(List.of());

        leavesAlone(theirs, "is not this resource's");
    }

    @Test
    void anObjectThatWasDeletedIsMadeAnew() {
        children.put(map(Map.of("a", "1")));
        client.resource(found(ConfigMap.class)).delete();

        children.put(map(Map.of("a", "2")));

        assertThat(found(ConfigMap.class).getData()).isEqualTo(Map.of("a", "2"));
    }

    /** The garbage collector is about to delete it; there is none here. */
    @Test
    void anObjectOfAFormerClusterOfTheNameIsWaitedFor() {
        var theirs = map(Map.of("a", "1"));
        theirs.getMetadata().setOwnerReferences(List.of(owner("Deployment", "orders")));
        String before = create(theirs);

        assertThatThrownBy(() -> children.put(map(Map.of("b", "2"))))
                .isInstanceOf(KubernetesClientException.class)
                .hasMessageContaining("is left of a former cluster and goes with it");
        assertThat(bytes(theirs)).isEqualTo(before);
    }

    @Test
    void aDeletionOfAnObjectLeavesALaterOneOfItsName() {
        children.put(map(Map.of("a", "1")));
        ConfigMap first = found(ConfigMap.class);
        client.resource(first).delete();
        String later = create(map(Map.of("a", "2")));

        new DeleteByUid(client).delete(first);

        assertThat(bytes(first)).isEqualTo(later);
        new DeleteByUid(client).delete(found(ConfigMap.class));
        assertThat(client.configMaps().inNamespace(namespace).withName(NAME).get()).isNull();
    }

    private void leavesAlone(HasMetadata theirs, String why) {
        String before = create(theirs);

        assertThatThrownBy(() -> children.put(map(Map.of("b", "2"))))
                .isInstanceOf(NameTakenException.class)
                .hasMessageContaining(why);

        assertThat(bytes(theirs)).isEqualTo(before);
    }

    private String create(HasMetadata object) {
        client.resource(object).create();
        return bytes(object);
    }

    private String bytes(HasMetadata object) {
        return client.raw(ObjectPath.of(object));
    }

    private <R extends HasMetadata> R found(Class<R> kind) {
        return client.resources(kind).inNamespace(namespace).withName(NAME).get();
    }

    private ConfigMap map(Map<String, String> data) {
        return new ConfigMapBuilder().withMetadata(metadata(Map.of())).withData(data).build();
    }

    private Service service(int port, Map<String, String> annotations) {
        return new ServiceBuilder()
                .withMetadata(metadata(annotations))
                .withNewSpec()
                .withType("ClusterIP")
                .withSelector(Map.of("app", "orders"))
                .withPorts(new ServicePortBuilder().withName("rest").withPort(port).build())
                .endSpec()
                .build();
    }

    private ObjectMeta metadata(Map<String, String> annotations) {
        return new ObjectMetaBuilder()
                .withNamespace(namespace)
                .withName(NAME)
                .withLabels(Map.of("app", "orders"))
                .withAnnotations(annotations)
                .withOwnerReferences(owner)
                .build();
    }

    private static OwnerReference owner(String kind, String name) {
        return new OwnerReferenceBuilder()
                .withApiVersion(kind.equals("Deployment") ? "apps/v1" : "flink.apache.org/v1beta1")
                .withKind(kind)
                .withName(name)
                .withUid(UUID.randomUUID().toString())
                .build();
    }
}
