// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.ProcessOptions;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Everything a decision looks at, read in one go.
 *
 * @param target what kind of resource it is
 * @param lastReconciled empty before the first deployment
 * @param defaults the operator's default configuration
 * @param overrides parallelism by vertex id as the autoscaler wants it; empty if it wants nothing
 * @param refusal why the API server (or Flink's own rendering) refused the current attempt's
 *     manifests, if it did
 * @param health how well the job does, as it was last judged; empty while it is not watched, or
 *     could not be read
 * @param polls how often to look again in each phase
 * @param run what the JobManager says beside the job's state
 * @param hold the change that the autoscaler holds; empty if it holds none
 */
@RecordBuilder
public record ObservedState(
        Identity identity,
        Target target,
        SpecView spec,
        FlinkDeploymentStatus status,
        Optional<LastReconciledSpec> lastReconciled,
        DefaultConfiguration defaults,
        ClusterView cluster,
        JobView job,
        Map<String, Integer> overrides,
        ScalingView scaling,
        StateView state,
        Optional<Refusal> refusal,
        Optional<ClusterHealth> health,
        Polls polls,
        Instant now,
        RunView run,
        Optional<AutoscalerOverrides.Hold> hold)
        implements ObservedStateBuilder.With {
    public ObservedState {
        overrides = Collections.unmodifiableMap(new LinkedHashMap<>(overrides));
    }

    /**
     * Which resource this is.
     *
     * @param deleting whether its deletion has begun
     */
    @RecordBuilder
    public record Identity(
            String namespace, String name, String uid, long generation, boolean deleting)
            implements ObservedStateIdentityBuilder.With {}

    /**
     * How long to wait before the next look.
     *
     * @param steady while all is well ({@code kubernetes.operator.reconcile.interval})
     * @param progress while something is under way ({@code
     *     kubernetes.operator.observer.progress-check.interval})
     */
    public record Polls(Duration steady, Duration progress) {
        private static final Duration SOONEST = Duration.ofMillis(250);

        /** The intervals that the operator's configuration sets for a namespace. */
        public static Polls of(DefaultConfiguration defaults, String namespace) {
            Options options =
                    new Options(
                            defaults.effective(
                                    namespace, Optional.empty(), FlinkConfiguration.EMPTY));
            return new Polls(
                    options.get(ProcessOptions.RECONCILE_INTERVAL),
                    options.get(ProcessOptions.PROGRESS_CHECK_INTERVAL));
        }

        /**
         * When to look again at what has not changed for so long: as long again, within both
         * bounds.
         */
        public Duration after(Duration unchanged) {
            Duration atMost = unchanged.compareTo(steady) < 0 ? unchanged : steady;
            return atMost.compareTo(progress) > 0 ? atMost : progress;
        }

        /**
         * When to look again at what a job is down for: after a quarter of the time that it has
         * taken, so that its end is seen little later than it comes, but not sooner than after 250
         * ms and not later than after {@link #progress}.
         */
        public Duration whileDown(Duration taken) {
            Duration quarter = taken.dividedBy(4);
            Duration atLeast = quarter.compareTo(SOONEST) > 0 ? quarter : SOONEST;
            return atLeast.compareTo(progress) < 0 ? atLeast : progress;
        }
    }
}
