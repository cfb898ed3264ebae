// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system.deployment;

import static io.sluice.testkit.Soon.soon;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.flink.rest.fake.FakeJob;
import io.sluice.operator.decide.Specs;
import io.sluice.testkit.ApiServer;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** {@code KeptStateTest} with all that reads and acts, on a real API server. */
class KeptStateIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    private OperatedDeployment orders;

    @BeforeEach
    void start() {
        orders = new OperatedDeployment(API.client(), API.newNamespace(), "orders");
    }

    @AfterEach
    void stop() {
        orders.close();
    }

    @Test
    void sparesTheMetadataOfAJobUntilTheOneThatReplacesItRunsAndGoesBackToThem() {
        ObjectNode former = Specs.redeployed(highlyAvailable(), "file:/months-ago", 1);
        orders.create(former);
        orders.runJob();
        String job = orders.jobId();
        String metadata = "orders-" + job + "-config-map";
        orders.leaveMap(metadata, Map.of("checkpointID-0000000000000000007", "a"));
        String first = orders.attempt();

        orders.edit(_ -> Specs.redeployed(Specs.withImage(former, "new"), "file:/s/b", 2));
        orders.replacedBy(first);

        assertThat(orders.configuration()).contains("file:/s/b");
        assertThat(orders.map(metadata).orElseThrow())
                .containsKey("checkpointID-0000000000000000007");

        String second = orders.attempt();
        orders.edit(_ -> former.deepCopy());
        orders.replacedBy(second);

        assertThat(orders.jobId()).isEqualTo(job);
        assertThat(orders.configuration())
                .contains("KUBERNETES_OPERATOR_LAST_STATE")
                .doesNotContain("months-ago");
    }

    @Test
    void tellsThatAJobManagerBeganTheJobAnewAndLeavesItAlone() {
        orders.create(saving());
        FakeJob job = orders.runJob();
        String attempt = orders.attempt();

        job.startedAt(Instant.now().plusSeconds(60));
        soon(() -> assertThat(orders.condition("Stalled")).isEqualTo("True StateLost"));
        orders.edit(spec -> spec.put("image", "new"));

        soon(() -> assertThat(orders.status().path("observedGeneration").asLong()).isEqualTo(2));
        assertThat(orders.condition("Stalled")).isEqualTo("True StateLost");
        assertThat(orders.attempt()).isEqualTo(attempt);
        assertThat(orders.isLeaving()).isFalse();
    }

    @Test
    void leavesAClusterOfItsOwnAloneWhoseStatusWasRemoved() {
        orders.create(saving());
        orders.runJob();
        String attempt = orders.attempt();

        orders.editStatus(ObjectNode::removeAll);

        soon(() -> assertThat(orders.condition("Stalled")).isEqualTo("True StatusLost"));
        orders.edit(spec -> spec.put("image", "new"));
        staysAsItIs(attempt);
    }

    @Test
    void leavesAClusterAloneWhoseLastReconciledSpecCannotBeRead() {
        orders.create(saving());
        orders.runJob();
        String attempt = orders.attempt();

        orders.editStatus(
                status -> {
                    status.withObject("/reconciliationStatus")
                            .put("lastReconciledSpec", "{\"spec\":{\"job\"");
                    return status;
                });

        soon(() -> assertThat(orders.condition("Stalled")).isEqualTo("True StatusLost"));
        staysAsItIs(attempt);
    }

    @Test
    void startsNothingFromThePathOfASpecBesideAStatusThatWasCutUntilThatIsRemoved() {
        orders.create(Specs.redeployed(saving(), "file:/months-ago", 1));
        orders.runJob();
        orders.editStatus(
                status -> {
                    status.remove("reconciliationStatus");
                    return status;
                });
        soon(() -> assertThat(orders.condition("Stalled")).isEqualTo("True StatusLost"));

        orders.loseCluster();

        await().during(ofSeconds(2))
                .atMost(ofSeconds(20))
                .untilAsserted(() -> assertThat(orders.cluster()).isEmpty());
        orders.edit(spec -> Specs.redeployed(spec, "file:/s/now", 2));
        orders.removeStatus();
        soon(() -> assertThat(orders.cluster()).isPresent());
        assertThat(orders.configuration()).contains("file:/s/now");
    }

    private void staysAsItIs(String attempt) {
        await().during(ofSeconds(2))
                .atMost(ofSeconds(20))
                .untilAsserted(
                        () -> {
                            assertThat(orders.attempt()).isEqualTo(attempt);
                            assertThat(orders.isLeaving()).isFalse();
                        });
    }

    private static ObjectNode highlyAvailable() {
        return withCheckpoints(
                Specs.highlyAvailable(Specs.application("flink:1.20", "last-state")));
    }

    private static ObjectNode saving() {
        return Specs.saving(withCheckpoints(Specs.application("flink:1.20", "savepoint")));
    }

    private static ObjectNode withCheckpoints(ObjectNode spec) {
        return Specs.configured(spec, "execution.checkpointing.dir", "file:///data/c");
    }
}
