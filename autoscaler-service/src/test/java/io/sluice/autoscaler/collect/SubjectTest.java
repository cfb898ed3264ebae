// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.sluice.api.FlinkDeployment;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SubjectTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final EffectiveConfiguration AS_WRITTEN = (_, _, spec) -> spec;
    private static final String ENABLED =
            """
            {"flinkConfiguration":{"job.autoscaler.enabled":"true"},"job":{"autoscalerResetNonce":4}}""";

    @Test
    void leavesAJobAloneThatDoesNotAsk() {
        assertThat(subject("{\"job\":{}}", "{}")).isEqualTo(new Subject.Off());
    }

    @Test
    void leavesASessionClusterAlone() {
        assertThat(subject("{\"flinkConfiguration\":{\"job.autoscaler.enabled\":\"true\"}}", "{}"))
                .isEqualTo(new Subject.Off());
    }

    @Test
    void waitsForTheResourceToSettle() {
        assertThat(subject(ENABLED, "{\"lifecycleState\":\"UPGRADING\"}"))
                .isInstanceOfSatisfying(
                        Subject.Unsettled.class,
                        unsettled -> assertThat(unsettled.why()).contains("UPGRADING"));
        assertThat(subject(ENABLED, "{}")).isInstanceOf(Subject.Unsettled.class);
    }

    @Test
    void waitsForTheJobToRun() {
        assertThat(
                        subject(
                                ENABLED,
                                """
                                {"lifecycleState":"STABLE","jobStatus":{"jobId":"aa","state":"RESTARTING"}}"""))
                .isInstanceOfSatisfying(
                        Subject.Unsettled.class,
                        unsettled -> assertThat(unsettled.why()).contains("RESTARTING"));
    }

    @Test
    void takesUpARunningJobOfASettledResource() {
        for (String lifecycle : new String[] {"STABLE", "DEPLOYED"}) {
            assertThat(
                            subject(
                                    ENABLED,
                                    """
                                    {"lifecycleState":"%s","jobStatus":{"jobId":"aa","state":"RUNNING"}}"""
                                            .formatted(lifecycle)))
                    .isInstanceOfSatisfying(
                            Subject.Scalable.class,
                            scalable -> {
                                assertThat(scalable.jobId()).isEqualTo("aa");
                                assertThat(scalable.resetNonce()).isEqualTo(Optional.of(4L));
                            });
        }
    }

    @Test
    void findsTheJobManagerByIdentity() {
        assertThat(JobManagerAddress.IN_CLUSTER.of(new JobKey("shop", "orders", "u")))
                .hasToString("http://orders-rest.shop:8081");
    }

    private static Subject subject(String spec, String status) {
        FlinkDeployment resource = new FlinkDeployment();
        resource.setMetadata(
                new ObjectMetaBuilder().withNamespace("shop").withName("orders").build());
        resource.setSpec(json(spec));
        resource.setStatus(json(status));
        return Subject.of(resource, AS_WRITTEN);
    }

    private static ObjectNode json(String text) {
        try {
            return (ObjectNode) JSON.readTree(text);
        } catch (JsonProcessingException wrong) {
            throw new AssertionError(wrong);
        }
    }
}
