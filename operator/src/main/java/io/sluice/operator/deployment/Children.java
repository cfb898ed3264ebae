// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import java.util.List;
import java.util.Optional;

/** What caches hold of a resource's children. */
public record Children(
        Optional<Deployment> jobManager, List<Pod> pods, Optional<ConfigMap> overrides) {
    public Children {
        pods = List.copyOf(pods);
    }
}
