// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob.simulation;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.flink.rest.JarRunTck;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.flink.rest.JobStateTck;
import io.sluice.operator.world.Disturbances;
import io.sluice.testkit.sim.Environment;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;

/**
 * The session cluster of the simulated world does what real Flink does with jars, with jobs and
 * with their state. The world goes on whenever a suite looks at it again.
 */
class SimulatedSessionClusterTest {
    private static final URI AT = URI.create("http://session-rest:8081");
    private static final String NAME = "report";
    private static final int LONGEST_START = 100;

    private final Environment environment = Environment.calm(1);
    private final SessionWorld world =
            new SessionWorld(
                    environment,
                    new Disturbances(environment, Set.of()),
                    SessionFlaws.none(),
                    new SessionMetadata.Kind(true, false, SessionShape.OLDER),
                    SessionShape.PLAIN);
    private final JobManagerRest rest =
            new SessionJobManagers(world, world.operator(), SessionFlaws.none());

    @BeforeEach
    void letTheWorldGoOnWhileASuiteWaits() {
        world.job(NAME).create(spec());
        for (int turn = 0; turn < LONGEST_START && world.cluster().answering().isEmpty(); turn++) {
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

    private static ObjectNode spec() {
        ObjectNode made =
                JsonNodeFactory.instance.objectNode().put("deploymentName", SessionCluster.NAME);
        made.putObject("job")
                .put("jarURI", "https://repo.example.org/ticks.jar")
                .put("parallelism", 1)
                .put("state", "running")
                .put("upgradeMode", "savepoint")
                .putArray("args")
                .add("--rate 100");
        made.putObject("flinkConfiguration").put("execution.checkpointing.interval", "10 s");
        return made;
    }

    private void turn() {
        environment.clock().advance(Duration.ofSeconds(1));
        world.cluster().step();
    }

    /** As the operator records an attempt before it hands its jar over. */
    private void record(String jobId) {
        var resource = world.job(NAME).resource().orElseThrow();
        ObjectNode status = JsonNodeFactory.instance.objectNode().put("observedGeneration", 1);
        status.putObject("jobStatus").put("jobId", jobId);
        resource.setStatus(status);
        world.quietly(() -> world.client().resource(resource).updateStatus());
    }

    @Nested
    class AJob extends JobStateTck {
        @Override
        protected JobManagerRest rest() {
            return rest;
        }

        @Override
        protected URI at() {
            return AT;
        }

        @Override
        protected String startJob() {
            for (int turn = 0; turn < LONGEST_START && running().isEmpty(); turn++) {
                world.operator().pass();
                world.operator().work();
                turn();
            }
            return running().orElseThrow().job().id();
        }

        private Optional<SessionRun> running() {
            return world.job(NAME).lastRun().filter(SessionRun::tasksUp);
        }

        /** It does so by itself. */
        @Override
        protected void completeACheckpoint(String jobId) {}

        @Override
        protected String savepoints() {
            return "s3://s";
        }
    }

    @Nested
    class AJar extends JarRunTck {
        private int jobs;

        @Override
        protected JobManagerRest rest() {
            return rest;
        }

        @Override
        protected URI at() {
            return AT;
        }

        /** Nobody looks into it. */
        @Override
        protected Path jar() {
            return Path.of("ticks.jar");
        }

        @Override
        protected String freshJobId() {
            String id = "%032x".formatted(++jobs);
            record(id);
            return id;
        }
    }
}
