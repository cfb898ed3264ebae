// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.manifest.Room;
import io.sluice.operator.bluegreen.analysis.Figures;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.ObservedState.Polls;
import io.sluice.operator.model.Refusal;
import io.sluice.operator.model.RunView.SnapshotView;
import io.sluice.operator.model.SpecView;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Everything that a decision about a pair looks at, read in one go.
 *
 * @param wish the spec as it is now
 * @param objection why the spec is not carried out, if it is not
 * @param savepoint what has come of the savepoint on record
 * @param figures what a look of the analysis has found
 * @param refusal what the API server refused of the half of the transition on record
 * @param room what the ResourceQuotas of the namespace leave for a second half, if one is about to
 *     be made
 * @param snapshots how a savepoint becomes a FlinkStateSnapshot
 * @param misled the halves that the Ingress would have to be changed to lead to
 * @param promoted the generation that somebody has approved of
 */
@RecordBuilder
public record PairObservedState(
        Identity identity,
        PairSpec wish,
        Optional<SpecView.Invalid> objection,
        FlinkBlueGreenDeploymentStatus status,
        HalfView blue,
        HalfView green,
        AsyncResult savepoint,
        Figures figures,
        Optional<Refusal> refusal,
        Room room,
        SnapshotUse snapshots,
        Set<HalfColor> misled,
        Optional<Long> promoted,
        Polls polls,
        Instant now)
        implements PairObservedStateBuilder.With {
    public PairObservedState {
        misled = Collections.unmodifiableSet(new LinkedHashSet<>(misled));
    }

    /**
     * Which resource this is.
     *
     * @param deleting whether its deletion has begun
     */
    @RecordBuilder
    public record Identity(
            String namespace, String name, String uid, long generation, boolean deleting)
            implements PairObservedStateIdentityBuilder.With {}

    /**
     * How a savepoint becomes a FlinkStateSnapshot.
     *
     * @param areServed whether this operator serves FlinkStateSnapshots
     * @param areEnabled whether the active half, which is about to make a savepoint, asks for them
     * @param disposeOnDelete whether the savepoint is to go with its FlinkStateSnapshot
     * @param inheritedLabels keys of the labels that it has of the pair, so that it is served
     * @param registered what has become of the FlinkStateSnapshot that the status has on record
     */
    @RecordBuilder
    public record SnapshotUse(
            boolean areServed,
            boolean areEnabled,
            boolean disposeOnDelete,
            List<String> inheritedLabels,
            SnapshotView registered)
            implements PairObservedStateSnapshotUseBuilder.With {
        /** Of an operator that serves none. */
        public static final SnapshotUse NONE =
                new SnapshotUse(false, false, false, List.of(), new SnapshotView.NotRead());

        public SnapshotUse {
            inheritedLabels = List.copyOf(inheritedLabels);
        }

        /** Whether the savepoint of a transition gets one. */
        boolean areUsed() {
            return areServed && areEnabled;
        }
    }

    public HalfView half(HalfColor color) {
        return switch (color) {
            case BLUE -> blue;
            case GREEN -> green;
        };
    }
}
