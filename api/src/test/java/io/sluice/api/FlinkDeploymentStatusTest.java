// SPDX-License-Identifier: Apache-2.0
package io.sluice.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FlinkDeploymentStatusTest {
    private static final ObjectMapper JSON = new ObjectMapper();

    @Test
    void survivesItsRoundTripThroughJson() {
        var at = Instant.parse("2026-01-02T03:04:05Z");
        var status =
                new FlinkDeploymentStatus(
                        new JobStatus(
                                Optional.of("n"),
                                Optional.of("ab"),
                                Optional.of(JobState.RUNNING),
                                Optional.of(at),
                                Optional.of(at),
                                Optional.of("s3://x")),
                        Optional.of("{}"),
                        Optional.of(3L),
                        Optional.of(LifecycleState.STABLE),
                        Map.of("flink-version", "1.20.5"),
                        JobManagerDeploymentState.READY,
                        new ReconciliationStatus(
                                Optional.of(at),
                                Optional.of("a"),
                                Optional.of("a"),
                                ReconciliationState.DEPLOYED),
                        new TaskManagerStatus("component=taskmanager", 2),
                        new AttemptStatus(
                                Optional.of("cd"),
                                Optional.of(
                                        new StopStatus(
                                                StopStatus.How.SAVEPOINT,
                                                "ef",
                                                3,
                                                2,
                                                at,
                                                Optional.of("no such folder"))),
                                Optional.of("s3://b/chk-7"),
                                true),
                        List.of(
                                new Condition(
                                        "Ready",
                                        Condition.Status.TRUE,
                                        "JobRunning",
                                        "m",
                                        at,
                                        Optional.of(3L))));

        ObjectNode json = status.onto(JSON.createObjectNode());

        assertThat(FlinkDeploymentStatus.of(json)).isEqualTo(status);
        assertThat(json.at("/jobStatus/startTime").isTextual()).isTrue();
    }

    @Test
    void keepsFieldsItDoesNotKnowAndRemovesThoseThatBecameEmpty() throws Exception {
        var stored =
                (ObjectNode)
                        JSON.readTree(
                                """
                                {"error": "old", "jobStatus": {"savepointInfo": {"lastSavepoint": 1}, "jobId": "x"}, "future": 1}
                                """);

        ObjectNode json = FlinkDeploymentStatus.NEW.onto(stored);

        assertThat(json.at("/jobStatus/savepointInfo/lastSavepoint").asInt()).isEqualTo(1);
        assertThat(json.path("future").asInt()).isEqualTo(1);
        assertThat(json.has("error")).isFalse();
        assertThat(json.at("/jobStatus").has("jobId")).isFalse();
    }

    @Test
    void readsBothLayoutsOfTheLastReconciledSpec() {
        var spec = JSON.createObjectNode().put("image", "i");
        var written = new ReconciledSpec(spec, true);

        assertThat(ReconciledSpec.decode(written.encode())).contains(written);
        assertThat(
                        ReconciledSpec.decode(
                                "{\"image\":\"i\",\"apiVersion\":\"flink.apache.org/v1beta1\"}"))
                .contains(new ReconciledSpec(spec, false));
        assertThat(ReconciledSpec.decode("no json")).isEmpty();
    }
}
