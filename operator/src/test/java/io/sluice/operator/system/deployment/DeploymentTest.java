// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system.deployment;

import static io.sluice.operator.system.deployment.OperatedDeployment.stateful;
import static io.sluice.testkit.Soon.soon;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.Watch;
import io.fabric8.kubernetes.client.Watcher;
import io.fabric8.kubernetes.client.WatcherException;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.deployment.FlinkDeploymentReconciler;
import io.sluice.testkit.TestCluster;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A FlinkDeployment that comes up, and stays as it is. */
class DeploymentTest {
    private OperatedDeployment orders;

    TestCluster cluster() {
        return InMemoryApiServer.live();
    }

    @BeforeEach
    void start() {
        TestCluster cluster = cluster();
        orders = new OperatedDeployment(cluster.client(), cluster.newNamespace(), "orders");
    }

    @AfterEach
    void stop() {
        orders.close();
    }

    @Test
    void bringsAJobUpAndReportsItReady() {
        orders.create(Specs.application("flink:1.20", "stateless"));

        soon(() -> assertThat(orders.condition("Reconciling")).startsWith("True"));
        orders.runJob();

        var status = orders.status();
        assertThat(status.path("lifecycleState").asText()).isEqualTo("STABLE");
        assertThat(status.path("observedGeneration").asLong()).isEqualTo(1);
        assertThat(status.at("/jobStatus/state").asText()).isEqualTo("RUNNING");
        assertThat(orders.resource().getFinalizers())
                .containsExactly(FlinkDeploymentReconciler.FINALIZER);
    }

    @Test
    void appliesWhatTheDeploymentNeedsAsItsOwnerAndFieldManager() {
        orders.create(Specs.application("flink:1.20", "stateless"));

        soon(
                () -> {
                    assertThat(orders.cluster()).isPresent();
                    var uid = orders.resource().getMetadata().getUid();
                    var config =
                            orders.client
                                    .configMaps()
                                    .inNamespace(orders.namespace)
                                    .withName("flink-config-orders")
                                    .get()
                                    .getMetadata();
                    assertThat(config.getOwnerReferences())
                            .singleElement()
                            .satisfies(owner -> assertThat(owner.getUid()).isEqualTo(uid));
                    assertThat(config.getManagedFields())
                            .allMatch(field -> field.getManager().equals("sluice-operator"));
                    assertThat(
                                    orders.client
                                            .services()
                                            .inNamespace(orders.namespace)
                                            .withName("orders-rest")
                                            .get())
                            .isNotNull();
                });
    }

    @Test
    void writesItsStatusOncePerTransitionAndNotAtAllInSteadyState() {
        List<String> written = new CopyOnWriteArrayList<>();
        try (var _ = watch(found -> written.add(found.getStatus().toString()))) {
            orders.create(Specs.application("flink:1.20", "stateless"));
            orders.runJob();
            String version = orders.resource().getMetadata().getResourceVersion();

            await().during(ofSeconds(3))
                    .atMost(ofSeconds(20))
                    .untilAsserted(
                            () ->
                                    assertThat(orders.resource().getMetadata().getResourceVersion())
                                            .isEqualTo(version));
            List<String> statuses = written.stream().filter(text -> !text.equals("{}")).toList();
            assertThat(statuses).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(7);
        }
    }

    /** Nobody may take its job for one that is not there. */
    @ParameterizedTest
    @ValueSource(ints = {403, 500})
    void takesAListOfJobsThatIsRefusedForNoAnswer(int httpStatus) {
        orders.create(stateful("savepoint"));
        orders.runJob();

        orders.flink().refuses(Optional.of(httpStatus));

        soon(
                () -> {
                    assertThat(orders.condition("Ready")).isEqualTo("False JobUnreachable");
                    assertThat(orders.message("Ready")).contains("HTTP " + httpStatus);
                });
    }

    private Watch watch(Consumer<FlinkDeployment> seen) {
        return orders.client
                .resources(FlinkDeployment.class)
                .inNamespace(orders.namespace)
                .watch(
                        new Watcher<>() {
                            @Override
                            public void eventReceived(Action action, FlinkDeployment resource) {
                                seen.accept(resource);
                            }

                            @Override
                            public void onClose(WatcherException cause) {}
                        });
    }
}
