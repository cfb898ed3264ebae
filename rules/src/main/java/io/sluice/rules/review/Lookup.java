// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.review;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.ResourceKind;
import java.util.Optional;

/**
 * Finds the resource that another one refers to. {@link Absent} refuses a snapshot, so a cache that
 * may lag behind has to ask the API server before it says so; what cannot be told is {@link
 * Unknown}, and the rules that need it are put off with a warning.
 */
@FunctionalInterface
public interface Lookup {
    /** Knows nothing: a file on a desk, a cache that is not there. */
    Lookup NOTHING = (_, _, _) -> new Unknown();

    /** What was found. Not to be modified. */
    Answer find(ResourceKind kind, String namespace, String name);

    /**
     * The same from what is at hand, for a rule that looks for what is mostly not there: nobody is
     * asked, and what was created a moment ago may be missed.
     */
    default Answer findAtHand(ResourceKind kind, String namespace, String name) {
        return find(kind, namespace, name);
    }

    /** One of three; "could not ask" is never "is not there". */
    sealed interface Answer {
        /** The spec of the FlinkDeployment that was looked for; empty if none was found. */
        default Optional<FlinkDeploymentSpec> deployment() {
            return this instanceof Found(var resource)
                    ? Optional.of(FlinkDeploymentSpec.parse(resource.path("spec"), "spec").value())
                    : Optional.empty();
        }
    }

    /**
     * @param resource the whole resource, at least its metadata and spec
     */
    record Found(ObjectNode resource) implements Answer {}

    /** It certainly does not exist. */
    record Absent() implements Answer {}

    /** Nobody could say. */
    record Unknown() implements Answer {}
}
