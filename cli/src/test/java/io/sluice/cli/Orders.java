// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

/** The FlinkDeployment {@code orders}, which is valid in every respect. */
public final class Orders {
    /** As its user wrote it. */
    public static final String YAML = withMetadata("{name: orders, namespace: shop}");

    private Orders() {}

    /**
     * The same with other metadata.
     *
     * @param metadata in one line
     */
    public static String withMetadata(String metadata) {
        return """
        apiVersion: flink.apache.org/v1beta1
        kind: FlinkDeployment
        metadata: %s
        spec:
          image: flink:1.20
          flinkVersion: v1_20
          serviceAccount: flink
          flinkConfiguration:
            execution.checkpointing.dir: s3://bucket/checkpoints
          jobManager: {resource: {cpu: 1, memory: 1Gi}}
          taskManager: {resource: {cpu: 1, memory: 1Gi}}
          job: {jarURI: "local:///job.jar", parallelism: 2, upgradeMode: stateless}
        """
                .formatted(metadata);
    }
}
