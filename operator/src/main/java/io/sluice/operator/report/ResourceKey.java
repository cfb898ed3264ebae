// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import io.fabric8.kubernetes.api.model.HasMetadata;

/**
 * The resource that a series is about. Kinds don't share a series, even where namespace and name
 * are the same.
 */
record ResourceKey(String kind, String namespace, String name) {
    static ResourceKey of(HasMetadata resource) {
        return new ResourceKey(
                resource.getKind(),
                resource.getMetadata().getNamespace(),
                resource.getMetadata().getName());
    }
}
