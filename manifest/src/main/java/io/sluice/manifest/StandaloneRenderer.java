// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.ServicePort;
import io.fabric8.kubernetes.api.model.ServicePortBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.sluice.api.spec.ApiVersion;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.FlinkOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Renders a standalone cluster, whose TaskManagers are a Deployment of ours
 * (docs/contract/reconciler.md, section 6): {@code <name>}, {@code <name>-taskmanager}, the
 * configuration and the Services. The JobManager's Deployment comes first and owns the rest, so
 * that it is what stands for the cluster and takes everything along when it goes.
 */
final class StandaloneRenderer {
    static final String TYPE = "flink-standalone-kubernetes";
    private static final String JOB_MANAGER = "jobmanager";
    private static final String TASK_MANAGER = "taskmanager";

    private StandaloneRenderer() {}

    static List<HasMetadata> render(ClusterPlan plan) {
        Map<String, String> options = StandaloneOptions.of(plan);
        List<HasMetadata> manifests = new ArrayList<>();
        manifests.add(jobManager(plan, options));
        manifests.add(configuration(plan, options));
        manifests.add(
                service(plan, plan.name() + "-rest", "ClusterIP", port("rest", options, 8081)));
        if (!new Options(plan.effective()).isHighlyAvailable()) {
            manifests.add(
                    service(
                            plan,
                            plan.name(),
                            "None",
                            port("jobmanager-rpc", options, 6123),
                            port("blobserver", options, 6124)));
        }
        manifests.add(taskManager(plan, options));
        return List.copyOf(manifests);
    }

    private static Deployment jobManager(ClusterPlan plan, Map<String, String> options) {
        return deployment(
                plan,
                plan.name(),
                JOB_MANAGER,
                plan.spec().jobManager().replicas().orElse(1),
                StandalonePods.of(
                        plan,
                        PodTemplates.jobManager(plan),
                        new StandalonePods.Main(
                                JOB_MANAGER,
                                StandaloneOptions.jobManagerArguments(plan, options),
                                List.of(
                                        port("rest", options, 8081),
                                        port("jobmanager-rpc", options, 6123),
                                        port("blobserver", options, 6124))),
                        options));
    }

    private static Deployment taskManager(ClusterPlan plan, Map<String, String> options) {
        return deployment(
                plan,
                plan.name() + "-taskmanager",
                TASK_MANAGER,
                plan.taskManagers(),
                StandalonePods.of(
                        plan,
                        PodTemplates.taskManager(plan),
                        new StandalonePods.Main(
                                TASK_MANAGER,
                                List.of(TASK_MANAGER),
                                List.of(port("taskmanager-rpc", options, 6122))),
                        options));
    }

    private static Deployment deployment(
            ClusterPlan plan, String name, String component, int replicas, ObjectNode pod) {
        Map<String, String> labels = labels(plan, component);
        Deployment deployment =
                new DeploymentBuilder()
                        .withMetadata(
                                new ObjectMetaBuilder(metadata(plan, name))
                                        .withLabels(labels)
                                        .withAnnotations(annotations(plan))
                                        .withOwnerReferences(
                                                new OwnerReferenceBuilder()
                                                        .withApiVersion(ApiVersion.TEXT)
                                                        .withKind("FlinkDeployment")
                                                        .withName(plan.name())
                                                        .withUid(plan.uid())
                                                        .withController(false)
                                                        .withBlockOwnerDeletion(true)
                                                        .build())
                                        .build())
                        .withNewSpec()
                        .withReplicas(replicas)
                        .withNewSelector()
                        .withMatchLabels(labels)
                        .endSelector()
                        .withTemplate(StandalonePods.template(pod))
                        .endSpec()
                        .build();
        ObjectMeta template = deployment.getSpec().getTemplate().getMetadata();
        template.setLabels(joined(template.getLabels(), labels));
        template.setAnnotations(joined(template.getAnnotations(), annotations(plan)));
        return deployment;
    }

    private static Map<String, String> joined(
            @Nullable Map<String, String> theirs, Map<String, String> ours) {
        Map<String, String> all = new TreeMap<>(Optional.ofNullable(theirs).orElseGet(Map::of));
        all.putAll(ours);
        return all;
    }

    private static ConfigMap configuration(ClusterPlan plan, Map<String, String> options) {
        return new ConfigMapBuilder()
                .withMetadata(
                        new ObjectMetaBuilder(
                                        metadata(plan, ManifestRenderer.configMap(plan.name())))
                                .withLabels(labels(plan))
                                .build())
                .withData(StandaloneOptions.files(plan, options))
                .build();
    }

    private static Service service(
            ClusterPlan plan, String name, String clusterIp, ServicePort... ports) {
        ServiceBuilder service =
                new ServiceBuilder()
                        .withMetadata(
                                new ObjectMetaBuilder(metadata(plan, name))
                                        .withLabels(labels(plan))
                                        .build())
                        .withNewSpec()
                        .withPorts(ports)
                        .withSelector(labels(plan, JOB_MANAGER))
                        .endSpec();
        return clusterIp.equals("None")
                ? service.editSpec().withClusterIP(clusterIp).endSpec().build()
                : service.editSpec().withType(clusterIp).endSpec().build();
    }

    private static ServicePort port(String name, Map<String, String> options, int otherwise) {
        String key =
                switch (name) {
                    case "rest" -> FlinkOptions.REST_PORT.key();
                    case "blobserver" -> "blob.server.port";
                    case "taskmanager-rpc" -> "taskmanager.rpc.port";
                    default -> "jobmanager.rpc.port";
                };
        int number =
                Optional.ofNullable(options.get(key))
                        .filter(text -> text.matches("\\d{1,5}"))
                        .map(Integer::parseInt)
                        .orElse(otherwise);
        return new ServicePortBuilder().withName(name).withPort(number).build();
    }

    private static ObjectMeta metadata(ClusterPlan plan, String name) {
        return new ObjectMetaBuilder().withName(name).withNamespace(plan.namespace()).build();
    }

    private static Map<String, String> annotations(ClusterPlan plan) {
        return new TreeMap<>(
                Map.of(
                        ManifestRenderer.GENERATION_ANNOTATION,
                        Long.toString(plan.generation()),
                        ManifestRenderer.ATTEMPT_ANNOTATION,
                        plan.attempt()));
    }

    private static Map<String, String> labels(ClusterPlan plan) {
        return new TreeMap<>(Map.of("app", plan.name(), "type", TYPE));
    }

    private static Map<String, String> labels(ClusterPlan plan, String component) {
        Map<String, String> labels = labels(plan);
        labels.put("component", component);
        return labels;
    }
}
