// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.operator.bluegreen.analysis.Figures;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.ObservedState.Polls;
import io.sluice.operator.model.Refusal;
import io.sluice.operator.model.SpecView;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashSet;
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

    public HalfView half(HalfColor color) {
        return switch (color) {
            case BLUE -> blue;
            case GREEN -> green;
        };
    }
}
