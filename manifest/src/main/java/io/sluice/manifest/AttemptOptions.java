// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import io.fabric8.kubernetes.api.model.Quantity;
import io.sluice.api.spec.ComponentSpec;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.spec.ResourceSpec;
import io.sluice.api.spec.ResourcesSpec;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.config.option.Option;
import io.sluice.rules.config.value.MemorySize;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The Flink configuration of one attempt: what the user wrote, less what is ours, plus what follows
 * from the rest of the spec.
 */
final class AttemptOptions {
    /** Each option under all of its names. */
    private static final Set<String> READ_WHERE_IT_IS_RENDERED =
            Set.of(
                    "$internal.deployment.config-dir",
                    "kubernetes.config.file",
                    "kubernetes.pod-template-file",
                    "kubernetes.pod-template-file.default",
                    "kubernetes.pod-template-file.jobmanager",
                    "kubernetes.pod-template-file.taskmanager");

    private AttemptOptions() {}

    /**
     * All options by key; later steps win over earlier ones (docs/contract/reconciler.md, section
     * 6).
     */
    static Map<String, String> of(ClusterPlan plan) {
        Map<String, String> options = new TreeMap<>(plan.effective().entries());
        options.keySet().removeIf(Option::isOurs);
        defaults(plan, options);
        OpenPackages.put(plan.spec().flinkVersion(), options);
        plan.spec()
                .image()
                .ifPresent(image -> options.put("kubernetes.container.image.ref", image));
        plan.spec()
                .imagePullPolicy()
                .ifPresent(policy -> options.put("kubernetes.container.image.pull-policy", policy));
        plan.spec()
                .serviceAccount()
                .ifPresent(account -> options.put("kubernetes.service-account", account));
        component("jobmanager", plan.spec().jobManager(), options);
        component("taskmanager", plan.spec().taskManager(), options);
        plan.spec()
                .jobManager()
                .replicas()
                .ifPresent(
                        replicas ->
                                options.put("kubernetes.jobmanager.replicas", replicas.toString()));
        plan.spec().job().ifPresentOrElse(job -> job(plan, job, options), () -> session(options));
        identity(plan, options);
        files(options);
        return options;
    }

    /**
     * Files are those of the pods: Flink's factory must not look for them here. What it would read
     * of a keytab becomes a Secret, of a Hadoop folder a ConfigMap; a ConfigMap that is named is
     * only mounted.
     */
    private static void files(Map<String, String> options) {
        options.keySet().removeAll(READ_WHERE_IT_IS_RENDERED);
        options.put("kubernetes.decorator.kerberos-mount.enabled", "false");
        boolean namesAMap =
                !options.getOrDefault("kubernetes.hadoop.conf.config-map.name", "").isBlank();
        options.put("kubernetes.decorator.hadoop-conf-mount.enabled", String.valueOf(namesAMap));
    }

    private static void defaults(ClusterPlan plan, Map<String, String> options) {
        options.putIfAbsent(FlinkOptions.REST_SERVICE_TYPE.key(), "ClusterIP");
        options.putIfAbsent("web.cancel.enable", "false");
        options.putIfAbsent(FlinkOptions.JOB_NAME.key(), plan.name());
        options.putIfAbsent("blob.server.port", "6124");
        options.putIfAbsent("taskmanager.rpc.port", "6122");
        options.putIfAbsent("execution.submit-failed-job-on-application-error", "true");
        options.put("execution.shutdown-on-application-finish", "false");
        options.putIfAbsent(FlinkOptions.CHECKPOINT_RETENTION.key(), StateOptions.USUAL_RETENTION);
    }

    private static void identity(ClusterPlan plan, Map<String, String> options) {
        options.put(FlinkOptions.NAMESPACE.key(), plan.namespace());
        options.put(FlinkOptions.CLUSTER_ID.key(), plan.name());
        options.put(
                FlinkOptions.HIGH_AVAILABILITY_CLUSTER_ID.key(), plan.highAvailabilityClusterId());
        options.put(
                "kubernetes.jobmanager.annotations",
                merged(
                        options.get("kubernetes.jobmanager.annotations"),
                        ManifestRenderer.GENERATION_ANNOTATION
                                + ":"
                                + plan.generation()
                                + ","
                                + ManifestRenderer.ATTEMPT_ANNOTATION
                                + ":"
                                + plan.attempt()));
    }

    private static String merged(@Nullable String before, String entry) {
        return before == null || before.isBlank() ? entry : before + "," + entry;
    }

