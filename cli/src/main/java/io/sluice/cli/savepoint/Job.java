// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.savepoint;

import io.sluice.api.RawResource;
import io.sluice.api.spec.ResourceKind;
import io.sluice.cli.cluster.KindWords;
import java.util.List;
import java.util.Optional;

/**
 * The job of a snapshot.
 *
 * @param kind FlinkDeployment or FlinkSessionJob
 * @param redeployNonce {@code spec.job.savepointRedeployNonce}; 0 if it is not set, or could not be
 *     read
 * @param maker kind and name of the resource that the job's resource belongs to, such as a
 *     FlinkBlueGreenDeployment; empty if users edit the job itself
 */
record Job(ResourceKind kind, String name, long redeployNonce, Optional<String> maker) {
    /** A job of which only the name is known. */
    static Job named(ResourceKind kind, String name) {
        return new Job(kind, name, 0, Optional.empty());
    }

    static Job of(RawResource resource) {
        return new Job(
                resource.kind(),
                resource.getMetadata().getName(),
                Optional.ofNullable(resource.getSpec())
                        .map(spec -> spec.at("/job/savepointRedeployNonce").asLong(0))
                        .orElse(0L),
                Optional.ofNullable(resource.getMetadata().getOwnerReferences())
                        .orElse(List.of())
                        .stream()
                        .filter(owner -> Boolean.TRUE.equals(owner.getController()))
                        .map(owner -> owner.getKind() + " " + owner.getName())
                        .findFirst());
    }

    /** For people. */
    String text() {
        return kind.wire() + " " + name;
    }

    /** As kubectl takes it. */
    String argument() {
        return KindWords.argument(kind, name);
    }
}
