// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.defaults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.ResourceKind;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;

/**
 * One value filled in.
 *
 * @param id stable, kebab-case
 * @param kinds which resources get it
 * @param parent JSON Pointer of the object that it goes into
 * @param needsParent whether a resource without that object gets nothing
 * @param shown the value, or where it comes from, for the reference
 * @param why what it is good for
 * @param value what to fill in; empty if there is nothing to say
 * @param replaces whether another value is replaced, too
 */
public record Default(
        String id,
        Set<ResourceKind> kinds,
        String parent,
        boolean needsParent,
        String field,
        String shown,
        String why,
        Function<ObjectNode, Optional<String>> value,
        boolean replaces) {

    /** A constant that goes into an object that is there. */
    static Default constant(
            String id,
            Set<ResourceKind> kinds,
            String parent,
            String field,
            String value,
            String why) {
        return new Default(
                id,
                kinds,
                parent,
                true,
                field,
                "`" + value + "`",
                why,
                _ -> Optional.of(value),
                false);
    }

    /** What {@code resource} lacks of this; empty if it lacks nothing. */
    Optional<String> missing(ObjectNode resource) {
        JsonNode into = resource.at(parent);
        boolean fits = into.isObject() || (!needsParent && isAbsent(into));
        JsonNode now = into.path(field);
        return value.apply(resource)
                .filter(_ -> fits)
                .filter(wanted -> isAbsent(now) || (replaces && !now.asText("").equals(wanted)));
    }

    private static boolean isAbsent(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }
}
