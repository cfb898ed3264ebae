// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.FlinkDeployment;

/** One pass over one FlinkDeployment. */
public final class FlinkDeploymentPass {
    private final ResourcePass<FlinkDeployment> pass;

    public FlinkDeploymentPass(
            Observer observer,
            StatusStore<FlinkDeployment> store,
            Effects effects,
            Narrator narrator,
            RunMemory memory) {
        pass =
                new ResourcePass<>(
                        observer::observe,
                        store,
                        effects::perform,
                        narrator::tell,
                        (decision, stored) -> decision.status().onto(stored),
                        memory,
                        "flinkdeployments.flink.apache.org");
    }

    public ResourcePass.Outcome run(FlinkDeployment resource) {
        return pass.run(resource);
    }
}
