// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.sluice.testkit.LoadedClasses;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Flink's jars hold copies of libraries with known weaknesses; rendering does not touch those. */
class LoadedClassesTest {
    private static final Path ADVISORIES = Path.of("../supply/known-vulnerabilities.yaml");

    /**
     * Renders a cluster with what makes Flink look into files: templates, logs, Kerberos, Hadoop.
     */
    public static final class Rendering implements Runnable {
        @Override
        public void run() {
            try {
                ManifestRenderer.render(
                        Plans.of(
                                """
                                image: flink:1.20
                                flinkVersion: v1_20
                                serviceAccount: flink
                                flinkConfiguration: {high-availability.type: kubernetes, high-availability.storageDir: "s3://a/b", kubernetes.hadoop.conf.config-map.name: hadoop}
                                logConfiguration: {log4j-console.properties: "rootLogger.level = INFO"}
                                jobManager: {resource: {cpu: 0.5, memory: 1g}}
                                taskManager: {resource: {cpu: 1, memory: 1g}}
                                podTemplate: {metadata: {labels: {team: a}}}
                                job: {jarURI: "local:///opt/flink/usrlib/a.jar", entryClass: a.B, args: [--x], parallelism: 2}
                                """));
            } catch (JsonProcessingException malformed) {
                throw new IllegalArgumentException(malformed);
            }
        }
    }

    @Test
    void renderingLoadsNoClassThatAnAdvisoryIsArguedToBeOutOfReachBy() throws Exception {
        List<String> never = LoadedClasses.saidNeverToBeLoaded(ADVISORIES);
        Set<String> loaded = LoadedClasses.by(Rendering.class);

        assertThat(never).contains("org.apache.flink.kubernetes.shaded.okio.");
        assertThat(loaded)
                .contains(
                        "org.apache.flink.kubernetes.kubeclient.factory.KubernetesJobManagerFactory")
                .noneMatch(name -> never.stream().anyMatch(name::startsWith));
    }
}
