// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.deployment;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.ResourceKind;
import io.sluice.rules.Reviewer;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.ReviewRequest;
import io.sluice.rules.review.Violation;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeploymentRulesTest {
    private static final String RUNNING =
            """
            metadata: {name: orders, namespace: default}
            spec:
              flinkVersion: v1_20
              serviceAccount: flink
              jobManager: {resource: {memory: 1g}}
              taskManager: {resource: {memory: 1g}}
              job: {parallelism: 2}
            """;

    @Test
    void reportsEverythingAtOnceAndWrongTypesFirst() throws Exception {
        var violations =
                check(
                        """
                        metadata: {name: Orders}
                        spec: {flinkVersion: 7, job: {parallelism: 0, upgradeMode: last-state}}
                        """);

        assertThat(violations)
                .extracting(Violation::rule)
                .containsExactly(
                        "field-type",
                        "name-format",
                        "service-account-required",
                        "parallelism-min",
                        "jm-memory-required",
                        "tm-memory-required",
                        "stateful-needs-checkpoint-dir");
    }

    @Test
    void comparesWithWhatTheOperatorLastTookUp() throws Exception {
        var violations =
                check(
                        RUNNING
                                + """
                                status:
                                  reconciliationStatus:
                                    lastReconciledSpec: '{"spec":{"mode":"standalone","job":{}},"resource_metadata":{}}'
                                """);

        assertThat(violations)
                .extracting(Violation::rule)
                .containsExactly("no-standalone-to-native");
    }

    @Test
    void allowsAnyChangeBeforeTheFirstDeployment() throws Exception {
        assertThat(check(RUNNING + "status: {reconciliationStatus: {state: UPGRADING}}")).isEmpty();
    }

    @Test
    void toleratesAResourceWithoutASpec() throws Exception {
        assertThat(check("metadata: {name: empty}"))
                .extracting(Violation::rule)
                .containsExactly(
                        "service-account-required",
                        "flink-version-required",
                        "jm-memory-required",
                        "tm-memory-required");
    }

    @Test
    void saysWhenTheValueAtFaultIsNotTheUsersOwn() throws Exception {
        var defaults =
                new DefaultConfiguration(
                        new FlinkConfiguration(Map.of("kubernetes.cluster-id", "fleet")));

        var violations = new Reviewer(defaults).review(request(RUNNING), Lookup.NOTHING).problems();

        assertThat(violations)
                .singleElement()
                .extracting(violation -> violation.problem().message())
                .asString()
                .contains("operator's defaults");
    }

    @Test
    void letsAJobManagerUseTlsOnceThePlatformHasCertificates() throws Exception {
        String tls = RUNNING + "\n  flinkConfiguration: {security.ssl.rest.enabled: true%s}";
        String granted = ", kubernetes.operator.rest.tls.enabled: true";
        var withCertificates =
                new DefaultConfiguration(
                        new FlinkConfiguration(
                                Map.of("kubernetes.operator.rest.tls.enabled", "true")));

        assertThat(check(tls.formatted("")))
                .extracting(Violation::rule)
                .containsExactly("rest-tls-needs-certificates");
        assertThat(check(tls.formatted(granted)))
                .extracting(Violation::rule)
                .contains("rest-tls-needs-certificates");
        assertThat(
                        new Reviewer(withCertificates)
                                .review(request(tls.formatted("")), Lookup.NOTHING)
                                .problems())
                .isEmpty();
    }

    private static java.util.List<Violation> check(String resource) throws Exception {
        return new Reviewer(DefaultConfiguration.NONE)
                .review(request(resource), Lookup.NOTHING)
                .problems();
    }

    private static ReviewRequest request(String text) throws Exception {
        return ReviewRequest.of(
                ResourceKind.FLINK_DEPLOYMENT, (ObjectNode) new YAMLMapper().readTree(text));
    }
}
