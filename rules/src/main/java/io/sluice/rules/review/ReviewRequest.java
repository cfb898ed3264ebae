// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.review;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.ResourceKind;

/**
 * A resource to be reviewed, which is not modified.
 *
 * @param namespace empty if it is not known
 * @param resource the whole resource, its status included
 */
public record ReviewRequest(ResourceKind kind, String namespace, String name, ObjectNode resource) {

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
