// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Quantity;
import io.sluice.api.spec.ComponentSpec;
import io.sluice.api.spec.DeploymentMode;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.config.value.MemorySize;
import io.sluice.rules.pod.FillIn;
import io.sluice.rules.pod.FlinkPod;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What a cluster asks of the ResourceQuotas of its namespace. It is the least: what only the API
 * server adds to a pod, such as the defaults of a LimitRange, is not known here, nor what Flink
 * makes of a process whose size is left to its own arithmetic.
 *
 * @param amounts by the names that a ResourceQuota has for them: {@code requests.cpu} and {@code
 *     limits.cpu} in cores, {@code requests.memory} and {@code limits.memory} in bytes, {@code
 *     pods} and {@code services} as numbers
 */
public record ClusterDemand(Map<String, BigDecimal> amounts) {
    private static final List<String> SIDES = List.of("requests", "limits");
    private static final List<String> RESOURCES = List.of("cpu", "memory");

    public ClusterDemand {
        amounts = Collections.unmodifiableMap(new LinkedHashMap<>(amounts));
    }

    /**
     * @param effective what the cluster is to run with, less the spec's own sizes
     */
    public static ClusterDemand of(FlinkDeploymentSpec spec, FlinkConfiguration effective) {
        int jobManagers = spec.jobManager().replicas().orElse(1);
        int taskManagers = ClusterPlan.taskManagers(spec, effective);
        Map<String, BigDecimal> all = new TreeMap<>();
        add(all, pod(spec, spec.jobManager(), "jobmanager", effective), jobManagers);
        add(all, pod(spec, spec.taskManager(), "taskmanager", effective), taskManagers);
        all.put("pods", BigDecimal.valueOf((long) jobManagers + taskManagers));
        // One for REST, and one by which TaskManagers find the only JobManager that there can be.
        all.put(
                "services",
                new Options(effective).isHighlyAvailable() ? BigDecimal.ONE : BigDecimal.TWO);
        return new ClusterDemand(all);
    }

    private static void add(Map<String, BigDecimal> all, Map<String, BigDecimal> pod, int number) {
        pod.forEach(
                (name, amount) ->
                        all.merge(
                                name,
                                amount.multiply(BigDecimal.valueOf(number)),
                                BigDecimal::add));
    }

    /** As Kubernetes adds them up: init containers come one after the other, before all others. */
    private static Map<String, BigDecimal> pod(
            FlinkDeploymentSpec spec,
            ComponentSpec component,
            String name,
            FlinkConfiguration effective) {
        ObjectNode pod =
                FlinkPod.of(
                        spec.podTemplate(),
                        component.podTemplate(),
                        FillIn.of(new Options(effective)));
        ObjectNode main = FlinkPod.main(pod);
        List<JsonNode> beside = new ArrayList<>();
        List<JsonNode> before = new ArrayList<>();
        pod.at("/spec/containers").forEach(beside::add);
        beside.remove(main);
        pod.at("/spec/initContainers")
                .forEach(
                        each ->
                                (each.path("restartPolicy").asText().equals("Always")
                                                ? beside
                                                : before)
                                        .add(each));
        Options sized = sized(component, name, effective);
        Map<String, BigDecimal> amounts = new TreeMap<>();
        for (String side : SIDES) {
            for (String resource : RESOURCES) {
                BigDecimal running =
                        beside.stream()
                                .map(each -> amount(each, side, resource))
                                .reduce(
                                        main(main, side, resource, name, sized, spec.mode()),
                                        BigDecimal::add);
                amounts.put(
                        side + "." + resource,
                        before.stream()
                                .map(each -> amount(each, side, resource))
                                .reduce(running, BigDecimal::max));
            }
        }
        return amounts;
    }

    private static Options sized(
            ComponentSpec component, String name, FlinkConfiguration effective) {
        Map<String, String> options = new TreeMap<>(effective.entries());
        AttemptOptions.component(name, component, options);
        return new Options(new FlinkConfiguration(options));
    }

    /** Flink sizes its own container, whatever the template says of it. */
    private static BigDecimal main(
            JsonNode container,
            String side,
            String resource,
            String component,
            Options sized,
            DeploymentMode mode) {
        Optional<BigDecimal> request =
                resource.equals("cpu")
                        ? cores(component, sized, mode)
                        : sized.get(FlinkOptions.memory(component))
                                .map(MemorySize::bytes)
                                .map(BigDecimal::valueOf);
        BigDecimal factor =
                side.equals("limits")
                        ? BigDecimal.valueOf(
                                sized.get(FlinkOptions.limitFactor(component, resource)))
                        : BigDecimal.ONE;
        return request.map(factor::multiply).orElseGet(() -> amount(container, side, resource));
    }

    /** A standalone cluster has no cores unless it is given some; a native one has a default. */
    private static Optional<BigDecimal> cores(
            String component, Options sized, DeploymentMode mode) {
        Optional<Double> otherwise =
                switch (mode) {
                    case STANDALONE -> Optional.empty();
                    case NATIVE ->
                            Optional.of(
                                    component.equals("taskmanager")
                                            ? (double) sized.get(FlinkOptions.TASK_SLOTS)
                                            : 1.0);
                };
        return sized.get(FlinkOptions.cpu(component)).or(() -> otherwise).map(BigDecimal::valueOf);
    }

    /** Who names a limit only requests as much; nothing of what is not a quantity. */
    private static BigDecimal amount(JsonNode container, String side, String resource) {
        JsonNode own = container.at("/resources/" + side + "/" + resource);
        JsonNode said = own.isMissingNode() ? container.at("/resources/limits/" + resource) : own;
        try {
            return said.isValueNode() && !said.isNull()
                    ? Quantity.getAmountInBytes(new Quantity(said.asText()))
                    : BigDecimal.ZERO;
        } catch (IllegalArgumentException | ArithmeticException unreadable) {
            return BigDecimal.ZERO;
        }
    }
}
