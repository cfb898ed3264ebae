// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.lifecycle;

import io.sluice.manifest.ManifestRenderer;
import io.sluice.operator.decide.step.ClusterActions;
import io.sluice.operator.decide.step.ClusterOwnership;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.FormerSpec;
import io.sluice.operator.decide.step.RestorableState;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.ClusterView;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.ObservedState;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A JobManager's pod waits for the ConfigMap that its containers mount: somebody has deleted it,
 * and nobody but the operator makes it. It is made anew with what the attempt was started with, so
 * that the JobManager does what it does whenever its process is started again.
 */
public final class MissingConfiguration {
    private MissingConfiguration() {}

    /** Has the ConfigMap made, where nothing else is done and a pod says that it is missing. */
    public static Decision withConfiguration(ObservedState observed, Decision decision) {
        boolean isMissing =
                decision.actions().isEmpty()
                        && isMissing(
                                observed.cluster(),
                                ManifestRenderer.configMap(observed.identity().name()));
        return isMissing
                ? observed.lastReconciled()
                        .map(before -> FormerSpec.of(observed, before))
                        .filter(MissingConfiguration::isOwn)
                        .flatMap(MissingConfiguration::withStart)
                        .map(configuration -> decision.withActions(List.of(configuration)))
                        .orElse(decision)
                : decision;
    }

    private static boolean isMissing(ClusterView cluster, String configMap) {
        return Stream.of(cluster.problem(), cluster.podFacts().delay())
                .flatMap(Optional::stream)
                .anyMatch(trouble -> trouble.isMissing(configMap));
    }

    /**
     * Where the record does not say with what the job was started, the ConfigMap stays missing: it
     * would begin with nothing.
     */
    private static Optional<Action> withStart(StepContext context) {
        return RestorableState.ofStanding(context)
                .map(from -> ClusterActions.configuration(context, from));
    }

    /** Whether the JobManager that stands is that of the attempt on record, and not ready. */
    private static boolean isOwn(StepContext context) {
        return context.cluster().jobManager()
                        instanceof JobManagerView.Present(_, var attempt, var available, _)
                && !available
                && attempt.isPresent()
                && attempt.equals(context.attempt())
                && !ClusterOwnership.isForeign(context);
    }
}
