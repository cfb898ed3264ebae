// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.decide;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.net.URI;
import java.util.Optional;

/**
 * A FlinkDeployment of a pair, as far as the pair depends on it.
 *
 * <pre>
 *   Absent    the API server says that there is none
 *   Foreign   one of the name does not belong to the pair
 *   Leaving   it is being deleted
 *   Half      it is there
 * </pre>
 */
public sealed interface HalfView {
    record Absent() implements HalfView {}

    /**
     * @param uid of the resource that has the name
     */
    record Foreign(String uid) implements HalfView {}

    record Leaving(String uid) implements HalfView {}

    /**
     * @param why what its own conditions say, for people
     * @param mark the id of the transition that made or changed it last; empty of one that another
     *     operator made
     * @param wantsToRun whether its spec asks for a running job
     * @param hasRun whether a job of it has ever run
     * @param jobId of its job; empty before the first one
     * @param jobManager where its JobManager answers; empty if it is not ready
     * @param lastState where the savepoint is that it was stopped with; empty if its state is in
     *     its metadata of high availability, which no other cluster reads
     * @param spec as it stands
     */
    @RecordBuilder
    record Half(
            String uid,
            Condition condition,
            String why,
            Optional<String> mark,
            boolean wantsToRun,
            boolean hasRun,
            Optional<String> jobId,
            Optional<URI> jobManager,
            Optional<String> lastState,
            ObjectNode spec)
            implements HalfView, HalfViewHalfBuilder.With {
        boolean isMarked(String id) {
            return mark.equals(Optional.of(id));
        }

        /** Whether a job of it runs, or will by itself. */
        boolean runs() {
            return wantsToRun && (is(Condition.STEADY) || is(Condition.WORKING));
        }
    }

    /** What a half does about its present spec; that of a former one does not count. */
    enum Condition {
        /** It is stable, and its job runs. */
        STEADY,
        /** Its operator or Flink is at work. */
        WORKING,
        /** It has failed for good, or its spec is refused. */
        BROKEN,
        /** Its job has come to its end. */
        FINISHED,
        /** It is suspended, and nothing of it runs. */
        SUSPENDED
    }

    /** The half, if it is there. */
    default Optional<Half> half() {
        return this instanceof Half half ? Optional.of(half) : Optional.empty();
    }

    /** Whether it is there and in this condition. */
    default boolean is(Condition condition) {
        return this instanceof Half half && half.condition() == condition;
    }
}
