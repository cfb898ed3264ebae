// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.act;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.manifest.ClusterPlan;
import io.sluice.operator.child.ChildObjects;
import io.sluice.operator.decide.Specs;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Services and the configuration of a cluster, which somebody has deleted. */
class MissingObjectCreationTest {
    private static final String NAME = "orders";
    private static final String REST = NAME + "-rest";

    private final InMemoryApiServer server = new InMemoryApiServer(1, InstantSource.system());
    private final KubernetesClient client = server.client();
    private final String namespace = server.newNamespace();
    private final MissingObjectCreation creation =
            new MissingObjectCreation(client, new ChildObjects(client));

    @Test
    void makesThoseThatAreMissingForTheResource() {
        creation.provideServices(plan(Specs.application("flink:1.20", "stateless")));

        assertThat(services())
                .extracting(service -> service.getMetadata().getName())
                .containsExactlyInAnyOrder(NAME, REST);
        assertThat(services())
                .flatExtracting(service -> service.getMetadata().getOwnerReferences())
                .extracting(OwnerReference::getUid)
                .containsOnly("uid");
        assertThat(client.apps().deployments().inNamespace(namespace).list().getItems()).isEmpty();
    }

    @Test
    void leavesThoseThatAreThereAsTheyAre() {
        ObjectNode spec = Specs.application("flink:1.20", "stateless");
        creation.provideServices(plan(spec));
        Service edited = service(REST);
        edited.getMetadata().setLabels(Map.of("edited", "by a user"));
        client.resource(edited).update();
        client.resource(service(NAME)).delete();

        creation.provideServices(plan(spec));

        assertThat(service(REST).getMetadata().getLabels()).containsOnlyKeys("edited");
        assertThat(service(NAME)).isNotNull();
    }

    /** TaskManagers of a highly available Flink ask its ConfigMaps for the JobManager. */
    @Test
    void makesOnlyTheOneThatAHighlyAvailableFlinkNeeds() {
        creation.provideServices(
                plan(Specs.highlyAvailable(Specs.application("flink:1.20", "stateless"))));

        assertThat(services()).extracting(it -> it.getMetadata().getName()).containsExactly(REST);
    }

    @Test
    void makesTheConfigurationThatIsMissingForTheResource() {
        ClusterPlan plan = plan(Specs.application("flink:1.20", "stateless"));

        assertThat(creation.lacksConfiguration(plan)).isTrue();
        creation.createConfiguration(plan);

        assertThat(creation.lacksConfiguration(plan)).isFalse();
        assertThat(configuration().getMetadata().getOwnerReferences())
                .extracting(OwnerReference::getUid)
                .containsOnly("uid");
        assertThat(configuration().getData().toString()).contains(plan.jobId());
        assertThat(services()).isEmpty();
    }

    /** Another process has made it meanwhile, perhaps for the next attempt. */
    @Test
    void leavesAConfigurationThatIsThereAsItIs() {
        ClusterPlan plan = plan(Specs.application("flink:1.20", "stateless"));
        creation.createConfiguration(plan);
        ConfigMap next = configuration();
        next.setData(Map.of("flink-conf.yaml", "of the next attempt"));
        client.resource(next).update();

        creation.createConfiguration(plan);

        assertThat(configuration().getData()).containsValue("of the next attempt");
    }

    private ConfigMap configuration() {
        return client.configMaps().inNamespace(namespace).withName("flink-config-" + NAME).get();
    }

    private List<Service> services() {
        return client.services().inNamespace(namespace).list().getItems();
    }

    private Service service(String name) {
        return services().stream()
                .filter(found -> found.getMetadata().getName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    private ClusterPlan plan(ObjectNode raw) {
        return TestPlans.fromNothing(namespace, NAME, raw);
    }
}
