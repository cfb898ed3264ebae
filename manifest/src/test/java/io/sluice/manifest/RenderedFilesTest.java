// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A resource that was stored with such keys, whoever let it pass, reads nothing of ours. */
class RenderedFilesTest {
    private static final String CONTENT = "content-of-the-operators-file";
    private static final List<String> NAMES =
            List.of("log4j-console.properties", "logback-console.xml", "core-site.xml", "file");

    @TempDir private Path folder;

    @ParameterizedTest
    @ValueSource(
            strings = {
                "security.keytab",
                "security.kerberos.login.keytab",
                "security.kerberos.krb5-conf.path",
                "$internal.deployment.config-dir",
                "kubernetes.config.file",
                "kubernetes.pod-template-file",
                "kubernetes.pod-template-file.default",
                "kubernetes.pod-template-file.jobmanager",
                "kubernetes.pod-template-file.taskmanager",
                "env.hadoop.conf.dir",
                "kubernetes.hadoop.conf.config-map.name",
            })
    void noFileOutsideOfItsOwnFolderIsRead(String key) throws Exception {
        for (String name : NAMES) {
            Files.writeString(folder.resolve(name), CONTENT);
        }
        for (Path path : List.of(folder, folder.resolve("file"))) {
            String read = yaml(rendered(key, path));

            assertThat(read).doesNotContain(CONTENT).doesNotContain("kind: Secret");
            assertThat(yaml(rendered(key, path.resolveSibling("missing"))))
                    .isEqualTo(
                            read.replace(
                                    path.toString(), path.resolveSibling("missing").toString()));
        }
    }

    @Test
    void aConfigMapWithHadoopsFilesIsMountedAndNoFolderOfTheOperator() throws Exception {
        assertThat(yaml(Plans.of(spec("kubernetes.hadoop.conf.config-map.name", "hadoop-shop"))))
                .contains("name: hadoop-shop");
        assertThat(AttemptOptions.of(Plans.of(spec("a", "b"))))
                .containsEntry("kubernetes.decorator.hadoop-conf-mount.enabled", "false")
                .containsEntry("kubernetes.decorator.kerberos-mount.enabled", "false");
        assertThat(
                        AttemptOptions.of(
                                Plans.of(
                                        spec(
                                                "kubernetes.decorator.kerberos-mount.enabled",
                                                "true"))))
                .containsEntry("kubernetes.decorator.kerberos-mount.enabled", "false");
    }

    @Test
    void aKeytabOfThePodsIsStillConfigured() throws Exception {
        assertThat(yaml(Plans.of(spec("security.kerberos.login.keytab", "/mounted/keytab"))))
                .contains("/mounted/keytab");
    }

    private static ClusterPlan rendered(String key, Path path) throws Exception {
        return Plans.of(spec(key, path.toString()));
    }

    private static String spec(String key, String value) {
        return """
               image: flink:1.20
               flinkVersion: v1_20
               serviceAccount: flink
               flinkConfiguration: {%s"%s": "%s"}
               jobManager: {resource: {cpu: 0.5, memory: 1g}}
               taskManager: {resource: {cpu: 0.5, memory: 1g}}
               job: {jarURI: "local:///opt/flink/usrlib/a.jar", parallelism: 2}
               """
                .formatted(
                        // Flink wants both or none, in whoever's files
                        key.endsWith("keytab") ? "security.kerberos.login.principal: me, " : "",
                        key,
                        value);
    }

    private static String yaml(ClusterPlan plan) {
        List<HasMetadata> manifests = ManifestRenderer.render(plan);
        return manifests.stream()
                .map(new KubernetesSerialization()::asYaml)
                .collect(Collectors.joining());
    }
}
