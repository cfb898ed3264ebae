// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodSpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The pod that pulls the images of a cluster, and what counts as another image. */
class ImagePullPodTest {
    private static final String SPEC =
            """
            image: flink:1
            imagePullPolicy: Always
            flinkVersion: v1_20
            serviceAccount: flink
            mode: MODE
            flinkConfiguration: {kubernetes.container.image.pull-secrets: a}
            jobManager: {resource: {cpu: 1, memory: 1g}}
            taskManager: {resource: {cpu: 1, memory: 1g}}
            podTemplate:
              spec:
                imagePullSecrets: [{name: b}, {name: c}]
                nodeSelector: {disk: fast}
                priorityClassName: jobs
                tolerations: [{key: gpu, operator: Exists}]
                affinity: {nodeAffinity: {}}
                volumes: [{name: v, emptyDir: {}}]
                containers:
                  - name: flink-main-container
                    volumeMounts: [{name: v, mountPath: /v}]
            job: {jarURI: "local:///job.jar", parallelism: 1}
            """;

    private static Pod pod(String spec) throws Exception {
        return ImagePullPod.render(Plans.of(spec), "orders-image-pull-1");
    }

    private static ImageSources sources(String spec) throws Exception {
        ClusterPlan plan = Plans.of(spec);
        return ImageSources.of(plan.spec(), plan.effective());
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "standalone"})
    void pullsAndIsPlacedAsTheJobManagersPodIs(String mode) throws Exception {
        PodSpec spec = pod(SPEC.replace("MODE", mode)).getSpec();

        assertThat(spec.getContainers())
                .extracting(Container::getName, Container::getImage, Container::getImagePullPolicy)
                .containsExactly(tuple("job-manager", "flink:1", "Always"));
        assertThat(spec.getImagePullSecrets()).extracting("name").startsWith("b", "c");
        assertThat(spec.getServiceAccountName()).isEqualTo("flink");
        assertThat(spec.getNodeSelector()).containsEntry("disk", "fast");
        assertThat(spec.getPriorityClassName()).isEqualTo("jobs");
        assertThat(spec.getTolerations()).extracting("key").containsExactly("gpu");
        assertThat(spec.getAffinity()).isNotNull();
    }

    @Test
    void mountsNothingAndMayDoNothing() throws Exception {
        PodSpec spec = pod(SPEC.replace("MODE", "native")).getSpec();
        Container container = spec.getContainers().getFirst();

        assertThat(spec.getVolumes()).isEmpty();
        assertThat(container.getVolumeMounts()).isEmpty();
        assertThat(spec.getInitContainers()).isEmpty();
        assertThat(spec.getAutomountServiceAccountToken()).isFalse();
        assertThat(spec.getRestartPolicy()).isEqualTo("Never");
        assertThat(spec.getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(spec.getSecurityContext().getSeccompProfile().getType())
                .isEqualTo("RuntimeDefault");
        assertThat(container.getSecurityContext().getAllowPrivilegeEscalation()).isFalse();
        assertThat(container.getSecurityContext().getCapabilities().getDrop())
                .containsExactly("ALL");
    }

    @ParameterizedTest
    @ValueSource(strings = {"native", "standalone"})
    void belongsToTheResourceAndToNoCluster(String mode) throws Exception {
        Pod pod = pod(SPEC.replace("MODE", mode));

        assertThat(pod.getMetadata().getOwnerReferences())
                .extracting(OwnerReference::getKind, OwnerReference::getUid)
                .containsExactly(tuple("FlinkDeployment", "1f2e"));
        assertThat(pod.getMetadata().getNamespace()).isEqualTo("shop");
        assertThat(pod.getMetadata().getLabels())
                .containsOnlyKeys("type", "sluice.io/pulls-image-of")
                .containsEntry("type", "flink-image-pull");
    }

    @Test
    void pullsTheImageOfTheTaskManagersTooWhereThatIsAnother() throws Exception {
        String own =
                SPEC.replace("MODE", "native")
                        .replace("image: flink:1\n", "")
                        .replace(
                                "  - name: flink-main-container",
                                "  - name: flink-main-container\n        image: flink:1")
                        .replace(
                                "taskManager: {",
                                "taskManager: {podTemplate: {spec: {containers: [{name:"
                                        + " flink-main-container, image: \"flink:tm\"}]}}, ");

        assertThat(pod(own).getSpec().getContainers())
                .extracting(Container::getName, Container::getImage)
                .containsExactly(
                        tuple("job-manager", "flink:1"), tuple("task-manager", "flink:tm"));
        assertThat(sources(own).images()).containsExactly("flink:1", "flink:tm");
    }

    @ParameterizedTest
    @CsvSource({
        "image: flink:1, image: flink:2, false",
        "imagePullPolicy: Always, imagePullPolicy: Never, false",
        "pull-secrets: a, pull-secrets: d, false",
        "disk: fast, disk: slow, true",
        "parallelism: 1, parallelism: 2, true",
        "serviceAccount: flink, serviceAccount: other, true"
    })
    void onlyImagePolicyAndSecretsMakeAnotherSource(String from, String to, boolean isSame)
            throws Exception {
        String before = SPEC.replace("MODE", "native");

        assertThat(before).contains(from);
        assertThat(sources(before.replace(from, to)).equals(sources(before))).isEqualTo(isSame);
    }
}
