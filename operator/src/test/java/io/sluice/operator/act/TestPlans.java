// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.act;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.manifest.ClusterPlan;
import io.sluice.manifest.StartFrom;
import java.util.Optional;

/** Plans of clusters whose jobs begin with nothing. */
final class TestPlans {
    private TestPlans() {}

    static ClusterPlan fromNothing(String namespace, String name, ObjectNode raw) {
        FlinkDeploymentSpec spec = FlinkDeploymentSpec.parse(raw, "spec").value();
        return new ClusterPlan(
                namespace,
                name,
                "uid",
                1,
                spec,
                spec.flinkConfiguration(),
                "a".repeat(32),
                "b".repeat(32),
                new StartFrom.Nothing(),
                Optional.empty());
    }
}
