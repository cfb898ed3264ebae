// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.certificates;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.certs.BundlePublisher;
import io.sluice.certs.CertMaterial;
import io.sluice.certs.CertPolicy;
import io.sluice.certs.CertStore;
import io.sluice.certs.Publication;
import io.sluice.certs.Rotator;
import io.sluice.webhook.metric.WebhookMetrics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class CertLoopTest {
    private static final Duration HOUR = Duration.ofHours(1);

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private Instant uptime = Instant.EPOCH;
    private final CertLoop loop =
            new CertLoop(
                    new Rotator(
                            CertPolicy.of(List.of("webhook")),
                            new NoStore(),
                            new Nobody(),
                            () -> now),
                    new TlsIdentity(TlsIdentity.Versions.TLS_1_3),
                    new WebhookMetrics(),
                    () -> now,
                    () -> uptime);

    @Test
    void aStepForwardOfTheSystemsClockIsNoStandstill() {
        now = now.plus(HOUR);

        assertThat(loop.isAlive()).isTrue();
    }

    @Test
    void aStandstillIsSeenThoughTheSystemsClockWasSetBack() {
        now = now.minus(HOUR);
        uptime = uptime.plus(HOUR);

        assertThat(loop.isAlive()).isFalse();
    }

    /** Nothing is asked for while no pass is made. */
    private static final class NoStore implements CertStore {
        @Override
        public Loaded load() {
            throw new AssertionError("no pass is made");
        }

        @Override
        public boolean save(CertMaterial material, Loaded seen) {
            throw new AssertionError("no pass is made");
        }
    }

    private static final class Nobody implements BundlePublisher {
        @Override
        public Publication read() {
            throw new AssertionError("no pass is made");
        }

        @Override
        public void publish(String bundle, Publication seen) {
            throw new AssertionError("no pass is made");
        }
    }
}
