// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.spec.FlinkVersion;
import io.sluice.api.status.AttemptStatus.StartedWith;
import io.sluice.rules.config.option.FlinkOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The Flink options that hold for a cluster from its start on, and on which decisions about its job
 * hang. They are recorded with the attempt, as the operator's defaults may change while it runs.
 */
public final class StartOptions {
    private static final List<String> KEYS =
            List.of(
                    FlinkOptions.SAVEPOINT_FOLDER.key(),
                    FlinkOptions.HIGH_AVAILABILITY.key(),
                    FlinkOptions.ZOOKEEPER_QUORUM.key(),
                    FlinkOptions.ZOOKEEPER_ROOT.key(),
                    FlinkOptions.DELETES_RESULTS.key(),
                    FlinkOptions.SCHEDULER.key(),
                    FlinkOptions.CHECKPOINT_STATISTICS_CACHE.key(),
                    FlinkOptions.SCHEDULER_MODE.key(),
                    FlinkOptions.FORMER_SAVEPOINT_FOLDER.key(),
                    FlinkOptions.WEB_REFRESH_INTERVAL.key());

    private StartOptions() {}

    /** What a cluster that is started now with {@code effective} is started with. */
    public static StartedWith of(Optional<FlinkVersion> version, FlinkConfiguration effective) {
        Map<String, String> options = new HashMap<>();
        KEYS.forEach(key -> effective.get(key).ifPresent(value -> options.put(key, value)));
        return new StartedWith(version, options);
    }

    /**
     * The configuration of a cluster that runs.
     *
     * @param today what its spec would be started with today
     * @param recorded empty if it is not on record: then today's is the best there is
     */
    public static FlinkConfiguration running(
            FlinkConfiguration today, Optional<StartedWith> recorded) {
        return recorded.map(started -> running(today, started)).orElse(today);
    }

    private static FlinkConfiguration running(FlinkConfiguration today, StartedWith started) {
        Map<String, String> entries = new HashMap<>(today.entries());
        entries.keySet().removeAll(KEYS);
        entries.putAll(started.options());
        return new FlinkConfiguration(entries);
    }
}
