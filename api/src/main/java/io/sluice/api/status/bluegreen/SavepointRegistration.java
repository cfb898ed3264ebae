// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status.bluegreen;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.StatusJson;
import io.sluice.api.spec.SavepointFormat;
import java.time.Instant;

/**
 * The savepoint of a transition that is to get a FlinkStateSnapshot. It is recorded before that is
 * created, so that a repeated creation makes no second one.
 *
 * @param name of the FlinkStateSnapshot, in the namespace of the pair
 * @param job the name of the FlinkDeployment that has made the savepoint
 * @param path where the savepoint is
 * @param disposesOnDelete whether the savepoint is deleted together with the FlinkStateSnapshot
 * @param since when it was recorded
 */
public record SavepointRegistration(
        String name,
        String job,
        String path,
        SavepointFormat format,
        boolean disposesOnDelete,
        Instant since) {
    static SavepointRegistration read(Fields fields) {
        return new SavepointRegistration(
                fields.string("name").orElse(""),
                fields.string("job").orElse(""),
                fields.string("path").orElse(""),
                fields.choice("formatType", SavepointFormat.WORDS)
                        .orElse(SavepointFormat.CANONICAL),
                fields.bool("disposeOnDelete").orElse(false),
                fields.string("since").flatMap(StatusJson::instant).orElse(Instant.EPOCH));
    }

    void writeTo(ObjectNode node) {
        node.put("name", name).put("job", job).put("path", path).put("formatType", format.wire());
        if (disposesOnDelete) {
            node.put("disposeOnDelete", true);
        }
        node.put("since", since.toString());
    }
}
