// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.certs.CertState;
import io.sluice.certs.Rotator;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the served certificate the stored one, in a thread of its own. A pass that fails is told in
 * one line and tried again; what was served and trusted before still is.
 */
final class CertLoop implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(CertLoop.class);
    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final Duration PAUSE_UNTIL_READY = Duration.ofSeconds(3);

    /** Far longer than a pass takes, with every call to the API server timing out. */
    private static final Duration STUCK = Duration.ofMinutes(5);

    private final Rotator rotator;
    private final TlsIdentity tls;
    private final WebhookMetrics metrics;
    private final InstantSource clock;
    private final CountDownLatch stop = new CountDownLatch(1);
    private volatile Instant lastPass;
    private volatile boolean trusted;

    CertLoop(Rotator rotator, TlsIdentity tls, WebhookMetrics metrics, InstantSource clock) {
        this.rotator = rotator;
        this.tls = tls;
        this.metrics = metrics;
        this.clock = clock;
        this.lastPass = clock.instant();
    }

    CertLoop start() {
        Thread.ofVirtual().name("certificates").start(this::run);
        return this;
    }

    /** Whether an API server that calls now will trust us. */
    boolean isReady() {
        return trusted
                && tls.leaf()
                        .filter(leaf -> leaf.getNotAfter().toInstant().isAfter(clock.instant()))
                        .isPresent();
    }

    boolean isAlive() {
        return clock.instant().isBefore(lastPass.plus(STUCK));
    }

    @Override
    public void close() {
        stop.countDown();
    }

    private void run() {
        try {
            do {
                pass();
                lastPass = clock.instant();
            } while (!stop.await(pauseMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** One look and what follows from it; never throws. */
    void pass() {
        try {
            CertState state = rotator.pass();
            state.toServe(tls.leaf().isPresent())
                    .filter(tls::show)
                    .ifPresent(
                            material -> {
                                metrics.serving(material.leaf());
                                LOG.atInfo()
                                        .addKeyValue(
                                                "expires",
                                                material.leaf().getNotAfter().toInstant())
                                        .log("serving a new certificate");
                            });
            settle(state);
        } catch (KubernetesClientException failure) {
            LOG.atWarn()
                    .addKeyValue("status", failure.getCode())
                    .addKeyValue("ready", isReady())
                    .log("cannot check the certificate: {}", reason(failure));
        } catch (RuntimeException fault) {
            LOG.atError()
                    .setCause(fault)
                    .addKeyValue("ready", isReady())
                    .log("cannot check the certificate");
        }
    }

    private void settle(CertState state) {
        boolean now = state.trusted();
        if (now && !trusted) {
            LOG.info("ready: the API server is told to trust the served certificate");
        }
        if (!now) {
            LOG.atWarn()
                    .addKeyValue("absent", state.absent())
                    .log("not ready: the CA bundle is not published yet");
        }
        trusted = now;
    }

    private static String reason(KubernetesClientException failure) {
        return Optional.ofNullable(failure.getStatus())
                .map(status -> status.getMessage())
                .orElseGet(
                        () ->
                                "the API server cannot be reached: "
                                        + root(failure)
                                        + "; "
                                        + failure.getMessage());
    }

    private static Throwable root(Throwable failure) {
        return Stream.iterate(
                        Optional.of(failure),
                        Optional::isPresent,
                        each -> each.map(Throwable::getCause))
                .flatMap(Optional::stream)
                .reduce(failure, (_, deeper) -> deeper);
    }

    /** Between three and five quarters of the pause: replicas started together drift apart. */
    private long pauseMillis() {
        long pause = (isReady() ? PAUSE : PAUSE_UNTIL_READY).toMillis();
        return pause * 3 / 4 + RandomGenerator.getDefault().nextLong(pause / 2);
    }
}
