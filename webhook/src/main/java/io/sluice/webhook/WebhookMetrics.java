// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import io.prometheus.client.Collector;
import io.prometheus.client.CollectorRegistry;
import io.prometheus.client.Counter;
import io.prometheus.client.Gauge;
import io.prometheus.client.Histogram;
import io.prometheus.client.hotspot.DefaultExports;
import io.sluice.process.ConfigurationMetrics;
import io.sluice.process.LiveConfiguration;
import io.sluice.process.management.PortMetrics;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;

/** What the webhook counts. Labels come from closed sets. */
final class WebhookMetrics {
    private final CollectorRegistry registry = new CollectorRegistry();

    private final Counter requests =
            Counter.build("sluice_admission_requests", "Admission requests answered.")
                    .labelNames("path", "kind", "operation", "verdict")
                    .register(registry);
    private final Histogram seconds =
            Histogram.build("sluice_admission_seconds", "Time from body to answer.")
                    .labelNames("path", "kind")
                    .buckets(.001, .002, .005, .01, .02, .05, .1, .25, .5, 1, 2, 5)
                    .register(registry);
    private final Counter ruleHits =
            Counter.build("sluice_admission_rule_hits", "Violations found, by rule.")
                    .labelNames("rule")
                    .register(registry);
    private final Counter remembered =
            Counter.build(
                            "sluice_admission_remembered",
                            "Admission requests answered by what was said of the same write"
                                    + " before.")
                    .labelNames("path")
                    .register(registry);
    private final Counter faults =
            Counter.build(
                            "sluice_admission_faults",
                            "Requests that got no verdict: malformed, slow, too_large, busy,"
                                    + " expired, internal or not_ready.")
                    .labelNames("reason")
                    .register(registry);
    private final Counter unanswered =
            Counter.build(
                            "sluice_admission_plugins_unanswered",
                            "Reviews refused because plugins gave no answer: timeout, failed,"
                                    + " full, hanging or ending.")
                    .labelNames("plugin", "reason")
                    .register(registry);
    private final PortMetrics ports = PortMetrics.of(registry);
    private final Gauge verdictAge =
            Gauge.build(
                            "sluice_verdict_age_seconds",
                            "How long no review, of the webhook's own or another, has had a"
                                    + " verdict.")
                    .register(registry);
    private final Gauge expiry =
            Gauge.build(
                            "sluice_certificate_expiry_seconds",
                            "When the served certificate expires, in seconds since the epoch.")
                    .register(registry);

    WebhookMetrics() {
        DefaultExports.register(registry);
        String version =
                Optional.ofNullable(Main.class.getPackage().getImplementationVersion())
                        .orElse("development");
        Gauge.build("sluice_build_info", "Constant 1, with what was built as labels.")
                .labelNames("component", "version")
                .register(registry)
                .labels("webhook", version)
                .set(1);
    }

    CollectorRegistry registry() {
        return registry;
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
        registry.register(new ConfigurationMetrics(configuration));
    }

    /** How many resources each cache holds, counted whenever somebody asks. */
    void caches(List<ResourceCache> caches) {
        new CacheSizes(caches).register(registry);
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
