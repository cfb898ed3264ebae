// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.certs.Rotator;
import io.sluice.certs.SecretCertStore;
import io.sluice.certs.WebhookConfigurations;
import io.sluice.rules.config.DefaultConfiguration;
import java.io.IOException;
import java.time.InstantSource;

/** The running process: both servers and the loop that keeps the certificate. */
final class Webhook implements AutoCloseable {
    private final WebhookServer server;
    private final ManagementServer management;
    private final CertLoop certificates;
    private volatile boolean leaving;

    private Webhook(
            Settings settings,
            DefaultConfiguration defaults,
            KubernetesClient client,
            InstantSource clock)
            throws IOException {
        var metrics = new WebhookMetrics();
        var tls = new TlsIdentity();
        server = WebhookServer.start(settings.httpsPort(), tls, new Admission(defaults), metrics);
        certificates = new CertLoop(rotator(settings, client, clock), tls, metrics, clock);
        management =
                ManagementServer.start(
                        settings.httpPort(),
                        certificates::isAlive,
                        () -> !leaving && certificates.isReady(),
                        metrics.registry());
        certificates.start();
    }

    static Webhook start(
            Settings settings,
            DefaultConfiguration defaults,
            KubernetesClient client,
            InstantSource clock)
            throws IOException {
        return new Webhook(settings, defaults, client, clock);
    }

    int httpsPort() {
        return server.port();
    }

    int httpPort() {
        return management.port();
    }

    /** No longer ready, and still answering: endpoints and open connections move away meanwhile. */
    void leave() {
        leaving = true;
        server.leave();
    }

    @Override
    public void close() {
        leave();
        certificates.close();
        server.close();
        management.close();
    }

    private static Rotator rotator(
            Settings settings, KubernetesClient client, InstantSource clock) {
        return new Rotator(
                settings.certPolicy(),
                new SecretCertStore(client, settings.namespace(), settings.secret()),
                new WebhookConfigurations(
                        client,
                        settings.validatingConfiguration(),
                        settings.mutatingConfiguration()),
                clock);
    }
}
