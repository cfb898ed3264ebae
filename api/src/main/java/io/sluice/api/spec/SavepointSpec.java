// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.spec;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import java.util.ArrayList;
import java.util.List;
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

    List<String> changesOf(SavepointSpec other) {
        List<String> changes = new ArrayList<>();
        if (!path.orElse("").equals(other.path.orElse(""))) {
            changes.add("spec.savepoint.path");
        }
        if (formatType != other.formatType) {
            changes.add("spec.savepoint.formatType");
        }
        if (alreadyExists != other.alreadyExists) {
            changes.add("spec.savepoint.alreadyExists");
        }
        return changes;
    }

    void writeTo(ObjectNode node) {
        path.ifPresent(it -> node.put("path", it));
        node.put("formatType", formatType.name())
                .put("disposeOnDelete", disposeOnDelete)
                .put("alreadyExists", alreadyExists);
    }
}
