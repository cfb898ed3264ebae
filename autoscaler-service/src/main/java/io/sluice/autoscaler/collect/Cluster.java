// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import io.fabric8.kubernetes.api.model.Quantity;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.ComponentSpec;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.ResourceSpec;
import io.sluice.api.spec.ResourcesSpec;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.config.value.MemorySize;
import java.util.Optional;

/**
 * What a Flink cluster takes.
 *
 * @param name of its FlinkDeployment
 * @param taskManager what one TaskManager asks of the scheduler; 0 where the spec does not say
 */
public record Cluster(String name, Footprint taskManager, int slotsEach) {
    static Cluster of(String name, FlinkDeploymentSpec spec, FlinkConfiguration options) {
        return new Cluster(name, footprint(spec.taskManager()), slots(options));
    }

    /** One that no resource describes: nobody knows what cores its TaskManagers take. */
    public static Cluster of(String name, FlinkConfiguration options) {
        long memory =
                new Options(options)
                        .get(FlinkOptions.TASK_MANAGER_MEMORY)
                        .map(MemorySize::bytes)
                        .orElse(0L);
        return new Cluster(name, new Footprint(0, memory), slots(options));
    }

    /** All TaskManagers that a resource has now. */
    public static Footprint taken(FlinkDeployment resource) {
        FlinkDeploymentSpec spec = FlinkDeploymentSpec.parse(resource.getSpec(), "spec").value();
        int replicas = FlinkDeploymentStatus.of(resource.getStatus()).taskManager().replicas();
        return Footprint.of(replicas, 1, footprint(spec.taskManager()));
    }

    private static Footprint footprint(ComponentSpec component) {
        Optional<ResourcesSpec> sizes = component.resources().filter(ResourcesSpec::isSized);
        Optional<String> memory =
                sizes.isPresent()
                        ? sizes.flatMap(it -> amount(it, "memory"))
                        : component.resource().flatMap(ResourceSpec::memory);
        Optional<Double> cores =
                sizes.isPresent()
                        ? sizes.flatMap(it -> amount(it, "cpu"))
                                .map(cpu -> new Quantity(cpu).getNumericalAmount().doubleValue())
                        : component.resource().flatMap(ResourceSpec::cpu);
        return new Footprint(
                cores.orElse(1.0),
                memory.flatMap(MemorySize::parse).map(MemorySize::bytes).orElse(0L));
    }

    private static Optional<String> amount(ResourcesSpec sizes, String resource) {
        return Optional.ofNullable(sizes.requests().get(resource))
                .or(() -> Optional.ofNullable(sizes.limits().get(resource)));
    }

    private static int slots(FlinkConfiguration options) {
        return options.get(FlinkOptions.TASK_SLOTS.key())
                .map(String::strip)
                .filter(text -> text.matches("[1-9][0-9]{0,4}"))
                .map(Integer::valueOf)
                .orElseGet(FlinkOptions.TASK_SLOTS::otherwise);
    }
}
