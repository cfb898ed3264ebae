// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.spec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Fields;
import io.sluice.api.json.Parsed;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * {@code FlinkStateSnapshot.spec}.
 *
 * @param checkpoint whether a checkpoint is asked for; it has no options
 * @param backoffLimit how often a failure is tried again; 0 is never, -1 is without limit
 */
public record FlinkStateSnapshotSpec(
        Optional<JobReference> jobReference,
        Optional<SavepointSpec> savepoint,
        boolean checkpoint,
        int backoffLimit) {
    private static final int UNLIMITED = -1;

    /** Whether the snapshot is only registered, so that its job need not exist. */
    public boolean isRegistration() {
        return savepoint.filter(SavepointSpec::alreadyExists).isPresent();
    }

    /**
     * The paths of the fields, from {@code spec} on, in which another snapshot is asked for than by
     * {@code other}. When it is disposed of and how often it is tried again does not count.
     */
    public List<String> changesOf(FlinkStateSnapshotSpec other) {
        List<String> changes = new ArrayList<>();
        if (!jobReference.equals(other.jobReference)) {
            changes.add("spec.jobReference");
        }
        if (checkpoint != other.checkpoint) {
            changes.add("spec.checkpoint");
        }
        if (savepoint.isPresent() != other.savepoint.isPresent()) {
            changes.add("spec.savepoint");
        }
        savepoint.ifPresent(
                now -> other.savepoint.ifPresent(before -> changes.addAll(now.changesOf(before))));
        return changes;
    }

    /** Reads a spec as it stands in a resource; {@code path} is what problems call it. */
    public static Parsed<FlinkStateSnapshotSpec> parse(JsonNode spec, String path) {
        return Fields.read(spec, path, FlinkStateSnapshotSpec::read);
    }

    /** The spec as it stands in a resource. */
    public ObjectNode toJson() {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        jobReference.ifPresent(it -> it.writeTo(node.putObject("jobReference")));
        savepoint.ifPresent(it -> it.writeTo(node.putObject("savepoint")));
        if (checkpoint) {
            node.putObject("checkpoint");
        }
        return node.put("backoffLimit", backoffLimit);
    }

    private static FlinkStateSnapshotSpec read(Fields fields) {
        return new FlinkStateSnapshotSpec(
                fields.object("jobReference", JobReference::read),
                fields.object("savepoint", SavepointSpec::read),
                fields.raw("checkpoint").isPresent(),
                fields.int32("backoffLimit").orElse(UNLIMITED));
    }
}
