// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.config.value.MemorySize;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;

/**
 * What a cluster may use: the limits of its containers, summed up (docs/contract/reconciler.md,
 * section 2).
 *
 * @param cpu cores
 * @param memory bytes; empty if a process' size is left to Flink's own arithmetic
 */
public record Capacity(double cpu, Optional<Long> memory) {
    /**
     * @param effective what the cluster runs with, less the spec's own sizes
     */
    public static Capacity of(
            FlinkDeploymentSpec spec, FlinkConfiguration effective, int taskManagers) {
        Map<String, String> sized = new TreeMap<>(effective.entries());
        AttemptOptions.component("jobmanager", spec.jobManager(), sized);
        AttemptOptions.component("taskmanager", spec.taskManager(), sized);
        Options options = new Options(new FlinkConfiguration(sized));
        int jobManagers = spec.jobManager().replicas().orElse(1);
        OptionalLong master = memory(options, "jobmanager");
        OptionalLong worker = memory(options, "taskmanager");
        return new Capacity(
                cpu(options, "jobmanager") * jobManagers
                        + cpu(options, "taskmanager") * taskManagers,
                master.isPresent() && worker.isPresent()
                        ? Optional.of(
                                master.getAsLong() * jobManagers
                                        + worker.getAsLong() * taskManagers)
                        : Optional.empty());
    }

    /** Flink's default is one core for a JobManager, and one for each slot of a TaskManager. */
    private static double cpu(Options options, String component) {
        double otherwise =
                component.equals("taskmanager") ? options.get(FlinkOptions.TASK_SLOTS) : 1.0;
        return options.get(FlinkOptions.cpu(component)).orElse(otherwise)
                * options.get(FlinkOptions.limitFactor(component, "cpu"));
    }

    private static OptionalLong memory(Options options, String component) {
        Optional<MemorySize> size = options.get(FlinkOptions.memory(component));
        double factor = options.get(FlinkOptions.limitFactor(component, "memory"));
        return size.isPresent()
                ? OptionalLong.of(Math.round(size.get().bytes() * factor))
                : OptionalLong.empty();
    }
}
