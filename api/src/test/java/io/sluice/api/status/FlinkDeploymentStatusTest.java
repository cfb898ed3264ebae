// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.FlinkVersion;
import io.sluice.api.spec.UpgradeMode;
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
                                Optional.of("s3://x"),
                                log(at)),
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
                                Optional.of(
                                        new AttemptStatus.SeenCheckpoint(
                                                "s3://b/chk-7", Optional.of(at))),
                                true,
                                Optional.of("a_job.jar"),
                                true,
                                true,
                                Optional.of(
                                        new AttemptStatus.StartedWith(
                                                Optional.of(FlinkVersion.V1_20),
                                                Map.of("high-availability.type", "kubernetes"))),
                                Optional.of(
                                        new AttemptStatus.ReplacedJob(
                                                "ab",
                                                Optional.of(
                                                        new AttemptStatus.StartedWith(
                                                                Optional.empty(), Map.of())),
                                                Optional.of(
                                                        new AttemptStatus.SeenCheckpoint(
                                                                "s3://b/chk-3", Optional.empty())),
                                                Optional.of(2L))),
                                Optional.of(new Interruption(at, UpgradeMode.LAST_STATE))),
                        Optional.of(
                                new LastUpgrade(
                                        LastUpgrade.Outcome.ROLLED_BACK,
                                        UpgradeMode.SAVEPOINT,
                                        at,
                                        at.plusMillis(331_180))),
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
        assertThat(json.at("/lastUpgrade/downtime").asText()).isEqualTo("5 min 31.2 s");
    }

    @Test
    void keepsFieldsItDoesNotKnowAndRemovesThoseThatBecameEmpty() throws Exception {
        var stored =
                (ObjectNode)
                        JSON.readTree(
                                """
                                {"error": "old", "jobStatus": {"savepointInfo": {"theirs": 1, "triggerId": "t"}, "jobId": "x"}, "future": 1}
                                """);

        ObjectNode json = FlinkDeploymentStatus.NEW.onto(stored);

        assertThat(json.at("/jobStatus/savepointInfo").toString()).isEqualTo("{\"theirs\":1}");
        assertThat(json.path("future").asInt()).isEqualTo(1);
        assertThat(json.has("error")).isFalse();
        assertThat(json.at("/jobStatus").has("jobId")).isFalse();
    }

    @Test
    void readsTheSavepointsThatAnotherOperatorKept() throws Exception {
        var stored =
                (ObjectNode)
                        JSON.readTree(
                                """
                                {"jobStatus": {
                                  "savepointInfo": {
                                    "triggerId": "ab", "triggerTimestamp": 5, "triggerType": "MANUAL",
                                    "formatType": "CANONICAL", "lastPeriodicSavepointTimestamp": 0,
                                    "lastSavepoint": {"timeStamp": 7, "location": "s3://b/2",
                                      "triggerType": "MANUAL", "formatType": "CANONICAL", "triggerNonce": 3},
                                    "savepointHistory": [
                                      {"timeStamp": 6, "location": "s3://b/1", "triggerType": "UPGRADE", "formatType": "NATIVE"},
                                      {"timeStamp": 7, "location": "s3://b/2", "triggerType": "MANUAL", "formatType": "CANONICAL"}]},
                                  "checkpointInfo": {
                                    "lastCheckpoint": {"timeStamp": 9, "triggerType": "PERIODIC", "formatType": "FULL"},
                                    "lastPeriodicCheckpointTimestamp": 9}}}
                                """);

        JobLog log = FlinkDeploymentStatus.of(stored).jobStatus().log();

        assertThat(log.savepoints().isUnderWay()).isTrue();
        assertThat(log.savepoints().lastPeriodic()).isEmpty();
        assertThat(log.savepoints().last().flatMap(SavedState::nonce)).contains(3L);
        assertThat(log.savepoints().history())
                .extracting(SavedState::location)
                .containsExactly(Optional.of("s3://b/1"), Optional.of("s3://b/2"));
        assertThat(log.checkpoints().lastPeriodic()).contains(Instant.ofEpochMilli(9));
    }

    private static JobLog log(Instant at) {
        var trigger =
                new StateTrigger(
                        Optional.of("t"), at, TriggerType.MANUAL, "NATIVE", Optional.of(4L), 2, at);
        var saved =
                new SavedState(
                        at,
                        Optional.of("s3://s"),
                        TriggerType.PERIODIC,
                        "CANONICAL",
                        Optional.empty(),
                        Optional.of(new DisposalStatus(at, 1, Optional.of("no"))));
        var checkpoint =
                new SavedState(
                        at,
                        Optional.empty(),
                        TriggerType.MANUAL,
                        "FULL",
                        Optional.of(1L),
                        Optional.empty());
        return new JobLog(
                new StateLog(
                        Optional.of(trigger),
                        Optional.of(saved),
                        List.of(saved),
                        Optional.of(at),
                        Optional.of("f")),
                StateLog.EMPTY.made(checkpoint),
                Optional.of(at),
                Optional.of("boom"));
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
