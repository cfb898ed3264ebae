// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.bluegreen;

import io.sluice.api.spec.ComponentSpec;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.spec.ResourceSpec;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.config.value.MemorySize;
import io.sluice.rules.deployment.Component;

/**
 * What one half of a pair takes, by its spec: JobManagers, and as many TaskManagers as the
 * parallelism needs slots.
 *
 * @param cpu in cores
 * @param memory in bytes
 */
public record HalfSize(double cpu, double memory) {
    /**
     * @param effective the configuration that the half runs with
     */
    public static HalfSize of(FlinkDeploymentSpec spec, Options effective) {
        double cpu = 0;
        double memory = 0;
        for (Component component : Component.values()) {
            ComponentSpec part = component.of(spec);
            int count = count(spec, effective, component, part);
            cpu += count * part.resource().flatMap(ResourceSpec::cpu).orElse(1.0);
            memory +=
                    count
                            * part.resource()
                                    .flatMap(ResourceSpec::memory)
                                    .flatMap(MemorySize::parse)
                                    .map(MemorySize::bytes)
                                    .orElse(0L);
        }
        return new HalfSize(cpu, memory);
    }

    private static int count(
            FlinkDeploymentSpec spec, Options effective, Component component, ComponentSpec part) {
        if (component == Component.JOB_MANAGER || part.replicas().isPresent()) {
            return part.replicas().orElse(1);
        }
        int slots = Math.max(1, effective.get(FlinkOptions.TASK_SLOTS));
        int parallelism =
                spec.job()
                        .flatMap(JobSpec::parallelism)
                        .orElseGet(() -> effective.get(FlinkOptions.PARALLELISM));
        return Math.ceilDiv(Math.max(1, parallelism), slots);
    }
}
