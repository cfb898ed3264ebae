// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import io.prometheus.client.Histogram;
import io.sluice.api.status.LifecycleState;
import io.sluice.process.metric.Series;
import java.time.Duration;
import java.util.List;

/** Times that {@link LifecycleTrack} tells, as histograms. */
final class LifecycleTimes {
    private static final double MILLIS = 1000.0;
    private static final double[] SECONDS = {1, 5, 15, 30, 60, 120, 300, 900, 3600, 21_600, 86_400};

    private final Histogram states;
    private final Histogram transitions;
    private final boolean byNamespace;

    /**
     * @param byNamespace without it all namespaces share one series, whose label is empty
     */
    LifecycleTimes(Series series, boolean byNamespace) {
        this.byNamespace = byNamespace;
        states = series.seconds("sluice_lifecycle_state_seconds", SECONDS);
        transitions = series.seconds("sluice_lifecycle_transition_seconds", SECONDS);
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
    }

    private String namespace(ResourceKey key) {
        return byNamespace ? key.namespace() : "";
    }

    private static double seconds(Duration time) {
        return time.toMillis() / MILLIS;
    }
}
