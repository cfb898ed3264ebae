// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class StandaloneRendererTest {
    private static final Path GOLDEN = Path.of("src/test/resources/manifests/standalone.yaml");
    private static final String APPLICATION =
            """
            image: flink:1.20
            flinkVersion: v1_20
            serviceAccount: flink
            mode: standalone
            flinkConfiguration: {taskmanager.numberOfTaskSlots: 2, kubernetes.operator.x: y}
            jobManager: {resource: {cpu: 0.5, memory: 1g, ephemeralStorage: 2g}}
            taskManager: {resources: {requests: {cpu: 100m, memory: 1Gi, ephemeral-storage: 1Gi}, limits: {cpu: 1, memory: 1Gi, nvidia.com/gpu: 1}, claims: [{name: card, request: half}]}}
            podTemplate: {metadata: {labels: {team: a}}, spec: {containers: [{name: flink-main-container, env: [{name: A, value: b}]}]}}
            job: {jarURI: "local:///opt/flink/examples/a.jar", entryClass: a.B, args: [--x, "1;2"], parallelism: 3}
            """;

    @Test
    void rendersBothDeploymentsWithWhatTheyNeed() throws Exception {
        String yaml =
                render(APPLICATION, new StartFrom.Nothing()).stream()
                        .map(new KubernetesSerialization()::asYaml)
                        .collect(Collectors.joining());

        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(GOLDEN, yaml);
        }
        assertThat(yaml).isEqualTo(Files.readString(GOLDEN));
    }

    @Test
    void startsAsManyTaskManagersAsTheParallelismNeeds() throws Exception {
        assertThat(taskManagers(APPLICATION)).isEqualTo(2);
        assertThat(
                        taskManagers(
                                APPLICATION.replace(
                                        "taskManager: {", "taskManager: {replicas: 5, ")))
                .isEqualTo(5);
    }

    @Test
    void tellsTheJobManagerWhatToStartFrom() throws Exception {
        assertThat(arguments(APPLICATION, new StartFrom.Savepoint("s3://b/sp")))
                .containsExactly(
                        "standalone-job",
                        "--job-classname",
                        "a.B",
                        "--fromSavepoint",
                        "s3://b/sp",
                        "--x",
                        "1;2");
    }

    @Test
    void letsAHighlyAvailableJobManagerBeFoundByItsOwnAddress() throws Exception {
        String available =
                APPLICATION.replace(
                        "kubernetes.operator.x: y",
                        "high-availability.type: kubernetes, high-availability.storageDir: 's3://b/h'");

        assertThat(arguments(available, new StartFrom.LastState()))
                .containsSubsequence("--fromSavepoint", StateOptions.LAST_STATE)
                .containsSubsequence("-D", "jobmanager.rpc.address=$(POD_IP)", "--x");
        assertThat(render(available, new StartFrom.Nothing()))
                .extracting(manifest -> manifest.getMetadata().getName())
                .containsExactly(
                        "orders", "flink-config-orders", "orders-rest", "orders-taskmanager");
    }

    @Test
    void rendersASessionClusterWithoutAJob() throws Exception {
        String session = APPLICATION.replaceAll("(?m)^job:.*$", "");

        assertThat(arguments(session, new StartFrom.Nothing())).containsExactly("jobmanager");
    }

    @Test
    void leavesTheFolderOfUserCodeAloneWhereTheImageHoldsTheJar() throws Exception {
        String inImage = APPLICATION.replace("/opt/flink/examples/", "/opt/flink/usrlib/");

        assertThat(render(inImage, new StartFrom.Nothing()).toString())
                .doesNotContain("user-library");
        assertThat(render(APPLICATION, new StartFrom.Nothing()).toString())
                .contains("user-library");
    }

    @Test
    void writesTheConfigurationInTheLayoutOfTheVersion() throws Exception {
        assertThat(configuration(APPLICATION)).containsOnlyKeys("flink-conf.yaml");
        assertThat(configuration(APPLICATION).get("flink-conf.yaml"))
                .contains("pipeline.classpaths: file:///opt/flink/examples/a.jar")
                .contains("parallelism.default: 3")
                .doesNotContain("kubernetes.operator.x", "execution.target", "pipeline.jars");
        assertThat(configuration(APPLICATION.replace("v1_20", "v2_0")))
                .containsOnlyKeys("config.yaml");
    }

    /** The scripts of Flink's images look for options by line. */
    @Test
    void writesEachOptionOnALineOfItsOwn() throws Exception {
        assertThat(configuration(APPLICATION.replace("v1_20", "v2_0")).get("config.yaml").lines())
                .anyMatch(
                        line ->
                                line.startsWith("env.java.default-opts.all: ")
                                        && line.contains("java.base/sun.nio.ch"))
                .noneMatch(line -> line.startsWith(" "));
    }

    private static int taskManagers(String spec) throws Exception {
        return ((Deployment) render(spec, new StartFrom.Nothing()).getLast())
                .getSpec()
                .getReplicas();
    }

    private static List<String> arguments(String spec, StartFrom from) throws Exception {
        return ((Deployment) render(spec, from).getFirst())
                .getSpec()
                .getTemplate()
                .getSpec()
                .getContainers()
                .getFirst()
                .getArgs();
    }

    private static Map<String, String> configuration(String spec) throws Exception {
        return render(spec, new StartFrom.Nothing()).stream()
                .filter(ConfigMap.class::isInstance)
                .map(ConfigMap.class::cast)
                .findFirst()
                .orElseThrow()
                .getData();
    }

    private static List<HasMetadata> render(String spec, StartFrom from) throws Exception {
        return ManifestRenderer.render(Plans.of(spec, from));
    }
}
