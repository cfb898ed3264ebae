// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.operator.reconcile.Presence;
import io.sluice.operator.reconcile.StatusStore.Saved;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Snapshots that a process finds when it starts, and does not reconcile. */
class SnapshotsAtRestTest {
    private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private Instant now = START;
    private final InMemoryApiServer api = new InMemoryApiServer(1, () -> now);
    private final KubernetesClient client = api.client();
    private final String namespace = api.newNamespace();
    private final Map<String, FlinkDeployment> cached = new HashMap<>();
    private StateSnapshots process = started();

    @BeforeEach
    void runAJobThatKeepsTwo() {
        var job = new FlinkDeployment();
        job.setMetadata(metadata("orders"));
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        spec.putObject("flinkConfiguration")
                .put("kubernetes.operator.savepoint.history.max.count", "2");
        spec.putObject("job");
        job.setSpec(spec);
        client.resource(job).create();
    }

    @Test
    void oneThatIsCompleteNeedsNoReconciliationByTheNextProcess() {
        create("one", "MANUAL");
        assertThat(started().rests(read("one"))).as("nothing is done yet").isFalse();

        reconcile("one");

        assertThat(started().rests(read("one"))).isTrue();
    }

    @Test
    void oneWhoseLabelOrStatusIsNotAsItIsToBeNeedsOne() {
        create("one", "MANUAL");
        reconcile("one");

        FlinkStateSnapshot relabelled = read("one");
        relabelled.getMetadata().getLabels().put("snapshot.state", "IN_PROGRESS");
        assertThat(started().rests(relabelled)).isFalse();

        FlinkStateSnapshot ofAnotherOperator = read("one");
        ofAnotherOperator.getStatus().remove("conditions");
        assertThat(started().rests(ofAnotherOperator)).isFalse();

        FlinkStateSnapshot edited = read("one");
        edited.getMetadata().setGeneration(7L);
        assertThat(started().rests(edited)).isFalse();

        FlinkStateSnapshot leaving = read("one");
        leaving.getMetadata().setDeletionTimestamp(START.toString());
        assertThat(started().rests(leaving)).isFalse();
    }

    @Test
    void onlyTheNewestOfAJobDecidesWhateverTheOrderInWhichTheyAreListed() {
        createFive();

        for (List<String> order :
                List.of(
                        List.of("s0", "s1", "s2", "s3", "s4"),
                        List.of("s4", "s3", "s2", "s1", "s0"),
                        List.of("s2", "s4", "s1", "s3", "s0"))) {
            process = started();

            assertThat(order.stream().map(name -> process.saw(read(name)))).containsOnly(true);
            assertThat(process.deciding()).containsExactly(new ResourceID("s4", namespace));
        }
    }

    @Test
    void theOnlyOneOfAJobDecidesNothing() {
        create("one", "PERIODIC");
        reconcile("one");

        process = started();
        process.saw(read("one"));

        assertThat(process.deciding()).isEmpty();
    }

    @Test
    void aStatusWithValuesOfOtherTypesStopsNothing() throws JsonProcessingException {
        create("one", "PERIODIC");
        reconcile("one");
        process = started();

        for (String field :
                List.of("path", "error", "state", "conditions", "attempt", "failures")) {
            for (String value : List.of("[]", "{}", "-1", "\"COMPLETED\"", "null", "1e400")) {
                FlinkStateSnapshot odd = read("one");
                odd.getStatus().set(field, new ObjectMapper().readTree(value));

                assertThatCode(
                                () -> {
                                    process.saw(odd);
                                    process.deciding().toList();
                                })
                        .as("%s: %s", field, value)
                        .doesNotThrowAnyException();
            }
        }
    }

    @Test
    void thoseThatWereNotReconciledCountWhenTheOldestAreDeleted() {
        createFive();
        startAnew();

        decideByTheNewest();

        assertThat(names()).containsExactly("s3", "s4");
    }

    @Test
    void oneThatIsGoneWithoutAReconciliationCountsNoMore() {
        createFive();
        startAnew();
        for (String gone : List.of("s1", "s2", "s3")) {
            process.gone(read(gone));
            client.resource(read(gone)).delete();
        }

        decideByTheNewest();

        assertThat(names()).containsExactly("s0", "s4");
    }

