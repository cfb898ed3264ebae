// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.bluegreen.decide.HalfView;
import io.sluice.operator.bluegreen.decide.HalfView.Condition;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A FlinkDeployment as a half of a pair. */
class HalfReaderTest {
    private static final HalfReader READER = new HalfReader(_ -> URI.create("http://jm"));

    @Test
    void knowsItsOwnByTheUidOfThePair() {
        assertThat(READER.read(Optional.empty(), "pair")).isEqualTo(new HalfView.Absent());
        assertThat(READER.read(Optional.of(half("{}", "{}")), "another"))
                .isEqualTo(new HalfView.Foreign("half"));
        FlinkDeployment leaving = half("{}", "{}");
        leaving.getMetadata().setDeletionTimestamp("2026-03-01T12:00:00Z");
        assertThat(READER.read(Optional.of(leaving), "pair"))
                .isEqualTo(new HalfView.Leaving("half"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    running   | STABLE      | RUNNING  | JobRunning       | STEADY
                    running   | DEPLOYED    | RUNNING  | JobRunning       | WORKING
                    running   | STABLE      | RESTARTING | JobRestarting  | WORKING
                    running   | UPGRADING   | RUNNING  | UpgradeStarted   | WORKING
                    running   | ROLLED_BACK | RUNNING  | RolledBack       | BROKEN
                    running   | FAILED      | FAILED   | JobFailed        | BROKEN
                    running   | DEPLOYED    | CREATED  | PodProblem       | WORKING
                    running   | DEPLOYED    | CREATED  | ManifestsRefused | BROKEN
                    running   | STABLE      | FINISHED | JobFinished      | FINISHED
                    suspended | SUSPENDED   | FINISHED | Suspended        | SUSPENDED
                    suspended | SUSPENDED   | FINISHED | Suspending       | WORKING
                    suspended | STABLE      | RUNNING  | SavepointInProgress | WORKING
                    """)
    void readsWhatItDoes(
            String desired, String lifecycle, String job, String reason, Condition condition) {
        String status =
                """
                observedGeneration: 3
                lifecycleState: %s
                jobStatus: {state: %s}
                conditions:
                - {type: Stalled, status: 'True', reason: %s, message: m}
                """
                        .formatted(lifecycle, job, reason);

        assertThat(READER.read(Optional.of(half(spec(desired), status)), "pair").half())
                .hasValueSatisfying(half -> assertThat(half.condition()).isEqualTo(condition));
    }

    /** B11. */
    @Test
    void takesNothingForSteadyThatWasSaidOfAFormerGeneration() {
        FlinkDeployment found =
                half(
                        spec("running"),
                        "{observedGeneration: 2, lifecycleState: STABLE, jobStatus: {state:"
                                + " RUNNING}}");

        assertThat(READER.read(Optional.of(found), "pair").is(Condition.WORKING)).isTrue();
    }

    @Test
    void readsTheMarkAndWhereTheStateIs() {
        FlinkDeployment found =
                half(
                        spec("suspended"),
                        "{jobManagerDeploymentStatus: READY, jobStatus: {jobId: abc, startTime:"
                                + " '1', upgradeSavepointPath: 's3://b/1'}}");

        HalfView.Half half = READER.read(Optional.of(found), "pair").half().orElseThrow();

        assertThat(half.mark()).contains("t-1");
        assertThat(half.lastState()).contains("s3://b/1");
        assertThat(half.jobId()).contains("abc");
        assertThat(half.jobManager()).contains(URI.create("http://jm"));
        assertThat(half.hasRun()).isTrue();
        assertThat(half.wantsToRun()).isFalse();
    }

    /** Only the next job of the same cluster goes on from them. */
    @Test
    void takesMetadataOfHighAvailabilityForNoSavepoint() {
        FlinkDeployment found =
                half(
                        spec("suspended"),
                        "{jobStatus: {upgradeSavepointPath: KUBERNETES_OPERATOR_LAST_STATE}}");

        assertThat(READER.read(Optional.of(found), "pair").half().orElseThrow().lastState())
                .isEmpty();
    }

    private static String spec(String desired) {
        return "{job: {state: " + desired + ", upgradeMode: savepoint}}";
    }

    private static FlinkDeployment half(String spec, String status) {
        var found = new FlinkDeployment();
        found.getMetadata().setName("orders-blue");
        found.getMetadata().setUid("half");
        found.getMetadata().setGeneration(3L);
        found.getMetadata().setAnnotations(Map.of(HalfReader.MARK, "t-1"));
        found.getMetadata()
                .setOwnerReferences(
                        List.of(new OwnerReferenceBuilder().withName("o").withUid("pair").build()));
        found.setSpec(yaml(spec));
        found.setStatus(yaml(status));
        return found;
    }

    private static ObjectNode yaml(String text) {
        try {
            return (ObjectNode) new YAMLMapper().readTree(text);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
