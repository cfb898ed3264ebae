// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.canary;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.spec.ResourceKind;
import io.sluice.rules.Reviewer;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.ReviewRequest;
import io.sluice.rules.review.Violation;
import java.util.List;
import org.junit.jupiter.api.Test;

class NonceBumpTest {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    @Test
    void changesNothingButTheNonceOfACanaryWithASpec() {
        var canary = new FlinkDeployment();
        canary.setSpec(
                JSON.objectNode().put("flinkVersion", "v1_20").put("serviceAccount", "flink"));

        assertThat(NonceBump.patch(canary, 7).toString())
                .isEqualTo("{\"spec\":{\"restartNonce\":7}}");
    }

    @Test
    void givesACanaryWithoutASpecAJobThatIsNotToRun() {
        ObjectNode spec = (ObjectNode) NonceBump.patch(new FlinkDeployment(), 7).get("spec");

        assertThat(spec.path("restartNonce").asLong()).isEqualTo(7);
        assertThat(spec.at("/job/state").asText()).isEqualTo("suspended");
        assertThat(spec.path("flinkVersion").asText()).isEqualTo("v1_20");
        assertThat(spec.path("serviceAccount").asText()).isNotBlank();
    }

    @Test
    void completesACanaryThatTheApacheOperatorHasChanged() {
        var canary = new FlinkDeployment();
        canary.setSpec(JSON.objectNode().put("restartNonce", 12));

        assertThat(NonceBump.patch(canary, 7).at("/spec/job/state").asText())
                .isEqualTo("suspended");
    }

    /** The rules that the CRDs know are among these. */
    @Test
    void leavesNothingOutThatASessionJobNeeds() {
        ObjectNode resource = JSON.objectNode();
        resource.putObject("metadata").put("name", "tweety").put("namespace", "shop");
        resource.setAll(NonceBump.patch(new FlinkSessionJob(), 7));

        assertThat(violations(ResourceKind.FLINK_SESSION_JOB, resource))
                .doesNotContain(
                        "deployment-name-format", "session-job-required", "parallelism-min");
    }

    @Test
    void leavesNothingOutThatTheCrdAsksOfADeployment() {
        ObjectNode resource = JSON.objectNode();
        resource.putObject("metadata").put("name", "tweety").put("namespace", "shop");
        resource.setAll(NonceBump.patch(new FlinkDeployment(), 7));

        assertThat(violations(ResourceKind.FLINK_DEPLOYMENT, resource))
                .doesNotContain(
                        "flink-version-required", "service-account-required", "parallelism-min");
    }

    private static List<String> violations(ResourceKind kind, ObjectNode resource) {
        return new Reviewer(DefaultConfiguration.NONE)
                .review(ReviewRequest.of(kind, resource), Lookup.NOTHING).problems().stream()
                        .map(Violation::rule)
                        .toList();
    }
}
