// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.spec;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import java.util.Optional;

/**
 * {@code spec.jobReference}: the job of a snapshot, in the snapshot's own namespace.
 *
 * @param kind FlinkDeployment or FlinkSessionJob
 */
public record JobReference(Optional<ResourceKind> kind, Optional<String> name) {
    static JobReference read(Fields fields) {
        return new JobReference(fields.choice("kind", ResourceKind.OF_JOBS), fields.string("name"));
    }

    void writeTo(ObjectNode node) {
        kind.ifPresent(it -> node.put("kind", it.wire()));
        name.ifPresent(it -> node.put("name", it));
    }
}