    /** Its jobs are handed over through REST. */
    private static void session(Map<String, String> options) {
        options.put("execution.target", "kubernetes-session");
        options.putIfAbsent(FlinkOptions.PARALLELISM.key(), FlinkOptions.PARALLELISM.defaultText());
        options.put("web.submit.enable", "true");
    }

    private static void job(ClusterPlan plan, JobSpec job, Map<String, String> options) {
        options.put("execution.target", "kubernetes-application");
        options.put("$internal.pipeline.job-id", plan.jobId());
        int slots =
                Integer.parseInt(
                        options.getOrDefault(
                                        FlinkOptions.TASK_SLOTS.key(),
                                        FlinkOptions.TASK_SLOTS.defaultText())
                                .trim());
        Optional<Integer> fromReplicas =
                plan.spec().taskManager().replicas().map(replicas -> replicas * slots);
        options.put(
                FlinkOptions.PARALLELISM.key(),
                Integer.toString(fromReplicas.or(job::parallelism).orElse(1)));
        job.jarUri().ifPresent(jar -> options.put("pipeline.jars", jar));
        job.entryClass().ifPresent(main -> options.put("$internal.application.main", main));
        if (!job.args().isEmpty()) {
            options.put("$internal.application.program-args", escaped(job));
        }
        StateOptions.put(plan, job, options);
    }

    /**
     * Arguments as Flink splits a list option: by {@code ;}, with quotes around an element that
     * holds one.
     */
    private static String escaped(JobSpec job) {
        return job.args().stream()
                .map(
                        argument ->
                                argument.contains(";") || argument.contains("'")
                                        ? "'" + argument.replace("'", "''") + "'"
                                        : argument)
                .collect(Collectors.joining(";"));
    }

    static void component(String name, ComponentSpec component, Map<String, String> options) {
        Optional<ResourcesSpec> resources = component.resources().filter(ResourcesSpec::isSized);
        if (resources.isPresent()) {
            resources(name, resources.get(), options);
        } else {
            component.resource().ifPresent(resource -> resource(name, resource, options));
        }
    }

    private static void resource(String name, ResourceSpec resource, Map<String, String> options) {
        resource.memory()
                .ifPresent(
                        memory ->
                                options.put(FlinkOptions.memory(name).key(), bytes(memory) + "b"));
        resource.cpu().ifPresent(cpu -> options.put(FlinkOptions.cpu(name).key(), cpu.toString()));
    }

    private static void resources(
            String name, ResourcesSpec resources, Map<String, String> options) {
        amount(resources, "memory")
                .ifPresent(
                        memory ->
                                options.put(FlinkOptions.memory(name).key(), bytes(memory) + "b"));
        amount(resources, "cpu")
                .ifPresent(
                        cpu ->
                                options.put(
                                        FlinkOptions.cpu(name).key(), cores(cpu).toPlainString()));
        factor(resources, "memory")
                .ifPresent(
                        factor ->
                                options.put(
                                        FlinkOptions.limitFactor(name, "memory").key(), factor));
        factor(resources, "cpu")
                .ifPresent(
                        factor -> options.put(FlinkOptions.limitFactor(name, "cpu").key(), factor));
    }

    private static Optional<String> amount(ResourcesSpec resources, String key) {
        return Optional.ofNullable(resources.requests().get(key))
                .or(() -> Optional.ofNullable(resources.limits().get(key)));
    }

    private static Optional<String> factor(ResourcesSpec resources, String key) {
        Optional<BigDecimal> request =
                Optional.ofNullable(resources.requests().get(key)).map(AttemptOptions::number);
        Optional<BigDecimal> limit =
                Optional.ofNullable(resources.limits().get(key)).map(AttemptOptions::number);
        return request.filter(amount -> amount.signum() > 0)
                .flatMap(
                        amount ->
                                limit.map(
                                        most ->
                                                most.divide(amount, 3, RoundingMode.HALF_UP)
                                                        .max(BigDecimal.ONE)
                                                        .stripTrailingZeros()
                                                        .toPlainString()));
    }

    private static BigDecimal cores(String quantity) {
        return Quantity.getAmountInBytes(new Quantity(quantity)).stripTrailingZeros();
    }

    private static BigDecimal number(String quantity) {
        return Quantity.getAmountInBytes(new Quantity(quantity));
    }

    /** A memory size in either notation, in bytes, as the rules read it. */
    static long bytes(String memory) {
        return MemorySize.parse(memory)
                .map(MemorySize::bytes)
                .orElseThrow(
                        () ->
                                new IllegalArgumentException(
                                        "'" + memory + "' is not a memory size"));
    }
}
