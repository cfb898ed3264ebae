// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.sluice.rules.config.value.MemorySize;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The pods of a standalone cluster: the user's templates, and in their main container what Flink
 * needs to run. What a template says of the main container's command, or mounts, stays.
 */
final class StandalonePods {
    private static final String CONFIGURATION = "/opt/flink/conf";
    private static final String USER_LIBRARY = "/opt/flink/usrlib";
    private static final KubernetesSerialization OURS = new KubernetesSerialization();

    private StandalonePods() {}

    /** What the main container of a component runs. */
    record Main(String component, List<String> arguments, List<ServicePort> ports) {
        Main {
            arguments = List.copyOf(arguments);
            ports = List.copyOf(ports);
        }
    }

    static PodTemplateSpec template(ObjectNode pod) {
        ObjectNode template = JsonNodeFactory.instance.objectNode();
        template.set(
                "metadata",
                pod.get("metadata") instanceof ObjectNode metadata
                        ? metadata
                        : JsonNodeFactory.instance.objectNode());
        template.set("spec", pod.get("spec"));
        return OURS.unmarshal(template.toString(), PodTemplateSpec.class);
    }

    /** Fills in {@code pod}, a component's template. */
    static ObjectNode of(ClusterPlan plan, ObjectNode pod, Main main, Map<String, String> options) {
        ObjectNode spec = pod.withObject("/spec");
        plan.spec()
                .serviceAccount()
                .ifPresent(name -> putIfAbsent(spec, "serviceAccountName", name));
        ObjectNode container = PodTemplates.main(pod);
        plan.spec().image().ifPresent(image -> container.put("image", image));
        plan.spec().imagePullPolicy().ifPresent(policy -> container.put("imagePullPolicy", policy));
        if (!container.has("command") && !container.has("args")) {
            container.putArray("command").add("/docker-entrypoint.sh");
            ArrayNode arguments = container.putArray("args");
            main.arguments().forEach(arguments::add);
        }
        address(list(container, "env"));
        ports(list(container, "ports"), main.ports());
        resources(container, main.component(), options);
        mounts(plan, spec, container);
        return pod;
    }

    private static void address(ArrayNode environment) {
        environment
                .addObject()
                .put("name", "POD_IP")
                .putObject("valueFrom")
                .putObject("fieldRef")
                .put("apiVersion", "v1")
                .put("fieldPath", "status.podIP");
    }

    private static void ports(ArrayNode list, List<ServicePort> ports) {
        ports.forEach(
                port ->
                        list.addObject()
                                .put("name", port.getName())
                                .put("containerPort", port.getPort()));
    }

    /** What the template gives a resource of another kind, such as a GPU or a disk, stays. */
    private static void resources(
            ObjectNode container, String component, Map<String, String> options) {
        amount(options, component + ".memory.process.size", StandalonePods::bytes)
                .ifPresent(
                        memory ->
                                size(
                                        container,
                                        "memory",
                                        memory,
                                        factor(options, component + ".memory.limit-factor")));
        amount(options, component + ".cpu.amount", Optional::of)
                .ifPresent(
                        cpu ->
                                size(
                                        container,
                                        "cpu",
                                        new BigDecimal(cpu),
                                        factor(options, component + ".cpu.limit-factor")));
    }

    private static <T> Optional<T> amount(
            Map<String, String> options,
            String key,
            java.util.function.Function<String, Optional<T>> read) {
        return Optional.ofNullable(options.get(key))
                .or(() -> Optional.ofNullable(options.get("kubernetes." + key)))
                .flatMap(read);
    }

    private static Optional<BigDecimal> bytes(String text) {
        return MemorySize.parse(text).map(size -> BigDecimal.valueOf(size.bytes()));
    }

    private static BigDecimal factor(Map<String, String> options, String key) {
        return new BigDecimal(options.getOrDefault("kubernetes." + key, "1"));
    }

    private static void size(
            ObjectNode container, String resource, BigDecimal request, BigDecimal factor) {
        ObjectNode resources = container.withObject("/resources");
        BigDecimal limit = request.multiply(factor);
        resources.withObject("/requests").put(resource, text(resource, request));
        resources.withObject("/limits").put(resource, text(resource, limit));
    }

    private static String text(String resource, BigDecimal amount) {
        return resource.equals("memory")
                ? amount.toBigInteger().toString()
                : amount.stripTrailingZeros().toPlainString();
    }

    /**
     * Flink scans its folder for user code; where the job's jar lies elsewhere, it has to be there,
     * and empty.
     */
    private static void mounts(ClusterPlan plan, ObjectNode spec, ObjectNode container) {
        ArrayNode mounts = list(container, "volumeMounts");
        boolean holdsTheJar =
                plan.spec().job().flatMap(job -> job.jarUri()).orElse("").contains(USER_LIBRARY);
        boolean mounted =
                mounts.valueStream()
                        .anyMatch(mount -> mount.path("mountPath").asText().equals(USER_LIBRARY));
        if (plan.spec().job().isPresent() && !holdsTheJar && !mounted) {
            mounts.addObject().put("name", "user-library").put("mountPath", USER_LIBRARY);
            list(spec, "volumes").addObject().put("name", "user-library").putObject("emptyDir");
        }
        mounts.addObject().put("name", "flink-config-volume").put("mountPath", CONFIGURATION);
        list(spec, "volumes")
                .addObject()
                .put("name", "flink-config-volume")
                .putObject("configMap")
                .put("name", ManifestRenderer.configMap(plan.name()));
    }

    private static ArrayNode list(ObjectNode node, String name) {
        return node.get(name) instanceof ArrayNode list ? list : node.putArray(name);
    }

    private static void putIfAbsent(ObjectNode node, String name, String value) {
        if (!node.has(name)) {
            node.put(name, value);
        }
    }
}
