// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.spec.FlinkStateSnapshotSpec;
import io.sluice.api.spec.SavepointSpec;
import io.sluice.api.spec.StateKind;
import io.sluice.api.status.TriggerType;
import io.sluice.api.status.snapshot.FlinkStateSnapshotStatus;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.DisposalResult;
import io.sluice.operator.model.ObservedState.Polls;
import io.sluice.operator.model.SpecView;
import io.sluice.operator.statesnapshot.SnapshotRetention.Siblings;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Everything that a decision about a snapshot looks at, read in one go.
 *
 * @param objection why the spec is not carried out, if it is not
 * @param labels of the resource
 * @param isHeld whether our finalizer, which is the Apache operator's too, is on the resource
 * @param job what of the job's configuration a snapshot depends on
 * @param jobManager where the job's JobManager answers; empty if there is none
 * @param answer what has come of the try on record
 * @param disposal what has come of the deletion of the files
 * @param need whether the files may be deleted
 * @param siblings the snapshots of the job for whose retention this one is responsible
 */
@RecordBuilder
record SnapshotObservedState(
        Identity identity,
        FlinkStateSnapshotSpec spec,
        Optional<SpecView.Invalid> objection,
        FlinkStateSnapshotStatus status,
        Map<String, String> labels,
        boolean isHeld,
        SnapshotTarget target,
        JobOptions job,
        Optional<URI> jobManager,
        AsyncResult answer,
        DisposalResult disposal,
        Need need,
        Limits limits,
        Siblings siblings,
        Polls polls,
        Instant now)
        implements SnapshotObservedStateBuilder.With {
    SnapshotObservedState {
        labels = Collections.unmodifiableMap(new LinkedHashMap<>(labels));
    }

    /**
     * Which resource this is.
     *
     * @param created when the resource was created
     * @param deleting whether its deletion has begun
     */
    @RecordBuilder
    record Identity(String uid, long generation, Instant created, boolean deleting)
            implements SnapshotObservedStateIdentityBuilder.With {}

    /**
     * What of a job's configuration a snapshot depends on.
     *
     * @param folder where the job puts savepoints by itself
     * @param makesCheckpoints whether its version of Flink can be asked for a checkpoint
     */
    record JobOptions(Optional<String> folder, boolean makesCheckpoints) {
        /** The options of a job that was not found. */
        static final JobOptions NONE = new JobOptions(Optional.empty(), false);
    }

    /** Whether a job needs the files of the snapshot. */
    sealed interface Need {
        /**
         * @param by which resource, and in which field
         */
        record Needed(String by) implements Need {}

        record NotNeeded() implements Need {}

        /** Nobody knows: what the job was restored from could not be read. */
        record Unread() implements Need {}
    }

    /**
     * How long is waited.
     *
     * @param jobWait for a job that does not run
     * @param cleanup for the deletion of the files
     */
    record Limits(Duration jobWait, Duration cleanup) {}

    /** Whether it is a savepoint or a checkpoint. */
    StateKind kind() {
        return spec.checkpoint() ? StateKind.CHECKPOINT : StateKind.SAVEPOINT;
    }

    /** What made the snapshot come about, as its label says; a user makes one without it. */
    TriggerType triggerType() {
        return Optional.ofNullable(labels.get(FlinkStateSnapshot.TRIGGER_TYPE_LABEL))
                .map(word -> TriggerType.WORDS.getOrDefault(word, TriggerType.UNKNOWN))
                .orElse(TriggerType.MANUAL);
    }

    /** The time until which the snapshot waits for a job that does not run. */
    Instant waitsUntil() {
        return Stream.of(status.triggerTimestamp(), status.resultTimestamp())
                .flatMap(Optional::stream)
                .reduce(identity.created(), (one, other) -> one.isAfter(other) ? one : other)
                .plus(limits.jobWait());
    }

    /** Whether the savepoint is deleted together with the resource. */
    boolean disposes() {
        boolean isWithoutJob = spec.isRegistration() && spec.jobReference().isEmpty();
        return !isWithoutJob && spec.savepoint().filter(SavepointSpec::disposeOnDelete).isPresent();
    }
}
