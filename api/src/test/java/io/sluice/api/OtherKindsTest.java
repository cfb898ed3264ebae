// SPDX-License-Identifier: Apache-2.0
package io.sluice.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.api.json.FieldProblem;
import io.sluice.api.spec.FlinkBlueGreenDeploymentSpec;
import io.sluice.api.spec.FlinkSessionJobSpec;
import io.sluice.api.spec.FlinkStateSnapshotSpec;
import io.sluice.api.spec.FlinkVersion;
import io.sluice.api.spec.JobReference;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.spec.ResourceKind;
import io.sluice.api.spec.SavepointFormat;
import io.sluice.api.spec.SavepointSpec;
import io.sluice.api.spec.UpgradeMode;
import io.sluice.api.status.FlinkSessionJobStatus;
import io.sluice.api.status.JobState;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.api.status.snapshot.FlinkStateSnapshotStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class OtherKindsTest {
    @Test
    void readsASessionJob() {
        var spec =
                FlinkSessionJobSpec.parse(
                        yaml(
                                """
                                deploymentName: orders
                                job: {jarURI: "https://a/b.jar", upgradeMode: savepoint}
                                restartNonce: 3
                                flinkConfiguration: {a: {b: 1}, a.c: [x, y]}
                                """),
                        "spec");

        assertThat(spec.isClean()).isTrue();
        assertThat(spec.value().deploymentName()).contains("orders");
        assertThat(spec.value().job().map(JobSpec::upgradeMode)).contains(UpgradeMode.SAVEPOINT);
        assertThat(spec.value().flinkConfiguration().entries())
                .isEqualTo(Map.of("a.b", "1", "a.c", "x;y"));
    }

    @Test
    void readsASnapshotWithItsDefaults() {
        var spec =
                FlinkStateSnapshotSpec.parse(
                                yaml(
                                        "{jobReference: {kind: FlinkSessionJob, name: a}, savepoint: {}}"),
                                "spec")
                        .value();

        assertThat(spec.jobReference().flatMap(JobReference::kind))
                .contains(ResourceKind.FLINK_SESSION_JOB);
        assertThat(spec.savepoint())
                .contains(
                        new SavepointSpec(
                                Optional.empty(), SavepointFormat.CANONICAL, true, false));
        assertThat(spec.checkpoint()).isFalse();
        assertThat(spec.backoffLimit()).isEqualTo(-1);
        assertThat(spec.isRegistration()).isFalse();
    }

    @Test
    void refusesASnapshotOfAnotherKind() {
        var problems =
                FlinkStateSnapshotSpec.parse(
                                yaml("{jobReference: {kind: Pod, name: a}, checkpoint: {}}"),
                                "spec")
                        .problems();

        assertThat(problems)
                .singleElement()
                .extracting(FieldProblem::path)
                .isEqualTo("spec.jobReference.kind");
    }

    @Test
    void readsAPair() {
        var spec =
                FlinkBlueGreenDeploymentSpec.parse(
                        yaml(
                                """
                                        configuration: {kubernetes.operator.bluegreen.abort.grace-period: 1 min}
                                        template:
                                          metadata: {labels: {team: a}}
                                          spec: {flinkVersion: v2_0, image: 7}
                                        """),
                        "spec");

        assertThat(spec.problems())
                .singleElement()
                .extracting(FieldProblem::path)
                .isEqualTo("spec.template.spec.image");
        assertThat(spec.value().template().labels()).isEqualTo(Map.of("team", "a"));
        assertThat(spec.value().template().spec().flinkVersion()).contains(FlinkVersion.V2_0);
    }

    @Test
    void keepsWhatItDoesNotKnowOfAStatus() {
        ObjectNode stored =
                yaml(
                        """
                        {state: IN_PROGRESS, triggerId: t, failures: 2, mine: kept, path: old,
                         triggerTimestamp: "2026-11-21T07:00:00Z",
                         blueGreenState: ACTIVE_BLUE, abortTimestamp: "1970-01-01T00:00:00Z",
                         jobStatus: {state: RUNNING, theirs: kept},
                         lifecycleState: STABLE, reconciliationStatus: {state: DEPLOYED},
                         conditions: [{type: Ready, status: "True", reason: Done, message: m,
                                       lastTransitionTime: "2026-11-21T07:00:00Z"}]}
                        """);

        var snapshot = FlinkStateSnapshotStatus.of(stored);
        var job = FlinkSessionJobStatus.of(stored);
        var pair = FlinkBlueGreenDeploymentStatus.of(stored);

        assertThat(snapshot.triggerTimestamp()).contains(Instant.parse("2026-11-21T07:00:00Z"));
        assertThat(pair.abortTimestamp()).isEmpty();
        assertThat(pair.jobState()).contains(JobState.RUNNING);
        assertThat(job.conditions()).hasSize(1);
        assertThat(snapshot.onto(stored).path("mine").asText()).isEqualTo("kept");
        assertThat(job.onto(stored).at("/jobStatus/theirs").asText()).isEqualTo("kept");
        assertThat(pair.onto(stored).path("abortTimestamp").asText())
                .isEqualTo("1970-01-01T00:00:00Z");
        assertThat(FlinkStateSnapshotStatus.of(snapshot.onto(stored))).isEqualTo(snapshot);
        assertThat(FlinkSessionJobStatus.of(job.onto(stored))).isEqualTo(job);
        assertThat(FlinkBlueGreenDeploymentStatus.of(pair.onto(stored))).isEqualTo(pair);
    }

    @Test
    void removesWhatIsNoMore() {
        ObjectNode stored = yaml("{path: old, error: old, observedGeneration: 3}");

        ObjectNode written = FlinkStateSnapshotStatus.NEW.onto(stored);

        assertThat(written.has("path")).isFalse();
        assertThat(written.has("error")).isFalse();
        assertThat(written.has("observedGeneration")).isFalse();
        assertThat(written.path("state").asText()).isEqualTo("TRIGGER_PENDING");
        assertThat(FlinkSessionJobStatus.of(yaml("{}"))).isEqualTo(FlinkSessionJobStatus.NEW);
        assertThat(FlinkBlueGreenDeploymentStatus.of(yaml("{}")))
                .isEqualTo(FlinkBlueGreenDeploymentStatus.NEW);
    }

    private static ObjectNode yaml(String text) {
        try {
            return (ObjectNode) new YAMLMapper().readTree(text);
        } catch (IOException wrong) {
            throw new UncheckedIOException(wrong);
        }
    }
}
