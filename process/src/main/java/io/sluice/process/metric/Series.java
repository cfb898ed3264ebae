// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.metric;

import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.CounterMetricFamily;
import io.prometheus.client.Gauge;
import io.prometheus.client.GaugeMetricFamily;
import io.prometheus.client.Histogram;
import io.sluice.rules.metric.Metric;
import java.util.function.DoubleSupplier;

/**
 * Makes the series of a process as the list of metrics says: a metric that is not listed can't be
 * made. To add one, list it in {@code metrics.txt} and count it; its help and labels come from
 * there.
 */
public record Series(CollectorRegistry registry) {
    /** Of times, in seconds. */
    private static final double[] SECONDS = {0.001, 0.005, 0.02, 0.1, 0.5, 2, 10, 60};

    public Counter counter(String name) {
        Metric metric = Metric.of(Metric.Type.COUNTER, name);
        return Counter.build(name, metric.help()).labelNames(labels(metric)).register(registry);
    }

    public Gauge gauge(String name) {
        Metric metric = Metric.of(Metric.Type.GAUGE, name);
        return Gauge.build(name, metric.help()).labelNames(labels(metric)).register(registry);
    }

    /** One without labels, asked whenever somebody looks. */
    public void gauge(String name, DoubleSupplier value) {
        Gauge.build(name, Metric.of(Metric.Type.GAUGE, name).help())
                .create()
                .setChild(
                        new Gauge.Child() {
                            @Override
                            public double get() {
                                return value.getAsDouble();
                            }
                        })
                .register(registry);
    }

    public Histogram seconds(String name) {
        return seconds(name, SECONDS);
    }

    public Histogram seconds(String name, double... buckets) {
        Metric metric = Metric.of(Metric.Type.HISTOGRAM, name);
        return Histogram.build(name, metric.help())
                .labelNames(labels(metric))
                .buckets(buckets)
                .register(registry);
    }

    /** Gauges whose values are made when somebody looks. */
    public static GaugeMetricFamily gauges(String name) {
        Metric metric = Metric.of(Metric.Type.GAUGE, name);
        return new GaugeMetricFamily(name, metric.help(), metric.labels());
    }

    /** Counters whose values are made when somebody looks. */
    public static CounterMetricFamily counters(String name) {
        Metric metric = Metric.of(Metric.Type.COUNTER, name);
        return new CounterMetricFamily(name, metric.help(), metric.labels());
    }

    private static String[] labels(Metric metric) {
        return metric.labels().toArray(String[]::new);
    }
}
