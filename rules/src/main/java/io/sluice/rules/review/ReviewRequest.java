// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.review;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.ResourceKind;
import java.util.Optional;

/**
 * A resource to be reviewed, which is not modified.
 *
 * @param namespace empty if it is not known
 * @param resource the whole resource, its status included
 * @param stored the resource before the write, of which the spec counts; empty for one that is
 *     created, and where only what is stored is reviewed
 */
public record ReviewRequest(
        ResourceKind kind,
        String namespace,
        String name,
        ObjectNode resource,
        Optional<ObjectNode> stored) {
    /** A resource that does not replace another one, as far as is known. */
    public ReviewRequest(ResourceKind kind, String namespace, String name, ObjectNode resource) {
        this(kind, namespace, name, resource, Optional.empty());
    }

    /** A resource by itself, named as its metadata says. */
    public static ReviewRequest of(ResourceKind kind, ObjectNode resource) {
        var metadata = resource.path("metadata");
        return new ReviewRequest(
                kind,
                metadata.path("namespace").asText(""),
                metadata.path("name").asText(""),
                resource);
    }
}
