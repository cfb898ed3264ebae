// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.admission;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.ResourceKind;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.Violation;
import io.sluice.webhook.Reviews;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Writes to the subresource {@code scale} of 'orders', a job that is autoscaled. */
class ScaleAdmissionTest {
    private static final String JOBS = "flinkdeployments";

    private final List<String> lookedUp = new ArrayList<>();
    private final Admission admission = new Admission(DefaultConfiguration.NONE, this::find);

    @Test
    void refusesAnotherNumberOfReplicas() {
        var verdict = (Verdict.Refused) judge(Reviews.scale(JOBS, 1, 3)).validated();

        assertThat(verdict.violations())
                .extracting(Violation::rule)
                .containsExactly("one-scaler-per-job");
        assertThat(lookedUp).containsExactly("FlinkDeployment default/orders");
    }

    @Test
    void saysWhatToDoInItsAnswer() {
        AdmissionVerdict judged = judge(Reviews.scale(JOBS, 1, 3));

        ObjectNode answer = AdmissionAnswer.of(judged.request(), judged.validated());

        assertThat(answer.at("/response/allowed").booleanValue()).isFalse();
        assertThat(answer.at("/response/status/message").textValue())
                .startsWith("Scale 'orders' has 1 problem:\n  1. one-scaler-per-job")
                .contains("either delete the HorizontalPodAutoscaler");
    }

    @Test
    void refusesToStopAllTaskManagers() {
        ObjectNode review = Reviews.scale(JOBS, 1, 3);
        // That is how the API server writes a Scale to 0.
        ((ObjectNode) review.at("/request/object/spec")).remove("replicas");

        assertThat(judge(review).validated()).isInstanceOf(Verdict.Refused.class);
    }

    @Test
    void looksNothingUpForWhatStaysOfItsSize() {
        assertThat(judge(Reviews.scale(JOBS, 3, 3)).validated()).isEqualTo(Verdict.allowed());
        assertThat(lookedUp).isEmpty();
    }

    @Test
    void looksNothingUpForWhatIsNotAFlinkDeployment() {
        ObjectNode deployment = Reviews.scale("deployments", 1, 3);
        ((ObjectNode) deployment.at("/request/resource")).put("group", "apps");

        assertThat(judge(deployment).validated()).isEqualTo(Verdict.allowed());
        assertThat(judge(Reviews.scale("flinksessionjobs", 1, 3)).validated())
                .isEqualTo(Verdict.allowed());
        assertThat(lookedUp).isEmpty();
    }

    @Test
    void looksAtTheJobEachTimeItIsAsked() {
        ObjectNode review = Reviews.scale(JOBS, 1, 3);

        judge(review);
        judge(review);

        assertThat(lookedUp).hasSize(2);
    }

    private AdmissionVerdict judge(ObjectNode review) {
        return admission.judge(review.toString().getBytes(UTF_8)).orElseThrow();
    }

    private Lookup.Answer find(ResourceKind kind, String namespace, String name) {
        lookedUp.add(kind.wire() + " " + namespace + "/" + name);
        ObjectNode orders = Reviews.yaml(Reviews.VALID);
        orders.withObject("/spec")
                .withObjectProperty("flinkConfiguration")
                .put("job.autoscaler.enabled", "true");
        return new Lookup.Found(orders);
    }
}
