// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.certs.CertMaterial;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.webhook.TestCertificates;
import io.sluice.webhook.admission.Admission;
import io.sluice.webhook.admission.AdmissionVerdict;
import io.sluice.webhook.admission.Verdict;
import io.sluice.webhook.certificates.TlsIdentity;
import io.sluice.webhook.metric.WebhookMetrics;
import io.sluice.webhook.readiness.NotReady;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class SelfReviewTest {
    private static final CertMaterial CERTIFICATE = TestCertificates.issue();
    private static final SelfReview.Terms SHORT =
            new SelfReview.Terms(
                    Duration.ofMillis(50), Duration.ofMillis(300), Duration.ofSeconds(1));

    private final TlsIdentity tls = new TlsIdentity(TlsIdentity.Versions.TLS_1_3);
    private final AtomicBoolean expected = new AtomicBoolean(true);
    private final WebhookMetrics metrics = new WebhookMetrics();

    @Test
    void aProcessWhoseReviewerBlocksIsNotHealthyUntilItGoesOn() throws Exception {
        var hold = new CountDownLatch(1);
        var reviewed = new AtomicInteger();
        var admission = new Admission(DefaultConfiguration.NONE);
        Function<byte[], Optional<AdmissionVerdict>> blocking =
                body -> {
                    Optional<AdmissionVerdict> judged = admission.judge(body);
                    if (reviewed.incrementAndGet() > 3) {
                        waitFor(hold);
                    }
                    return judged;
                };
        try (var server = start(blocking);
                var self = review(server)) {
            await().untilAtomic(reviewed, org.hamcrest.Matchers.greaterThan(2));
            assertThat(self.wrong()).isEmpty();

            await().untilAsserted(
                            () ->
                                    assertThat(self.wrong())
                                            .hasValueSatisfying(
                                                    text ->
                                                            assertThat(text)
                                                                    .contains("no review had")));
            hold.countDown();
            await().untilAsserted(() -> assertThat(self.wrong()).isEmpty());
        }
    }

    @Test
    void itsReviewIsAllowedAndNotCountedAmongThoseOfOthers() throws Exception {
        var admission = new Admission(DefaultConfiguration.NONE);
        var verdicts = new AtomicInteger();
        try (var server =
                        start(
                                body -> {
                                    var judged = admission.judge(body);
                                    judged.map(AdmissionVerdict::validated)
                                            .filter(Verdict.Allowed.class::isInstance)
                                            .ifPresent(_ -> verdicts.incrementAndGet());
                                    return judged;
                                });
                var self = review(server)) {
            await().untilAtomic(verdicts, org.hamcrest.Matchers.greaterThan(1));
            assertThat(self.wrong()).isEmpty();
            assertThat(
                            metrics.registry()
                                    .getSampleValue(
                                            "sluice_admission_requests_total",
                                            new String[] {"path", "kind", "operation", "verdict"},
                                            new String[] {
                                                SelfReview.PATH,
                                                "FlinkDeployment",
                                                "CREATE",
                                                "allowed"
                                            }))
                    .isNull();
        }
    }

    @Test
    void nothingIsExpectedOfAProcessThatHasNoConfigurationYet() throws Exception {
        expected.set(false);
        try (var server =
                        start(
                                _ -> {
                                    throw new NotReady();
                                });
                var self = review(server)) {
            await().during(SHORT.longest().multipliedBy(2))
                    .atMost(SHORT.longest().multipliedBy(5))
                    .until(() -> self.wrong().isEmpty());
        }
    }

    private static void waitFor(CountDownLatch hold) {
        try {
            hold.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private SelfReview review(WebhookServer server) {
        var self = new SelfReview(server::port, tls, expected::get, SHORT, System::nanoTime);
        self.start();
        return self;
    }

    private WebhookServer start(Function<byte[], Optional<AdmissionVerdict>> judge) {
        tls.show(List.of(CERTIFICATE.leaf()), CERTIFICATE.leafKey());
        return WebhookServer.start(
                0,
                tls,
                new WebhookServer.Routes(
                        judge, Map.of(SelfReview.PATH, AdmissionVerdict::validated), Map.of()),
                Limits.USUAL,
                metrics);
    }
}
