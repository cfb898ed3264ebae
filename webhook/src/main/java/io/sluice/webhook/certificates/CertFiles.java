// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.certificates;

import io.sluice.certs.ServingPair;
import io.sluice.process.Loop;
import io.sluice.webhook.metric.WebhookMetrics;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A certificate that others keep, read from {@code tls.crt} and {@code tls.key} of a folder: a
 * Secret of one's own or of cert-manager. It is read again and again, and what can't be used leaves
 * the former one in place.
 */
public final class CertFiles implements Certificates {
    private static final Logger LOG = LoggerFactory.getLogger(CertFiles.class);
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final Path folder;
    private final TlsIdentity tls;
    private final WebhookMetrics metrics;
    private final InstantSource clock;
    private final Loop loop = new Loop("certificates", this::pass, () -> PAUSE);
    private volatile Optional<String> flaw = Optional.of("nothing is read yet");

    public CertFiles(Path folder, TlsIdentity tls, WebhookMetrics metrics, InstantSource clock) {
        this.folder = folder;
        this.tls = tls;
        this.metrics = metrics;
        this.clock = clock;
    }

    @Override
    public void start() {
        loop.start();
    }

    /** Empty while a certificate is shown that has not expired, be the files good or bad by now. */
    @Override
    public Optional<String> missing() {
        var leaf = tls.leaf();
        if (leaf.isEmpty()) {
            return flaw.map(text -> "certificate: " + text);
        }
        return leaf.get().getNotAfter().toInstant().isAfter(clock.instant())
                ? Optional.empty()
                : Optional.of(
                        "certificate: that of %s has expired; put a new one there"
                                .formatted(folder));
    }

    @Override
    public boolean isAlive() {
        return true;
    }

    @Override
    public void close() {
        loop.close();
    }

    /** One look at the files; never throws. */
    void pass() {
        Optional<String> before = flaw;
        try {
            var pair = ServingPair.read(text("tls.crt"), text("tls.key"));
            if (tls.show(pair.chain(), pair.key())) {
                metrics.serving(pair.chain().getFirst());
                LOG.atInfo()
                        .addKeyValue("expires", pair.chain().getFirst().getNotAfter().toInstant())
                        .log("serving the certificate of {}", folder);
            }
            flaw = Optional.empty();
        } catch (ServingPair.Unusable unusable) {
            flaw = Optional.of(folder + ": " + unusable.getMessage());
        } catch (IOException unreadable) {
            flaw =
                    Optional.of(
                            "%s cannot be read (%s); mount a Secret with tls.crt and tls.key there"
                                    .formatted(folder, unreadable.getClass().getSimpleName()));
        } catch (RuntimeException fault) {
            flaw = Optional.of(folder + ": internal error; see the log");
            LOG.atError().setCause(fault).log("cannot load the certificate");
        }
        flaw.filter(text -> !before.equals(Optional.of(text)))
                .ifPresent(
                        text ->
                                LOG.atWarn()
                                        .addKeyValue("ready", missing().isEmpty())
                                        .log("cannot use the certificate: {}", text));
    }

    private String text(String file) throws IOException {
        return Files.readString(folder.resolve(file));
    }
}
