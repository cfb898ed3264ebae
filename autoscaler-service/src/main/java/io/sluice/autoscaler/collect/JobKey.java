// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import io.sluice.api.FlinkDeployment;

/** One resource for as long as it exists: another of the same name has another uid. */
public record JobKey(String namespace, String name, String uid) {
    public static JobKey of(FlinkDeployment resource) {
        var metadata = resource.getMetadata();
        return new JobKey(metadata.getNamespace(), metadata.getName(), metadata.getUid());
    }

    /** As people write it. */
    public String path() {
        return namespace + "/" + name;
    }
}
