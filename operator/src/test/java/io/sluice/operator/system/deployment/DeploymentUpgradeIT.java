// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.system.deployment;

import static io.sluice.operator.system.deployment.OperatedDeployment.stateful;
import static io.sluice.testkit.Soon.soon;
import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.flink.rest.fake.FakeJob;
import io.sluice.operator.decide.Specs;
import io.sluice.testkit.ApiServer;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A FlinkDeployment whose former cluster makes way for the next one, with or without its state. */
class DeploymentUpgradeIT {
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
    void startsTheNewClusterOnlyWhenTheOldOneIsGone() {
        orders.create(Specs.application("flink:1.20", "stateless"));
        orders.runJob();
        String first = orders.attempt();

        orders.edit(spec -> spec.put("image", "flink:1.20-new"));

        soon(() -> assertThat(orders.isLeaving()).isTrue());
        assertThat(orders.status().path("lifecycleState").asText()).isEqualTo("UPGRADING");
        assertThat(orders.jobStates()).containsExactly("CANCELED");
        orders.finishDeletion();
        soon(
                () ->
                        assertThat(orders.cluster())
                                .isPresent()
                                .hasValueSatisfying(
                                        _ -> assertThat(orders.attempt()).isNotEqualTo(first)));
        orders.runJob();
        assertThat(
                        orders.cluster()
                                .orElseThrow()
                                .getSpec()
                                .getTemplate()
                                .getSpec()
                                .getContainers()
                                .getFirst()
                                .getImage())
                .isEqualTo("flink:1.20-new");
    }

    @Test
    void leavesAJobRunningWhileAPodOfItIsOnANodeThatDoesNotAnswer() {
        orders.create(Specs.application("flink:1.20", "stateless"));
        orders.runJob();
        Pod lost = orders.kubelet.loseTaskManager("orders");
        orders.restartOperator();

        orders.edit(spec -> spec.put("image", "flink:1.20-new"));

        soon(() -> assertThat(orders.condition("Reconciling")).isEqualTo("True WaitingForLostPod"));
        assertThat(orders.message("Reconciling"))
                .contains("Pod 'orders-taskmanager-1-1' is on node 'n1', which does not answer");
        assertThat(orders.jobStates()).containsExactly("RUNNING");
        assertThat(orders.isLeaving()).isFalse();

        orders.client.resource(lost).withGracePeriod(0).delete();
        soon(() -> assertThat(orders.isLeaving()).isTrue());
    }

    @Test
    void stopsAStatefulJobWithASavepointAndStartsTheNextFromIt() {
        orders.create(stateful("savepoint"));
        orders.runJob();
        String first = orders.attempt();

        orders.edit(changed -> changed.put("image", "flink:1.20-new"));

        orders.replacedBy(first);
        String path = orders.status().at("/jobStatus/upgradeSavepointPath").asText();
        assertThat(path).startsWith("file:///data/s/savepoint-");
        assertThat(orders.configuration()).contains("path: " + path);
    }

    @Test
    void cancelsAJobAndStartsTheNextFromItsLastCheckpoint() {
        var spec = stateful("last-state");
        spec.withObject("/flinkConfiguration").remove("high-availability.type");
        orders.create(spec);
        orders.runJob(job -> job.completesCheckpoint("file:/data/c/chk-5"));
        String first = orders.attempt();

        orders.edit(changed -> changed.put("image", "flink:1.20-new"));

        orders.replacedBy(first);
        assertThat(orders.configuration()).contains("path: file:/data/c/chk-5");
    }

    @Test
    void stopsAJobWithASavepointWhoseCheckpointsWouldGoWithItsCancellation() {
        var spec = stateful("last-state");
        spec.withObject("/flinkConfiguration").remove("high-availability.type");
        orders.create(spec);
        orders.runJob(
                job -> {
                    job.hasCheckpoints(CheckpointRetention.DELETED);
                    job.completesCheckpoint("file:/data/c/chk-5");
                });
        String first = orders.attempt();

        orders.edit(changed -> changed.put("image", "flink:1.20-new"));

        orders.replacedBy(first);
        assertThat(orders.configuration()).contains("path: file:///data/s/savepoint-");
    }

