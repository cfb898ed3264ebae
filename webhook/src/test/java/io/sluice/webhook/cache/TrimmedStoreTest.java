// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.cache;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.utils.Serialization;
import org.junit.jupiter.api.Test;

class TrimmedStoreTest {
    @Test
    void holdsWhereTheSavepointsOfAJobGoAndWhetherItIsToRun() {
        // Given
        GenericKubernetesResource job =
                resource(
                        """
                        apiVersion: flink.apache.org/v1beta1
                        kind: FlinkDeployment
                        metadata: {name: orders, namespace: default}
                        spec:
                          image: orders:1
                          flinkVersion: v1_20
                          flinkConfiguration:
                            execution.checkpointing.interval: 5s
                            execution.checkpointing.savepoint-dir: s3://bucket/savepoints
                            state.savepoints.dir: s3://bucket/former
                          job: {jarURI: "local:///job.jar", state: suspended}
                        """);
        // When
        GenericKubernetesResource held = TrimmedStore.trimmed(job);
        // Then
        assertThat(Serialization.asYaml(held.getAdditionalProperties().get("spec")))
                .isEqualToIgnoringNewLines(
                        """
                        ---
                        flinkVersion: "v1_20"
                        job:
                          state: "suspended"
                        flinkConfiguration:
                          execution.checkpointing.savepoint-dir: "s3://bucket/savepoints"
                          state.savepoints.dir: "s3://bucket/former"
                        """);
    }

    @Test
    void holdsTheSessionClusterOfASessionJob() {
        // Given
        GenericKubernetesResource job =
                resource(
                        """
                        apiVersion: flink.apache.org/v1beta1
                        kind: FlinkSessionJob
                        metadata: {name: report, namespace: default}
                        spec:
                          deploymentName: session
                          job: {jarURI: "https://repo.example.org/job.jar"}
                        """);
        // When
        GenericKubernetesResource held = TrimmedStore.trimmed(job);
        // Then
        assertThat(Serialization.asYaml(held.getAdditionalProperties().get("spec")))
                .isEqualToIgnoringNewLines("---\ndeploymentName: \"session\"\njob: {}\n");
    }

    private static GenericKubernetesResource resource(String yaml) {
        return Serialization.unmarshal(yaml, GenericKubernetesResource.class);
    }
}
