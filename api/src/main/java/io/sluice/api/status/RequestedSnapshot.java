// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import java.util.Optional;

/**
 * The FlinkStateSnapshot that carries a request of a job. Its name is recorded before it is
 * created, so that a repeated creation makes no second one.
 *
 * @param name in the namespace of the job
 * @param path the folder that the savepoint goes to, or the savepoint that a stop has made and that
 *     is only registered; empty for a checkpoint
 * @param disposesOnDelete whether the savepoint is deleted together with the snapshot
 * @param isSeen whether it has been seen since; then one that does not exist was deleted
 */
public record RequestedSnapshot(
        String name, Optional<String> path, boolean disposesOnDelete, boolean isSeen) {
    /** It was seen. */
    public RequestedSnapshot seen() {
        return new RequestedSnapshot(name, path, disposesOnDelete, true);
    }

    static RequestedSnapshot read(Fields fields) {
        return new RequestedSnapshot(
                fields.string("name").orElse(""),
                fields.string("path"),
                fields.bool("disposeOnDelete").orElse(false),
                fields.bool("seen").orElse(false));
    }

    void writeTo(ObjectNode node) {
        node.put("name", name);
        path.ifPresent(it -> node.put("path", it));
        if (disposesOnDelete) {
            node.put("disposeOnDelete", true);
        }
        if (isSeen) {
            node.put("seen", true);
        }
    }
}
