// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.spec;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import java.util.Optional;

/**
 * {@code spec.savepoint} of a snapshot.
 *
 * @param path where it lies or is to lie; empty for the job's own savepoint folder
 * @param disposeOnDelete whether the savepoint goes with the resource
 * @param alreadyExists whether it was made elsewhere and is only registered here
 */
public record SavepointSpec(
        Optional<String> path,
        SavepointFormat formatType,
        boolean disposeOnDelete,
        boolean alreadyExists) {
    static SavepointSpec read(Fields fields) {
        return new SavepointSpec(
                fields.string("path"),
                fields.choice("formatType", SavepointFormat.WORDS)
                        .orElse(SavepointFormat.CANONICAL),
                fields.bool("disposeOnDelete").orElse(true),
                fields.bool("alreadyExists").orElse(false));
    }

    void writeTo(ObjectNode node) {
        path.ifPresent(it -> node.put("path", it));
        node.put("formatType", formatType.name())
                .put("disposeOnDelete", disposeOnDelete)
                .put("alreadyExists", alreadyExists);
    }
}