    @Test
    void oneThatAUserTakesOverCountsNoMore() {
        createFive();
        startAnew();
        FlinkStateSnapshot taken = read("s1");
        taken.getMetadata().getLabels().put(FlinkStateSnapshot.TRIGGER_TYPE_LABEL, "MANUAL");
        client.resource(taken).update();
        reconcile("s1");

        decideByTheNewest();

        assertThat(names()).containsExactly("s1", "s3", "s4");
    }

    @Test
    void noneIsDeletedByTheLimitsOfACacheThatIsLate() {
        createFive();
        cached.put("orders", job());
        keep("3");
        startAnew();

        decideByTheNewest();

        assertThat(names()).containsExactly("s2", "s3", "s4");
    }

    @Test
    void noRequestIsMadeWhereACacheHasLimitsByWhichNoneIsDeleted() {
        createFive();
        keep("7");
        cached.put("orders", job());
        keep("1");
        startAnew();

        decideByTheNewest();

        assertThat(names()).as("the cache is late").hasSize(5);
    }

    private void keep(String most) {
        FlinkDeployment job = job();
        job.getSpec()
                .withObject("/flinkConfiguration")
                .put("kubernetes.operator.savepoint.history.max.count", most);
        client.resource(job).update();
    }

    private FlinkDeployment job() {
        return client.resources(FlinkDeployment.class)
                .inNamespace(namespace)
                .withName("orders")
                .get();
    }

    private void createFive() {
        for (String name : List.of("s0", "s1", "s2", "s3", "s4")) {
            create(name, "PERIODIC");
            reconcile(name);
            now = now.plusSeconds(60);
        }
    }

    private void startAnew() {
        process = started();
        Stream.of("s2", "s0", "s1", "s3", "s4").forEach(name -> process.saw(read(name)));
    }

    private void decideByTheNewest() {
        reconcile("s4");
        assertThat(names()).as("not all may be known yet").contains("s4", "s0");
        now = now.plus(SnapshotRetention.SETTLED).plus(Duration.ofSeconds(1));
        reconcile("s4");
    }

    /** Twice, as labels follow the status. */
    private void reconcile(String name) {
        for (int i = 0; i < 2; i++) {
            process.reconcile(
                    read(name),
                    Presence.PRESENT,
                    (resource, status) -> {
                        resource.setStatus(status);
                        FlinkStateSnapshot stored = client.resource(resource).updateStatus();
                        resource.getMetadata()
                                .setResourceVersion(stored.getMetadata().getResourceVersion());
                        return Saved.KEPT;
                    });
        }
    }

    private void create(String name, String type) {
        var resource = new FlinkStateSnapshot();
        resource.setMetadata(metadata(name));
        resource.getMetadata().setLabels(Map.of(FlinkStateSnapshot.TRIGGER_TYPE_LABEL, type));
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        spec.putObject("jobReference").put("kind", "FlinkDeployment").put("name", "orders");
        spec.putObject("savepoint")
                .put("alreadyExists", true)
                .put("disposeOnDelete", false)
                .put("path", "s3://b/" + name);
        resource.setSpec(spec);
        client.resource(resource).create();
    }

    private FlinkStateSnapshot read(String name) {
        return client.resources(FlinkStateSnapshot.class)
                .inNamespace(namespace)
                .withName(name)
                .get();
    }

    private List<String> names() {
        return client
                .resources(FlinkStateSnapshot.class)
                .inNamespace(namespace)
                .list()
                .getItems()
                .stream()
                .map(it -> it.getMetadata().getName())
                .sorted()
                .toList();
    }

    private ObjectMeta metadata(String name) {
        return new ObjectMetaBuilder().withNamespace(namespace).withName(name).build();
    }

    private StateSnapshots started() {
        return new StateSnapshots(
                client,
                new FakeJobManager(),
                cluster -> URI.create("http://" + cluster.getMetadata().getName()),
                (_, name) -> Optional.ofNullable(cached.get(name)),
                true,
                () -> new DefaultConfiguration(new FlinkConfiguration(Collections.emptyMap())),
                SpecValidators.NONE,
                (_, _) -> {},
                () -> now);
    }
}
