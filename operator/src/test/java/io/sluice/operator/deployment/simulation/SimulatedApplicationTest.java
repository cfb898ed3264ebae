// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.flink.rest.JobStateTck;
import io.sluice.operator.world.Disturbances;
import io.sluice.testkit.sim.Environment;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

/**
 * An application cluster in the simulated world does what real Flink does with a job and its state.
 * The world goes on whenever the suite looks at it again.
 */
class SimulatedApplicationTest extends JobStateTck {
    private static final String SPEC =
            """
            {"serviceAccount": "flink", "flinkVersion": "v1_20", "image": "flink:1.20",
             "job": {"jarURI": "local:///opt/flink/usrlib/a.jar", "parallelism": 1,
                     "state": "running", "upgradeMode": "savepoint", "args": ["v0"]},
             "jobManager": {"resource": {"cpu": 0.1, "memory": "1g"}},
             "taskManager": {"resource": {"cpu": 0.1, "memory": "1g"}},
             "flinkConfiguration": {
               "execution.checkpointing.interval": "10 s",
               "execution.checkpointing.externalized-checkpoint-retention": "RETAIN_ON_CANCELLATION",
               "execution.checkpointing.savepoint-dir": "s3://s",
               "execution.checkpointing.dir": "s3://c",
               "high-availability.type": "kubernetes",
               "high-availability.storageDir": "s3://h"}}
            """;
    private static final int LONGEST_START = 100;

    private final Environment environment = Environment.calm(1);
    private final DeploymentWorld world =
            new DeploymentWorld(
                    environment,
                    new Disturbances(environment, Set.of()),
                    DeploymentFlaws.none(),
                    false);
    private final JobManagerRest rest = new SimulatedJobManagers(world.operator());

    @BeforeEach
    void letTheOperatorStartTheCluster() throws IOException {
        world.create((ObjectNode) new ObjectMapper().readTree(SPEC));
        for (int turn = 0; turn < LONGEST_START && running().isEmpty(); turn++) {
            world.operator().pass();
            turn();
        }
        Awaitility.pollInSameThread();
        Awaitility.setDefaultPollInterval(Duration.ofMillis(1));
        Awaitility.setDefaultConditionEvaluationListener(_ -> turn());
    }

    @AfterEach
    void stopTheClock() {
        Awaitility.reset();
    }

    private void turn() {
        environment.clock().advance(Duration.ofSeconds(1));
        world.node().step();
    }

    private Optional<FlinkProcess> running() {
        return world.node().answering(false).filter(FlinkProcess::tasksUp);
    }

    @Override
    protected JobManagerRest rest() {
        return rest;
    }

    @Override
    protected URI at() {
        return URI.create("http://app-rest:8081");
    }

    @Override
    protected String startJob() {
        return running().orElseThrow().jobId();
    }

    /** It does so by itself. */
    @Override
    protected void completeACheckpoint(String jobId) {}

    @Override
    protected String savepoints() {
        return "s3://s";
    }
}
