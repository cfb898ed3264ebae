// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.metric;

import io.prometheus.client.Collector;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import io.prometheus.client.hotspot.DefaultExports;
import io.sluice.process.LiveConfiguration;
import io.sluice.process.management.PortMetrics;
import io.sluice.process.metric.BuildInfo;
import io.sluice.process.metric.ConfigurationMetrics;
import io.sluice.process.metric.Series;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;

/** What the webhook counts. Labels come from closed sets. */
public final class WebhookMetrics {
    private final Series series = new Series(new CollectorRegistry());

    private final Counter requests = series.counter("sluice_admission_requests");
    private final Histogram seconds =
            series.seconds(
                    "sluice_admission_seconds",
                    .001,
                    .002,
                    .005,
                    .01,
                    .02,
                    .05,
                    .1,
                    .25,
                    .5,
                    1,
                    2,
                    5);
    private final Counter ruleHits = series.counter("sluice_admission_rule_hits");
    private final Counter remembered = series.counter("sluice_admission_remembered");
    private final Counter faults = series.counter("sluice_admission_faults");
    private final Counter unanswered = series.counter("sluice_admission_plugins_unanswered");
    private final PortMetrics ports = PortMetrics.of(series);
    private final Gauge verdictAge = series.gauge("sluice_verdict_age_seconds");
    private final Gauge expiry = series.gauge("sluice_certificate_expiry_seconds");

    public WebhookMetrics() {
        DefaultExports.register(series.registry());
        BuildInfo.show(series, "webhook", WebhookMetrics.class);
    }

    public CollectorRegistry registry() {
        return series.registry();
    }

    /**
     * A request that got a verdict.
     *
     * @param kind of the resource, one of those that have a label of their own
     * @param verdict in one word
     * @param fromMemory whether the same write was judged before
     * @param rules the ids of those that were violated
     * @param nanos from the body to the answer
     */
    public record Answered(
            String path,
            String kind,
            String operation,
            String verdict,
            boolean fromMemory,
            List<String> rules,
            long nanos) {
        public Answered {
            rules = List.copyOf(rules);
        }
    }

    public void answered(Answered answered) {
        requests.labels(answered.path(), answered.kind(), answered.operation(), answered.verdict())
                .inc();
        seconds.labels(answered.path(), answered.kind())
                .observe(answered.nanos() / Collector.NANOSECONDS_PER_SECOND);
        if (answered.fromMemory()) {
            remembered.labels(answered.path()).inc();
        }
        answered.rules().forEach(rule -> ruleHits.labels(rule).inc());
    }

    public void configuration(LiveConfiguration configuration) {
        registry().register(new ConfigurationMetrics(configuration));
    }

    public PortMetrics ports() {
        return ports;
    }

    /** Shows how long there was no verdict. */
    public void verdicts(Supplier<Duration> silent) {
        verdictAge.setChild(
                new Gauge.Child() {
                    @Override
                    public double get() {
                        return silent.get().toMillis() / 1000.0;
                    }
                });
    }

    /** A review was refused because plugins gave no answer. */
    public void unanswered(String plugin, String why) {
        unanswered.labels(plugin, why).inc();
    }

    /** A request got no verdict, for a reason out of a closed set. */
    public void fault(String reason) {
        faults.labels(reason).inc();
    }

    public void serving(X509Certificate leaf) {
        expiry.set((double) leaf.getNotAfter().toInstant().getEpochSecond());
    }
}
