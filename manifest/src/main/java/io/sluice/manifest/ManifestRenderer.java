// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.sluice.api.spec.ApiVersion;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.Option;
import io.sluice.rules.config.option.PodOptions;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.flink.client.deployment.ClusterSpecification;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.kubernetes.entrypoint.KubernetesApplicationClusterEntrypoint;
import org.apache.flink.kubernetes.entrypoint.KubernetesSessionClusterEntrypoint;
import org.apache.flink.kubernetes.kubeclient.FlinkPod;
import org.apache.flink.kubernetes.kubeclient.KubernetesJobManagerSpecification;
import org.apache.flink.kubernetes.kubeclient.factory.KubernetesJobManagerFactory;
import org.apache.flink.kubernetes.kubeclient.parameters.KubernetesJobManagerParameters;
import org.apache.flink.kubernetes.shaded.io.fabric8.kubernetes.api.model.Container;
import org.apache.flink.kubernetes.shaded.io.fabric8.kubernetes.api.model.Pod;
import org.apache.flink.kubernetes.shaded.io.fabric8.kubernetes.api.model.PodBuilder;
import org.apache.flink.kubernetes.shaded.io.fabric8.kubernetes.client.utils.Serialization;

/**
 * Renders a native cluster, an application's or a session cluster, by Flink's own factory, without
 * a cluster: the manifests a Flink client would have created, for us to apply. Flink carries its
 * own copy of the Kubernetes model, so objects cross over as JSON.
 */
public final class ManifestRenderer {
    public static final String GENERATION_ANNOTATION =
            "flinkdeployment.flink.apache.org/generation";
    public static final String ATTEMPT_ANNOTATION = "flinkdeployment.flink.apache.org/attempt";
    private static final String TASK_MANAGER_TEMPLATE = "taskmanager-pod-template.yaml";
    private static final String TEMPLATE_FOLDER_IN_POD = "/opt/flink/pod-template";
    private static final Map<String, Option<Optional<String>>> LOG_FILES =
            Map.of(
                    "log4j-console.properties",
                    PodOptions.LOG4J,
                    "logback-console.xml",
                    PodOptions.LOGBACK);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final KubernetesSerialization OURS = new KubernetesSerialization();

    private ManifestRenderer() {}

    /** The name of the ConfigMap that the containers of a cluster mount, as Flink itself has it. */
    public static String configMap(String cluster) {
        return "flink-config-" + cluster;
    }

    /**
     * The manifests of {@code plan}, the JobManager's Deployment first.
     *
     * @throws IllegalArgumentException if Flink refuses the configuration; the message is Flink's
     */
    public static List<HasMetadata> render(ClusterPlan plan) {
        return switch (plan.spec().mode()) {
            case NATIVE -> renderNative(plan);
            case STANDALONE -> StandaloneRenderer.render(plan);
        };
    }

    private static List<HasMetadata> renderNative(ClusterPlan plan) {
        try (RenderFolder folder = RenderFolder.create()) {
            KubernetesJobManagerSpecification rendered = build(plan, folder);
            List<HasMetadata> manifests = new ArrayList<>();
            manifests.add(
                    owned(OURS.unmarshal(json(rendered.getDeployment()), Deployment.class), plan));
            for (var accompanying : rendered.getAccompanyingResources()) {
                manifests.add(OURS.<HasMetadata>unmarshal(json(accompanying)));
            }
            manifests.forEach(manifest -> settle(manifest, plan, folder));
            return SingleConfigMap.of(manifests);
        } catch (IOException unwritable) {
            throw new UncheckedIOException(unwritable);
        }
    }

    private static KubernetesJobManagerSpecification build(ClusterPlan plan, RenderFolder folder)
            throws IOException {
        Map<String, String> options = AttemptOptions.of(plan);
        options.put(
                "kubernetes.pod-template-file.taskmanager",
                folder.write(TASK_MANAGER_TEMPLATE, PodTemplates.taskManager(plan).toString()));
        for (var log : logFiles(plan).entrySet()) {
            folder.write(log.getKey(), log.getValue());
        }
        if (!logFiles(plan).isEmpty()) {
            options.put("$internal.deployment.config-dir", folder.path());
        }
        options.put(
                "kubernetes.internal.jobmanager.entrypoint.class",
                plan.spec().job().isPresent()
                        ? KubernetesApplicationClusterEntrypoint.class.getName()
                        : KubernetesSessionClusterEntrypoint.class.getName());
        Configuration configuration = Configuration.fromMap(options);
        return KubernetesJobManagerFactory.buildKubernetesJobManagerSpecification(
                flinkPod(PodTemplates.jobManager(plan)),
                new KubernetesJobManagerParameters(configuration, size(configuration)));
    }

    /** The spec's own, or else those that the operator's configuration has for every cluster. */
    static Map<String, String> logFiles(ClusterPlan plan) {
        Map<String, String> files = new TreeMap<>(plan.spec().logConfiguration());
        files.keySet().retainAll(LOG_FILES.keySet());
        if (files.isEmpty()) {
            Options options = new Options(plan.effective());
            LOG_FILES.forEach(
                    (name, option) -> options.get(option).ifPresent(text -> files.put(name, text)));
        }
        return files;
    }

    private static ClusterSpecification size(Configuration configuration) {
        return new org.apache.flink.kubernetes.KubernetesClusterClientFactory()
                .getClusterSpecification(configuration);
    }

    private static FlinkPod flinkPod(ObjectNode template) {
        Pod pod = Serialization.unmarshal(template.toString(), Pod.class);
        List<Container> others = new ArrayList<>(pod.getSpec().getContainers());
        Container main =
                others.stream()
                        .filter(
                                container ->
                                        container.getName().equals(PodTemplates.MAIN_CONTAINER))
                        .findFirst()
                        .orElseThrow();
        others.remove(main);
        Pod withoutMain = new PodBuilder(pod).editSpec().withContainers(others).endSpec().build();
        return new FlinkPod.Builder().withPod(withoutMain).withMainContainer(main).build();
    }

    private static Deployment owned(Deployment deployment, ClusterPlan plan) {
        deployment
                .getMetadata()
                .setOwnerReferences(
                        List.of(
                                new OwnerReferenceBuilder()
                                        .withApiVersion(ApiVersion.TEXT)
                                        .withKind("FlinkDeployment")
                                        .withName(plan.name())
                                        .withUid(plan.uid())
                                        .withController(false)
                                        .withBlockOwnerDeletion(true)
                                        .build()));
        return deployment;
    }

    /**
     * Namespaces the manifest and replaces the folder it was rendered in by the one it will be
     * mounted at.
     */
    private static void settle(HasMetadata manifest, ClusterPlan plan, RenderFolder folder) {
        manifest.getMetadata().setNamespace(plan.namespace());
        if (manifest instanceof ConfigMap map) {
            map.getData()
                    .replaceAll((_, text) -> text.replace(folder.path(), TEMPLATE_FOLDER_IN_POD));
        }
    }

    private static String json(Object shaded) {
        String text = Serialization.asJson(shaded);
        try {
            return JSON.readTree(text).toString();
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException("Flink's own manifest is no JSON", impossible);
        }
    }
}
