// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.advice;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.api.spec.ResourceKind;
import io.sluice.rules.Reviewer;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.review.Findings;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.ReviewRequest;
import io.sluice.rules.review.Warning;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SnapshotAdviceTest {
    private static final String FOLDER = "execution.checkpointing.savepoint-dir: s3://state/s";

    @Test
    void saysWhereASavepointGoesAndThatItGoesWithTheResource() {
        assertThat(texts("savepoint: {}", running(FOLDER)))
                .containsExactly(
                        "spec.savepoint: goes to 's3://state/s'; its files are deleted with this"
                                + " resource; set disposeOnDelete: false to keep them"
                                + " [snapshot-effect]");
        assertThat(texts("savepoint: {path: s3://other, disposeOnDelete: false}", running("")))
                .containsExactly(
                        "spec.savepoint: goes to 's3://other'; its files stay when this resource is"
                                + " deleted [snapshot-effect]");
    }

    @Test
    void saysThatNobodyNamesAFolder() {
        assertThat(texts("savepoint: {}", running("")))
                .containsExactly(
                        "spec.savepoint.path: is missing, and FlinkDeployment 'orders' has no"
                                + " execution.checkpointing.savepoint-dir; the snapshot waits until"
                                + " one of them is set [snapshot-without-folder]");
        assertThat(texts("checkpoint: {}", running(""))).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "'state: suspended', RUNNING, 'is suspended; resume it, or the snapshot is abandoned'",
        "'state: running', RECONCILING, 'is RECONCILING now; it is waited for as long as'",
    })
    void saysThatAJobDoesNotRun(String state, String status, String text) {
        assertThat(texts("checkpoint: {}", job(FOLDER, state, status)))
                .singleElement()
                .asString()
                .startsWith("spec.jobReference.name: 'orders' " + text)
                .endsWith("[snapshot-waits-for-job]");
    }

    @Test
    void saysNothingOfAStateThatIsNotAtHand() {
        assertThat(texts("checkpoint: {}", job(FOLDER, "state: running", ""))).isEmpty();
    }

    @Test
    void saysNothingOfWhatIsUnderWayOrOnlyRegistered() {
        String done = "savepoint: {}\nstatus: {state: COMPLETED}";
        String registered = "savepoint: {alreadyExists: true, path: s3://there}";

        assertThat(texts(done, running(""))).isEmpty();
        assertThat(texts(registered, job("", "state: suspended", ""))).isEmpty();
    }

    @Test
    void takesTheFolderOfASessionJobFromItsCluster() {
        ObjectNode job =
                yaml(
                        """
                        kind: FlinkSessionJob
                        metadata: {name: orders, namespace: default}
                        spec: {deploymentName: session, job: {parallelism: 1}}
                        status: {jobStatus: {state: RUNNING}}
                        """);
        Lookup lookup =
                (kind, _, _) ->
                        new Lookup.Found(
                                kind == ResourceKind.FLINK_SESSION_JOB ? job : running(FOLDER));

        assertThat(texts("FlinkSessionJob", "savepoint: {}", lookup))
                .singleElement()
                .asString()
                .contains("goes to 's3://state/s'");
        assertThat(
                        texts(
                                "FlinkSessionJob",
                                "savepoint: {}",
                                (kind, _, _) ->
                                        kind == ResourceKind.FLINK_SESSION_JOB
                                                ? new Lookup.Found(job)
                                                : new Lookup.Unknown()))
                .isEmpty();
    }

    private static List<String> texts(String snapshot, ObjectNode job) {
        return texts("FlinkDeployment", snapshot, (_, _, _) -> new Lookup.Found(job));
    }

    private static List<String> texts(String kind, String snapshot, Lookup lookup) {
        ObjectNode resource =
                yaml(
                        """
                        kind: FlinkStateSnapshot
                        metadata: {name: before-friday, namespace: default}
                        spec:
                          jobReference: {kind: %s, name: orders}
                          %s
                        """
                                .formatted(kind, snapshot));
        Findings findings =
                new Reviewer(DefaultConfiguration.NONE)
                        .review(
                                ReviewRequest.of(ResourceKind.FLINK_STATE_SNAPSHOT, resource),
                                lookup);
        assertThat(findings.problems()).isEmpty();
        return findings.warnings().stream().map(Warning::text).toList();
    }

    private static ObjectNode running(String configuration) {
        return job(configuration, "state: running", "RUNNING");
    }

    private static ObjectNode job(String configuration, String state, String status) {
        return yaml(
                """
                kind: FlinkDeployment
                metadata: {name: orders, namespace: default}
                spec:
                  flinkVersion: v1_20
                  flinkConfiguration: {%s}
                  job: {%s}
                status: {jobStatus: {state: "%s"}}
                """
                        .formatted(configuration, state, status));
    }

    private static ObjectNode yaml(String text) {
        try {
            return (ObjectNode) new YAMLMapper().readTree(text);
        } catch (IOException wrong) {
            throw new UncheckedIOException(wrong);
        }
    }
}
