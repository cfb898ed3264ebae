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
                ? FormerSpec.of(observed)
                        .filter(MissingConfiguration::waits)
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
     * The ConfigMap stays missing if the status does not say what the job was started with: the job
     * would begin with nothing.
     */
    private static Optional<Action> withStart(StepContext context) {
        return RestorableState.ofStanding(context)
                .map(from -> ClusterActions.configuration(context, from));
    }

    /** Tells whether the JobManager belongs to the recorded attempt, and is not ready. */
    private static boolean waits(StepContext context) {
        return context.cluster().jobManager() instanceof JobManagerView.Present standing
                && !standing.available()
                && standing.isOf(context.attempt())
                && !ClusterOwnership.isForeign(context);
    }
}
