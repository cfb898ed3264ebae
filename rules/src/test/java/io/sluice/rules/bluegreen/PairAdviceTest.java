// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.api.spec.ResourceKind;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.rules.Reviewer;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.ReviewRequest;
import io.sluice.rules.review.Rule;
import io.sluice.rules.review.Warning;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PairAdviceTest {
    private static final String PAIR =
            """
            kind: FlinkBlueGreenDeployment
            metadata: {name: orders}
            spec:
              template:
                spec:
                  image: flink:1.20
                  flinkVersion: v1_20
                  serviceAccount: flink
                  flinkConfiguration:
                    execution.checkpointing.dir: s3://b/c
                    execution.checkpointing.savepoint-dir: s3://b/s
                  jobManager: {resource: {cpu: 1, memory: 1Gi}}
                  taskManager: {resource: {cpu: 2, memory: 4Gi}}
                  job: {jarURI: 'local:///a.jar', parallelism: 3, upgradeMode: savepoint}
            """;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    {image: other}                | starts a transition to the other half from a savepoint of the active one: spec.image
                    {job: {state: suspended}}     | suspends the active half, without a transition: spec.job.state
                    {job: {upgradeMode: last-state}} | changes the active half in place, without a transition: spec.job.upgradeMode
                    {job: {upgradeMode: stateless}, image: other} | starts a transition to the other half without state, the state of the active half is dropped: spec.image
                    """)
    void saysWhatAnEditDoes(String edit, String effect) {
        ObjectNode pair = deployed();
        ObjectNode spec = (ObjectNode) pair.at("/spec/template/spec");
        yaml(edit)
                .properties()
                .forEach(
                        field -> {
                            if (field.getValue() instanceof ObjectNode below) {
                                ((ObjectNode) spec.get(field.getKey())).setAll(below);
                            } else {
                                spec.set(field.getKey(), field.getValue());
                            }
                        });

        assertThat(review(pair))
                .filteredOn(warning -> warning.id().equals("edit-effect"))
                .extracting(Warning::message)
                .containsExactly(effect);
    }

    /** After a failed transition the last reconciled spec is the one that was given up. */
    @Test
    void comparesWithWhatTheActiveHalfHas() {
        ObjectNode pair = deployed();
        ((ObjectNode) pair.get("status"))
                .put("activeSpec", pair.at("/status/lastReconciledSpec").asText())
                .put("lastReconciledSpec", "{\"spec\":{}}");

        assertThat(review(pair)).isEmpty();
    }

    @Test
    void tellsWhatBothHalvesNeedAndShareBeforeATransition() {
        ObjectNode pair = deployed();
        ((ObjectNode) pair.at("/spec/template/spec"))
                .set(
                        "podTemplate",
                        yaml(
                                "spec: {hostNetwork: true, volumes: [{name: d,"
                                        + " persistentVolumeClaim: {claimName: data}}]}"));

        assertThat(review(pair).stream().map(Warning::id))
                .containsAll(PairAdvice.CHECKS.stream().map(Rule::id).toList());
        assertThat(messages(pair, "bluegreen-cost"))
                .containsExactly(
                        "a transition needs 7.0 more cores and 13.0 GiB more memory, for up to 10"
                                + " min");

        ((ObjectNode) pair.get("spec"))
                .putObject("configuration")
                .put("kubernetes.operator.bluegreen.handover", "stop-first");
        assertThat(review(pair)).noneMatch(it -> it.id().startsWith("bluegreen-"));
    }

    @Test
    void tellsItWhenThePairIsCreatedAndNotWithEachEdit() {
        assertThat(messages(yaml(PAIR), "bluegreen-overlap")).hasSize(1);
        assertThat(messages(deployed(), "bluegreen-overlap")).isEmpty();
    }

    private static List<String> messages(ObjectNode pair, String id) {
        return review(pair).stream()
                .filter(warning -> warning.id().equals(id))
                .map(Warning::message)
                .toList();
    }

    private static ObjectNode deployed() {
        ObjectNode pair = yaml(PAIR);
        pair.putObject("status")
                .put(
                        "lastReconciledSpec",
                        new ReconciledSpec(pair.get("spec").deepCopy(), false).encode());
        return pair;
    }

    private static List<Warning> review(ObjectNode pair) {
        return Stream.of(new Reviewer(DefaultConfiguration.NONE))
                .map(
                        reviewer ->
                                reviewer.review(
                                        new ReviewRequest(
                                                ResourceKind.FLINK_BLUE_GREEN_DEPLOYMENT,
                                                "default",
                                                "orders",
                                                pair),
                                        Lookup.NOTHING))
                .flatMap(findings -> findings.warnings().stream())
                .toList();
    }

    private static ObjectNode yaml(String text) {
        try {
            return (ObjectNode) new YAMLMapper().readTree(text);
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }
}
