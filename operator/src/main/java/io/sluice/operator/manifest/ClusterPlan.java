// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.manifest;

import io.sluice.api.FlinkConfiguration;
import io.sluice.api.FlinkDeploymentSpec;
import io.sluice.api.FlinkVersion;
import java.util.Map;

/**
 * Everything that shapes one attempt at running a cluster.
 *
 * @param name the resource's name, which is Flink's cluster id too
 * @param uid the resource's uid, owner of what is rendered
 * @param spec the spec as the user wrote it, an application's or, without a job, a session
 *     cluster's
 * @param effective the operator's defaults with the spec's configuration on top
 * @param attempt what the Deployment is annotated with, 32 hexadecimal digits
 * @param jobId 32 hexadecimal digits; the one before where its last state is taken up, else new
 * @param overrides parallelism by vertex id, as the autoscaler wants it
 */
public record ClusterPlan(
        String namespace,
        String name,
        String uid,
        long generation,
        FlinkDeploymentSpec spec,
        FlinkConfiguration effective,
        String attempt,
        String jobId,
        StartFrom from,
        Map<String, Integer> overrides) {
    public ClusterPlan {
        overrides = Map.copyOf(overrides);
    }

    FlinkVersion version() {
        return spec.flinkVersion().orElse(FlinkVersion.V1_20);
    }
}