    @Test
    void leavesTheMetadataOfTheLastStateAndStartsTheSameJobAgainWithoutItsOldGraph() {
        orders.create(stateful("last-state"));
        orders.runJob();
        String first = orders.attempt();
        orders.leaveMap(
                "orders-" + first + "-config-map",
                Map.of("checkpointID-0000000000000000007", "a", "counter", "8"));
        orders.leaveMap(
                "orders-cluster-config-map", Map.of("jobGraph-" + first, "a", "leader", "b"));

        orders.edit(changed -> changed.put("image", "flink:1.20-new"));

        orders.replacedBy(first);
        assertThat(orders.status().at("/jobStatus/jobId").asText()).isEqualTo(first);
        assertThat(orders.map("orders-" + first + "-config-map").orElseThrow())
                .containsKey("checkpointID-0000000000000000007");
        assertThat(orders.map("orders-cluster-config-map").orElseThrow())
                .containsOnlyKeys("leader");
        assertThat(orders.configuration()).contains("KUBERNETES_OPERATOR_LAST_STATE");
    }

    /** Its elector took the leadership again while the process ended. */
    @Test
    void leavesNoLeadershipOfAJobManagerThatIsGone() {
        orders.create(stateful("last-state"));
        orders.runJob();
        String first = orders.attempt();
        orders.leaveMap("orders-" + first + "-config-map", Map.of("checkpointID-7", "a"));
        orders.leaveMap("orders-cluster-config-map", Map.of("leader", "b"));
        orders.leads(
                "orders-cluster-config-map",
                "{\"holderIdentity\":\"3f9499fb\",\"leaseDuration\":15.000000000,"
                        + "\"renewTime\":\"2026-11-28T01:12:25.454361Z\",\"leaderTransitions\":2}");

        orders.edit(changed -> changed.put("image", "flink:1.20-new"));

        orders.replacedBy(first);
        assertThat(orders.leader("orders-cluster-config-map"))
                .isEqualTo(
                        "{\"holderIdentity\":\"\",\"leaseDuration\":1,"
                                + "\"renewTime\":\"2026-11-28T01:12:25.454361Z\",\"leaderTransitions\":2}");
        assertThat(orders.map("orders-cluster-config-map").orElseThrow())
                .containsOnlyKeys("leader");
    }

    @Test
    void bringsAJobBackFromItsMetadataWhenItsDeploymentIsGone() {
        orders.create(stateful("last-state"));
        orders.runJob();
        String first = orders.attempt();
        orders.leaveMap(
                "orders-" + first + "-config-map", Map.of("checkpointID-0000000000000000007", "a"));

        orders.client.resource(orders.cluster().orElseThrow()).delete();

        soon(
                () -> {
                    assertThat(orders.cluster()).isPresent();
                    assertThat(orders.attempt()).isNotEqualTo(first);
                });
        assertThat(orders.status().at("/jobStatus/jobId").asText()).isEqualTo(first);
        assertThat(orders.configuration()).contains("KUBERNETES_OPERATOR_LAST_STATE");
    }

    @Test
    void goesOnFromTheMetadataWhereAJobManagerHangsWhileItsJobIsBeingStopped() {
        orders.create(stateful("savepoint"));
        orders.runJob(FakeJob::holdsStops);
        String first = orders.attempt();
        orders.leaveMap(
                "orders-" + first + "-config-map",
                Map.of("checkpointID-0000000000000000007", "a", "counter", "8"));

        orders.edit(changed -> changed.put("image", "flink:1.20-new"));
        soon(
                () ->
                        assertThat(orders.condition("Reconciling"))
                                .isEqualTo("True SavepointInProgress"));
        orders.loseJobManager();
        soon(() -> assertThat(orders.condition("Reconciling")).isEqualTo("True JobUnreachable"));
        assertThat(orders.status().at("/jobStatus/state").asText()).isEqualTo("RECONCILING");
        assertThat(orders.isLeaving()).isFalse();
        orders.restartOperator(Duration.ofMinutes(11));

        soon(() -> assertThat(orders.isLeaving()).isTrue());
        orders.finishDeletion();
        soon(
                () ->
                        assertThat(orders.cluster())
                                .hasValueSatisfying(
                                        _ -> assertThat(orders.attempt()).isNotEqualTo(first)));
        assertThat(orders.status().at("/jobStatus/jobId").asText()).isEqualTo(first);
        assertThat(orders.configuration()).contains("KUBERNETES_OPERATOR_LAST_STATE");
    }
}
