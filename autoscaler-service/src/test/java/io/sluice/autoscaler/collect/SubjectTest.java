// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SubjectTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final EffectiveConfiguration AS_WRITTEN =
            (_, _, cluster, own) -> cluster.with(own);
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
    void takesASessionJobForAJobOfItsCluster() {
        Subject.Scalable scalable = (Subject.Scalable) sessionJob(Optional.of(session()));

        assertThat(scalable.cluster()).isEqualTo("session");
        assertThat(scalable.slotsEach()).isEqualTo(4);
        assertThat(scalable.taskManager()).isEqualTo(new Footprint(2, 1L << 31));
    }

    @Test
    void waitsForTheClusterOfASessionJob() {
        assertThat(sessionJob(Optional.empty()))
                .isInstanceOfSatisfying(
                        Subject.Unsettled.class,
                        unsettled -> assertThat(unsettled.why()).contains("'session'"));
    }

    private static Subject sessionJob(Optional<FlinkDeployment> cluster) {
        FlinkSessionJob job = new FlinkSessionJob();
        job.setMetadata(new ObjectMetaBuilder().withNamespace("shop").withName("orders").build());
        job.setSpec(
                json(
                        """
                        {"deploymentName":"session","job":{},
                         "flinkConfiguration":{"job.autoscaler.enabled":"true"}}"""));
        job.setStatus(
                json(
                        """
                        {"lifecycleState":"STABLE","jobStatus":{"jobId":"aa","state":"RUNNING"}}"""));
        return Subject.of(job, cluster, AS_WRITTEN);
    }

    private static FlinkDeployment session() {
        FlinkDeployment cluster = new FlinkDeployment();
        cluster.setMetadata(
                new ObjectMetaBuilder().withNamespace("shop").withName("session").build());
        cluster.setSpec(
                json(
                        """
                        {"taskManager":{"resource":{"cpu":2,"memory":"2g"}},
                         "flinkConfiguration":{"taskmanager.numberOfTaskSlots":"4"}}"""));
        return cluster;
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
