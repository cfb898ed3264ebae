// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import io.sluice.operator.deployment.UnchangedRule;
import io.sluice.operator.model.ClusterView;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.observe.JobManagerAnswer;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.testkit.sim.World.Resource;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * Holds {@link UnchangedRule} to its promise: until its time is over, and while nothing changes
 * that is looked at before a reconciliation is left out, no reconciliation does anything.
 */
final class SimulatedSteady {
    private record Promise(
            long version,
            String uid,
            ClusterView cluster,
            JobManagerAnswer answer,
            Map<String, Integer> overrides,
            Instant until) {
        boolean covers(Resource read, ObservedState found) {
            return version == read.version()
                    && uid.equals(read.uid())
                    && cluster.equals(found.cluster())
                    && answer.equals(JobManagerAnswer.in(found))
                    && overrides.equals(found.overrides())
                    && found.now().isBefore(until);
        }
    }

    private Optional<Promise> promise = Optional.empty();

    /**
     * @param acted whether the reconciliation did anything but write a status
     * @return what it should not have done
     */
    Optional<String> passed(
            Resource read,
            ObservedState found,
            Outcome outcome,
            boolean acted,
            ObservationMemory memory) {
        Optional<String> broken =
                promise.filter(it -> it.covers(read, found))
                        .filter(_ -> outcome.wroteStatus() || acted)
                        .map(_ -> "a pass that could have been left out did something: " + outcome);
        promise =
                outcome.wroteStatus()
                        ? Optional.empty()
                        : UnchangedRule.of(found, outcome.reason(), memory)
                                .map(
                                        length ->
                                                new Promise(
                                                        read.version(),
                                                        read.uid(),
                                                        found.cluster(),
                                                        JobManagerAnswer.in(found),
                                                        found.overrides(),
                                                        found.now().plus(length)));
        return broken;
    }
}
