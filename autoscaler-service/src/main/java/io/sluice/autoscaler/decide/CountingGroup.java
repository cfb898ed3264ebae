// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.flink.metrics.Counter;
import org.apache.flink.metrics.MetricGroup;
import org.apache.flink.metrics.SimpleCounter;
import org.apache.flink.metrics.groups.UnregisteredMetricsGroup;

/** The metric group the engine counts in; its gauges go nowhere. */
final class CountingGroup extends UnregisteredMetricsGroup {
    private final Map<String, Counter> counters = new ConcurrentHashMap<>();

    @Override
    public Counter counter(String name) {
        return counters.computeIfAbsent(name, _ -> new SimpleCounter());
    }

    @Override
    public MetricGroup addGroup(String name) {
        return this;
    }

    long count(String name) {
        return counter(name).getCount();
    }
}
