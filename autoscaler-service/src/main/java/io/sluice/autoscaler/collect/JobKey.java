// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.ResourceKind;

/** One resource for as long as it exists: another of the same name has another uid. */
public record JobKey(ResourceKind kind, String namespace, String name, String uid) {
    /** That of a FlinkDeployment. */
    public JobKey(String namespace, String name, String uid) {
        this(ResourceKind.FLINK_DEPLOYMENT, namespace, name, uid);
    }

    public static JobKey of(HasMetadata resource) {
        var metadata = resource.getMetadata();
        return new JobKey(
                resource instanceof FlinkSessionJob
                        ? ResourceKind.FLINK_SESSION_JOB
                        : ResourceKind.FLINK_DEPLOYMENT,
                metadata.getNamespace(),
                metadata.getName(),
                metadata.getUid());
    }

    /** As people write it. */
    public String path() {
        return namespace + "/" + name;
    }
}
