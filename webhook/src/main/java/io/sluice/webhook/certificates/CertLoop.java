// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.certificates;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.certs.CertMaterial;
import io.sluice.certs.CertState;
import io.sluice.certs.Rotator;
import io.sluice.process.Loop;
import io.sluice.webhook.metric.WebhookMetrics;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the served certificate the stored one, in a thread of its own. A pass that fails is told in
 * one line and tried again; what was served and trusted before still is.
 */
public final class CertLoop implements Certificates {
    private static final Logger LOG = LoggerFactory.getLogger(CertLoop.class);
    private static final Duration PAUSE = Duration.ofSeconds(10);
    private static final Duration PAUSE_UNTIL_READY = Duration.ofSeconds(2);

    /** Far longer than a pass takes, with every call to the API server timing out. */
    private static final Duration STUCK = Duration.ofMinutes(5);

    private final Rotator rotator;
    private final TlsIdentity tls;
    private final WebhookMetrics metrics;
    private final InstantSource clock;
    private final InstantSource uptime;
    private final Loop loop = new Loop("certificates", this::passInTime, this::pause);
    private volatile Instant lastPass;
    private volatile boolean trusted;
    private volatile String why = "certificate: nothing is known of it yet";

    /**
     * @param clock for the times in certificates
     * @param uptime a clock that only goes forward, for the time since the last pass
     */
    public CertLoop(
            Rotator rotator,
            TlsIdentity tls,
            WebhookMetrics metrics,
            InstantSource clock,
            InstantSource uptime) {
        this.rotator = rotator;
        this.tls = tls;
        this.metrics = metrics;
        this.clock = clock;
        this.uptime = uptime;
        this.lastPass = uptime.instant();
    }

    @Override
    public void start() {
        loop.start();
    }

    /** Empty once an API server that calls will trust us. */
    @Override
    public Optional<String> missing() {
        if (!trusted) {
            return Optional.of(why);
        }
        return tls.leaf()
                        .filter(leaf -> leaf.getNotAfter().toInstant().isAfter(clock.instant()))
                        .isPresent()
                ? Optional.empty()
                : Optional.of("certificate: the served one has expired; " + why);
    }

    @Override
    public boolean isAlive() {
        return uptime.instant().isBefore(lastPass.plus(STUCK));
    }

    @Override
    public void close() {
        loop.close();
    }

    private void passInTime() {
        pass();
        lastPass = uptime.instant();
    }

    /** One look and what follows from it; never throws. */
    void pass() {
        try {
            CertState state = rotator.pass();
            tls.leaf().map(state::toServe).orElseGet(state::toServe).ifPresent(this::serve);
            settle(state);
        } catch (KubernetesClientException failure) {
            why = "certificate: " + reason(failure);
            LOG.atWarn()
                    .addKeyValue("status", failure.getCode())
                    .addKeyValue("ready", missing().isEmpty())
                    .log("cannot check the certificate: {}", reason(failure));
        } catch (RuntimeException fault) {
            why = "certificate: internal error; see the log";
            LOG.atError()
                    .setCause(fault)
                    .addKeyValue("ready", missing().isEmpty())
                    .log("cannot check the certificate");
        }
    }

    private void serve(CertMaterial material) {
        if (tls.show(List.of(material.leaf()), material.leafKey())) {
            metrics.serving(material.leaf());
            LOG.atInfo()
                    .addKeyValue("expires", material.leaf().getNotAfter().toInstant())
                    .log("serving a new certificate");
        }
    }

    private void settle(CertState state) {
        boolean now = state.trusted();
        if (now && !trusted) {
            LOG.info("the API server is told to trust the served certificate");
        }
        if (!now) {
            why =
                    state.absent().isEmpty()
                            ? "certificate: its CA bundle is not published yet"
                            : "certificate: create %s, for its CA bundle to be written there"
                                    .formatted(String.join(" and ", state.absent()));
            LOG.warn("not ready: {}", why);
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

    private Duration pause() {
        return missing().isEmpty() ? PAUSE : PAUSE_UNTIL_READY;
    }
}
