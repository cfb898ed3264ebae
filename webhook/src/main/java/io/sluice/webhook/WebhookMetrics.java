// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

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
import java.util.List;

/** What the webhook counts. Labels come from closed sets. */
final class WebhookMetrics {
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

    WebhookMetrics() {
        DefaultExports.register(series.registry());
        BuildInfo.show(series, "webhook", Main.class);
    }

    CollectorRegistry registry() {
        return series.registry();
    }

    /** The process's own reviews are none that anybody asked for. */
    void answered(String path, Judgement judgement, Verdict verdict, long nanos) {
        if (path.equals(SelfReview.PATH)) {
            return;
        }
        AdmissionRequest request = judgement.request();
        String kind = Admission.KINDS.contains(request.kind()) ? request.kind() : "other";
        requests.labels(path, kind, request.operation().wire(), verdict.word()).inc();
        seconds.labels(path, kind).observe(nanos / Collector.NANOSECONDS_PER_SECOND);
        if (judgement.remembered()) {
            remembered.labels(path).inc();
        }
        if (verdict instanceof Verdict.Refused(var violations, _)) {
            violations.forEach(violation -> ruleHits.labels(violation.rule()).inc());
        }
    }

    void configuration(LiveConfiguration configuration) {
        registry().register(new ConfigurationMetrics(configuration));
    }

    /** How many resources each cache holds, counted whenever somebody asks. */
    void caches(List<ResourceCache> caches) {
        registry().register(new CacheSizes(caches));
    }

    PortMetrics ports() {
        return ports;
    }

    /** Shows how long there was no verdict. */
    void verdicts(SelfReview self) {
        verdictAge.setChild(
                new Gauge.Child() {
                    @Override
                    public double get() {
                        return self.silent().toMillis() / 1000.0;
                    }
                });
    }

    /** A review was refused because plugins gave no answer. */
    void unanswered(String plugin, String why) {
        unanswered.labels(plugin, why).inc();
    }

    void fault(Fault fault) {
        faults.labels(fault.label()).inc();
    }

    void serving(X509Certificate leaf) {
        expiry.set((double) leaf.getNotAfter().toInstant().getEpochSecond());
    }
}
