// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.sluice.api.FlinkDeployment;
import io.sluice.autoscaler.flink.FlinkReplies;
import io.sluice.testkit.ApiServer;
import java.io.IOException;
import java.util.Map;

/** A FlinkDeployment as the operator would have left it. */
public final class ScaledJob {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ScaledJob() {}

    public static FlinkDeployment create(
            ApiServer api, String namespace, String name, ObjectNode spec, String lifecycle) {
        FlinkDeployment resource = new FlinkDeployment();
        resource.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName(name).build());
        resource.setSpec(spec);
        return create(api, resource, lifecycle);
    }

    /** With the status of a resource whose job runs. */
    static FlinkDeployment create(ApiServer api, FlinkDeployment resource, String lifecycle) {
        FlinkDeployment created = api.client().resource(resource).create();
        created.setStatus(
                object(
                        """
                        {"lifecycleState":"%s","jobStatus":{"jobId":"%s","state":"RUNNING"}}"""
                                .formatted(lifecycle, FlinkReplies.JOB)));
        return api.client().resource(created).updateStatus();
    }

    /** It is looked at twice a second, and costs something. */
    public static ObjectNode spec(boolean enabled) {
        return spec(
                Map.of(
                        "kubernetes.operator.reconcile.interval", "500 ms",
                        "job.autoscaler.enabled", String.valueOf(enabled),
                        "job.autoscaler.metrics.window", "2 s",
                        "job.autoscaler.stabilization.interval", "0 s",
                        "job.autoscaler.catch-up.duration", "0 s",
                        "job.autoscaler.utilization.max", "0.8",
                        "job.autoscaler.governor.price.core-hour", "0.04",
                        "job.autoscaler.governor.price.gib-hour", "0.005"));
    }

    /** Of a job that can be scaled in place, with those options. */
    static ObjectNode spec(Map<String, String> options) {
        ObjectNode spec =
                object(
                        """
                        {"image":"flink:1.20","flinkVersion":"v1_20","serviceAccount":"flink",
                         "jobManager":{"resource":{"cpu":1,"memory":"1g"}},
                         "taskManager":{"resource":{"cpu":1,"memory":"1g"}},
                         "job":{"jarURI":"local:///job.jar","parallelism":1},
                         "flinkConfiguration":{"jobmanager.scheduler":"adaptive"}}""");
        options.forEach(spec.withObject("/flinkConfiguration")::put);
        return spec;
    }

    /**
     * @param mode of the governor: {@code recommend}, for instance
     */
    static ObjectNode spec(String mode) {
        ObjectNode spec = spec(true);
        spec.withObject("/flinkConfiguration").put("job.autoscaler.governor.mode", mode);
        return spec;
    }

    private static ObjectNode object(String json) {
        try {
            return (ObjectNode) JSON.readTree(json);
        } catch (IOException wrong) {
            throw new AssertionError(wrong);
        }
    }
}
