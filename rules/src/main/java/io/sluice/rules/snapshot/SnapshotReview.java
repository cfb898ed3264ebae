// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.snapshot;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Parsed;
import io.sluice.api.spec.FlinkStateSnapshotSpec;
import io.sluice.api.spec.JobReference;
import io.sluice.api.spec.ResourceKind;
import io.sluice.api.status.snapshot.FlinkStateSnapshotStatus;
import io.sluice.api.status.snapshot.SnapshotState;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.review.Lookup;
import io.sluice.rules.review.ReviewRequest;
import io.sluice.rules.review.SpecSize;
import java.util.Optional;

/**
 * Everything the rules of a FlinkStateSnapshot look at.
 *
 * @param size of the spec
 * @param isPending whether nothing has been asked of Flink yet
 * @param started the spec of which the snapshot was started, if this is a change of it
 * @param target what was found of the job; unknown if no job is named
 * @param job the job that was found, if the snapshot is still to be taken of it
 */
public record SnapshotReview(
        FlinkStateSnapshotSpec spec,
        SpecSize size,
        boolean isPending,
        Optional<FlinkStateSnapshotSpec> started,
        Lookup.Answer target,
        Optional<SnapshotJob> job) {

    public static Parsed<SnapshotReview> read(
            ReviewRequest request, Lookup lookup, DefaultConfiguration defaults) {
        var parsed = FlinkStateSnapshotSpec.parse(request.resource().path("spec"), "spec");
        var status =
                FlinkStateSnapshotStatus.of(
                        request.resource().get("status") instanceof ObjectNode stored
                                ? stored
                                : JsonNodeFactory.instance.objectNode());
        boolean isPending = status.state() == SnapshotState.TRIGGER_PENDING;
        Optional<JobReference> reference = parsed.value().jobReference();
        Optional<ResourceKind> kind = reference.flatMap(JobReference::kind);
        Optional<String> name = reference.flatMap(JobReference::name);
        Lookup.Answer target =
                kind.isPresent() && name.isPresent()
                        ? lookup.find(kind.get(), request.namespace(), name.get())
                        : new Lookup.Unknown();
        return new Parsed<>(
                new SnapshotReview(
                        parsed.value(),
                        SpecSize.of(request.resource().path("spec"), "spec"),
                        isPending,
                        request.stored().filter(_ -> !isPending).map(SnapshotReview::specOf),
                        target,
                        isPending && !parsed.value().isRegistration()
                                ? SnapshotJob.of(
                                        target, reference, request.namespace(), lookup, defaults)
                                : Optional.empty()),
                parsed.problems());
    }

    private static FlinkStateSnapshotSpec specOf(ObjectNode resource) {
        return FlinkStateSnapshotSpec.parse(resource.path("spec"), "spec").value();
    }
}
