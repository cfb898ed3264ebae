// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.child;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;

/** Where the API server serves objects of a namespace. */
final class ObjectPath {
    private ObjectPath() {}

    static String of(HasMetadata object) {
        return of(object.getClass(), object.getMetadata());
    }

    static String of(Class<? extends HasMetadata> kind, ObjectMeta metadata) {
        return ofAll(kind, metadata.getNamespace()) + "/" + metadata.getName();
    }

    /** Where objects of the kind are created. */
    static String ofAll(Class<? extends HasMetadata> kind, String namespace) {
        String version = HasMetadata.getApiVersion(kind);
        return (version.contains("/") ? "/apis/" : "/api/")
                + version
                + "/namespaces/"
                + namespace
                + "/"
                + HasMetadata.getPlural(kind);
    }
}
