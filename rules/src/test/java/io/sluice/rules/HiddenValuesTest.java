// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.sluice.api.spec.ResourceKind;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.ReviewRequest;
import org.junit.jupiter.api.Test;

/** What a user wrote in confidence is in no finding. */
class HiddenValuesTest {
    @Test
    void showsNoPasswordInAJarsAddress() throws Exception {
        assertThat(
                        findings(
                                """
                                kind: FlinkSessionJob
                                metadata: {name: a}
                                spec:
                                  deploymentName: orders
                                  job: {jarURI: "https://me:hush@10.0.0.1/a.jar", parallelism: 1}
                                """))
                .contains("jar-uri-host-restricted")
                .contains("https://******@10.0.0.1/a.jar")
                .doesNotContain("hush");
    }

    @Test
    void showsNoSecretOfTheConfiguration() throws Exception {
        assertThat(
                        findings(
                                """
                                kind: FlinkDeployment
                                metadata: {name: a}
                                spec:
                                  flinkVersion: v2_0
                                  flinkConfiguration: {my.password: hush, my.password.salt: hush}
                                """))
                .contains("flink2-overlapping-config-keys")
                .contains("value=******")
                .doesNotContain("hush");
    }

    private static String findings(String text) throws Exception {
        var resource = (ObjectNode) new YAMLMapper().readTree(text);
        var kind = ResourceKind.WORDS.get(resource.path("kind").asText());
        return new Reviewer(DefaultConfiguration.NONE)
                .review(ReviewRequest.of(kind, resource), Lookup.NOTHING)
                .toString();
    }
}
