// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import io.prometheus.client.Histogram;
import io.sluice.api.spec.UpgradeMode;
import io.sluice.api.status.LastUpgrade;
import io.sluice.api.status.LifecycleState;
import io.sluice.process.metric.Series;
import java.time.Duration;
import java.util.List;

/** Times that {@link LifecycleTrack} tells, and downtimes of upgrades, as histograms. */
final class LifecycleTimes {
    private static final double MILLIS = 1000.0;
    private static final double[] SECONDS = {1, 5, 15, 30, 60, 120, 300, 900, 3600, 21_600, 86_400};

    /** Of upgrades, most of which take less than a minute. */
    private static final double[] DOWN = {1, 2, 5, 10, 15, 20, 30, 45, 60, 120, 300, 900, 3600};

    private final Histogram states;
    private final Histogram transitions;
    private final Histogram downtimes;
    private final boolean byNamespace;

    /**
     * @param byNamespace without it all namespaces share one series, whose label is empty
     */
    LifecycleTimes(Series series, boolean byNamespace) {
        this.byNamespace = byNamespace;
        states = series.seconds("sluice_lifecycle_state_seconds", SECONDS);
        transitions = series.seconds("sluice_lifecycle_transition_seconds", SECONDS);
        downtimes = series.seconds("sluice_upgrade_downtime_seconds", DOWN);
    }

    void tell(ResourceKey key, List<LifecycleTrack.Measurement> measurements) {
        for (LifecycleTrack.Measurement each : measurements) {
            switch (each) {
                case LifecycleTrack.Measurement.TimeInState(var in, var time) ->
                        states.labels(key.kind(), namespace(key), in.wire()).observe(seconds(time));
                case LifecycleTrack.Measurement.TransitionTime(var by, var time) ->
                        transitions
                                .labels(key.kind(), namespace(key), by.word())
                                .observe(seconds(time));
            }
        }
    }

    /** An upgrade has ended. */
    void tell(ResourceKey key, LastUpgrade upgrade) {
        downtimes
                .labels(key.kind(), namespace(key), upgrade.mode().wire(), upgrade.outcome().wire())
                .observe(seconds(upgrade.downtime()));
    }

    /** Nothing is left in that namespace. */
    void end(ResourceKey key) {
        if (!byNamespace) {
            return;
        }
        for (LifecycleState each : LifecycleState.values()) {
            states.remove(key.kind(), key.namespace(), each.wire());
        }
        for (LifecycleTrack.Transition each : LifecycleTrack.Transition.values()) {
            transitions.remove(key.kind(), key.namespace(), each.word());
        }
        for (UpgradeMode mode : UpgradeMode.values()) {
            for (LastUpgrade.Outcome outcome : LastUpgrade.Outcome.values()) {
                downtimes.remove(key.kind(), key.namespace(), mode.wire(), outcome.wire());
            }
        }
    }

    private String namespace(ResourceKey key) {
        return byNamespace ? key.namespace() : "";
    }

    private static double seconds(Duration time) {
        return time.toMillis() / MILLIS;
    }
}
