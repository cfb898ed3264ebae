// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.api.spec.ResourceKind;
import io.sluice.rules.Reviewer;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.ReviewRequest;
import io.sluice.rules.review.Warning;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AnalysisAdviceTest {
    private static final String PREFIX = "kubernetes.operator.bluegreen.";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    prometheus.address: 'http://10.0.0.1'            | bluegreen-operator-only-key | has no effect in a resource
                    prometheus.token-file: /var/run/secrets/token    | bluegreen-operator-only-key | has no effect in a resource
                    prometheus.ca-file: /etc/passwd                  | bluegreen-operator-only-key | has no effect in a resource
                    query.errors.text: up                            | bluegreen-operator-only-key | has no effect in a resource
                    analysis.max-lag-ratio: 2                        | bluegreen-analysis-too-short | there is no analysis
                    analysis.max-watermark-delay: 1 min, analysis.duration: 44 s | bluegreen-analysis-too-short | to 45 s or more
                    analysis.max-lag-ratio: 2, analysis.duration: 1 h, handover: stop-first | bluegreen-analysis-without-active-half | is never known
                    """)
    void warnsOfWhatHasNoEffect(String configuration, String id, String told) throws IOException {
        assertThat(warnings(configuration))
                .singleElement()
                .satisfies(
                        warning -> {
                            assertThat(warning.id()).isEqualTo(id);
                            assertThat(warning.path()).startsWith("spec.configuration[" + PREFIX);
                            assertThat(warning.message()).contains(told);
                        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "analysis.max-lag-ratio: 2, analysis.duration: 45 s",
                "analysis.duration: 1 s",
                "handover: stop-first, analysis.duration: 1 h"
            })
    void saysNothingOfAnAnalysisThatIsRight(String configuration) throws IOException {
        assertThat(warnings(configuration)).isEmpty();
    }

    private static List<Warning> warnings(String configuration) throws IOException {
        ObjectNode pair =
                (ObjectNode)
                        new YAMLMapper()
                                .readTree(
                                        """
                                        kind: FlinkBlueGreenDeployment
                                        metadata: {name: orders}
                                        spec:
                                          template:
                                            spec:
                                              image: flink:1.20
                                              flinkVersion: v1_20
                                              serviceAccount: flink
                                              jobManager: {resource: {cpu: 1, memory: 1Gi}}
                                              taskManager: {resource: {cpu: 1, memory: 1Gi}}
                                              job: {jarURI: 'local:///a.jar', upgradeMode: stateless}
                                        """);
        ObjectNode entries = pair.withObject("/spec/configuration");
        new YAMLMapper()
                .readTree("{" + configuration + "}")
                .properties()
                .forEach(each -> entries.set(PREFIX + each.getKey(), each.getValue()));
        return new Reviewer(DefaultConfiguration.NONE)
                        .review(
                                new ReviewRequest(
                                        ResourceKind.FLINK_BLUE_GREEN_DEPLOYMENT,
                                        "default",
                                        "orders",
                                        pair),
                                Lookup.NOTHING)
                        .warnings()
                        .stream()
                        .filter(
                                warning ->
                                        warning.id().startsWith("bluegreen-analysis")
                                                || warning.id()
                                                        .equals("bluegreen-operator-only-key"))
                        .toList();
    }
}
