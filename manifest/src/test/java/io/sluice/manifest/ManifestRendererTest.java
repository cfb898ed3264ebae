// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class ManifestRendererTest {
    private static final String CLUSTER_ID = "high-availability.cluster-id";
    private static final Path GOLDEN = Path.of("src/test/resources/manifests");
    private static final String APPLICATION =
            """
            image: flink:1.20
            flinkVersion: v1_20
            serviceAccount: flink
            flinkConfiguration: {taskmanager.numberOfTaskSlots: 2, kubernetes.operator.x: y, job.autoscaler.enabled: true, pipeline.jobvertex-parallelism-overrides: "cbc357ccb763df2852fee8c4fc7d55f2:2"}
            jobManager: {resource: {cpu: 0.5, memory: 1g, ephemeralStorage: 2g}}
            taskManager: {resources: {requests: {cpu: 100m, memory: 1Gi, ephemeral-storage: 1Gi}, limits: {cpu: 1, memory: 1Gi, nvidia.com/gpu: 1}, claims: [{name: card, request: half}]}}
            podTemplate: {metadata: {labels: {team: a}}, spec: {containers: [{name: flink-main-container, env: [{name: A, value: b}]}]}}
            job: {jarURI: "local:///opt/flink/usrlib/a.jar", entryClass: a.B, args: [--x, "1;2"], parallelism: 2}
            """;

    @Test
    void rendersAnApplicationAsFlinkItselfWould() throws Exception {
        String yaml =
                ManifestRenderer.render(plan(APPLICATION)).stream()
                        .map(new KubernetesSerialization()::asYaml)
                        .collect(Collectors.joining());

        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(GOLDEN.resolve("application.yaml"), yaml);
        }
        assertThat(yaml).isEqualTo(Files.readString(GOLDEN.resolve("application.yaml")));
    }

    @Test
    void rendersTheSameTwice() throws Exception {
        assertThat(ManifestRenderer.render(plan(APPLICATION)))
                .isEqualTo(ManifestRenderer.render(plan(APPLICATION)));
    }

    @Test
    void letsThePodsPassPodSecurityRestricted() throws Exception {
        assertPassesPodSecurityRestricted(APPLICATION);
    }

    /** To the API server null is as good as nothing, and nothing is not what the standard asks. */
    @Test
    void takesNullForNothingSaid() throws Exception {
        assertPassesPodSecurityRestricted(
                APPLICATION
                        .replace(
                                "{name: flink-main-container,",
                                "{name: flink-main-container, securityContext:"
                                        + " {allowPrivilegeEscalation: null, capabilities: null},")
                        .replace(
                                "spec: {containers:",
                                "spec: {securityContext: {runAsNonRoot: null, seccompProfile:"
                                        + " null}, containers:"));
    }

    private static void assertPassesPodSecurityRestricted(String spec) throws Exception {
        var pod =
                ((Deployment) ManifestRenderer.render(plan(spec)).getFirst())
                        .getSpec()
                        .getTemplate()
                        .getSpec();

        assertThat(pod.getSecurityContext().getRunAsNonRoot()).isTrue();
        assertThat(pod.getSecurityContext().getSeccompProfile().getType())
                .isEqualTo("RuntimeDefault");
        var container = pod.getContainers().getFirst().getSecurityContext();
        assertThat(container.getAllowPrivilegeEscalation()).isFalse();
        assertThat(container.getCapabilities().getDrop()).containsExactly("ALL");
    }

    @Test
    void keepsWhatIsTheOperatorsOutOfFlinksConfiguration() throws Exception {
        assertThat(AttemptOptions.of(plan(APPLICATION)))
                .doesNotContainKeys("kubernetes.operator.x", "job.autoscaler.enabled")
                .containsEntry("taskmanager.memory.process.size", "1073741824b")
                .containsEntry("kubernetes.taskmanager.cpu.limit-factor", "10")
                .containsEntry("$internal.application.program-args", "--x;'1;2'");
    }

    @Test
    void startsFromTheSavepointItIsGivenAndFromNoOther() throws Exception {
        String named =
                APPLICATION.replace(
                        "kubernetes.operator.x: y",
                        "execution.savepoint.path: a, execution.state-recovery.path: b");

        assertThat(AttemptOptions.of(plan(named, new StartFrom.Savepoint("s3://b/s"))))
                .containsEntry("execution.state-recovery.path", "s3://b/s")
                .doesNotContainKey("execution.savepoint.path");
        assertThat(AttemptOptions.of(plan(named)))
                .doesNotContainKeys("execution.state-recovery.path", "execution.savepoint.path");
        assertThat(
                        AttemptOptions.of(
                                plan(
                                        named.replace("v1_20", "v1_19"),
                                        new StartFrom.Savepoint("s3://b/s"))))
                .containsEntry("execution.savepoint.path", "s3://b/s");
    }

    @Test
    void namesNoPathWhereTheMetadataHasToTell() throws Exception {
        assertThat(AttemptOptions.of(plan(APPLICATION, new StartFrom.LastState())))
                .containsEntry("execution.state-recovery.path", StateOptions.LAST_STATE);
    }

    @Test
    void keepsTheResultOfEachAttemptInAFolderOfItsOwn() throws Exception {
        String available =
                APPLICATION.replace(
                        "kubernetes.operator.x: y",
                        "high-availability.type: kubernetes, high-availability.storageDir:"
                                + " 's3://b/ha/'");

        assertThat(AttemptOptions.of(plan(available)))
                .containsEntry(
                        "job-result-store.storage-path",
                        "s3://b/ha/job-result-store/orders/fedcba9876543210fedcba9876543210")
                .containsEntry("job-result-store.delete-on-commit", "false");
    }

    @Test
    void givesEachAttemptAtAJobANodeOfItsOwnInZooKeeper() throws Exception {
        String inZooKeeper = "high-availability.type: ZOOKEEPER";
        String job = APPLICATION.replace("kubernetes.operator.x: y", inZooKeeper);
        String session = "{flinkVersion: v1_20, flinkConfiguration: {" + inZooKeeper + "}}";

        assertThat(AttemptOptions.of(plan(job)))
                .containsEntry(CLUSTER_ID, "orders-fedcba9876543210fedcba9876543210");
        assertThat(AttemptOptions.of(plan(session))).containsEntry(CLUSTER_ID, "orders");
        assertThat(AttemptOptions.of(plan(APPLICATION))).containsEntry(CLUSTER_ID, "orders");
    }

    @Test
    void readsMemoryInBothNotations() {
        assertThat(AttemptOptions.bytes("1g")).isEqualTo(1L << 30);
        assertThat(AttemptOptions.bytes("2048 mb")).isEqualTo(2L << 30);
        assertThat(AttemptOptions.bytes("2Gi")).isEqualTo(2L << 30);
        assertThat(AttemptOptions.bytes("1.5Gi")).isEqualTo(3L << 29);
    }

    private static ClusterPlan plan(String spec) throws Exception {
        return Plans.of(spec);
    }

    private static ClusterPlan plan(String spec, StartFrom from) throws Exception {
        return Plans.of(spec, from);
    }
}
