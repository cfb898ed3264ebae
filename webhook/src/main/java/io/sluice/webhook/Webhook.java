// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.javalin.http.Handler;
import io.sluice.api.spec.ResourceKind;
import io.sluice.certs.Rotator;
import io.sluice.certs.SecretCertStore;
import io.sluice.certs.WebhookConfigurations;
import io.sluice.process.Environment;
import io.sluice.process.LiveConfiguration;
import io.sluice.process.Uptime;
import io.sluice.process.Variable;
import io.sluice.process.management.ManagementServer;
import io.sluice.process.port.Endpoint;
import io.sluice.rules.canary.CanaryResources;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.webhook.admission.Admission;
import io.sluice.webhook.admission.AdmissionPlugins;
import io.sluice.webhook.admission.AdmissionVerdict;
import io.sluice.webhook.cache.CacheLookup;
import io.sluice.webhook.cache.CacheSizes;
import io.sluice.webhook.cache.ResourceCache;
import io.sluice.webhook.certificates.CertFiles;
import io.sluice.webhook.certificates.CertLoop;
import io.sluice.webhook.certificates.Certificates;
import io.sluice.webhook.certificates.TlsIdentity;
import io.sluice.webhook.http.SelfReview;
import io.sluice.webhook.http.WebhookServer;
import io.sluice.webhook.metric.WebhookMetrics;
import io.sluice.webhook.readiness.ConfigurationFiles;
import io.sluice.webhook.readiness.NotReady;
import io.sluice.webhook.readiness.Part;
import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The running process: both servers, and what they need before they can answer. */
final class Webhook implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Webhook.class);

    private final AtomicReference<Optional<Admission>> admission =
            new AtomicReference<>(Optional.empty());
    private final KubernetesClient client;
    private final WebhookServer server;
    private final SelfReview self;
    private final ManagementServer management;
    private final ConfigurationFiles configuration;
    private final Certificates certificates;
    private final List<ResourceCache> caches;
    private volatile boolean leaving;
    private volatile boolean wasReady;

    /**
     * The server, the client and the arithmetic of certificates are made at the same time, as each
     * takes long.
     *
     * @param others what else the HTTPS server answers; nothing but in a measurement
     * @param api opens what is closed with this
     * @param use is handed each configuration once requests are judged by it
     */
    private Webhook(
            Settings settings,
            Supplier<KubernetesClient> api,
            InstantSource clock,
            Map<String, Handler> others,
            Consumer<DefaultConfiguration> use)
            throws IOException {
        Thread.ofPlatform().name("curve").daemon().start(Rotator::prepare);
        var metrics = new WebhookMetrics();
        var tls = new TlsIdentity(settings.tls());
        self =
                new SelfReview(
                        this::httpsPort,
                        tls,
                        () -> admission.get().isPresent(),
                        SelfReview.Terms.USUAL,
                        System::nanoTime);
        CompletableFuture<WebhookServer> serving =
                CompletableFuture.supplyAsync(
                        () ->
                                WebhookServer.start(
                                        settings.ports().https(),
                                        tls,
                                        routes(others),
                                        settings.limits(),
                                        metrics),
                        work -> Thread.ofPlatform().name("https-start").start(work));
        client = api.get();
        certificates = certificates(settings, client, tls, metrics, clock);
        certificates.start();
        caches =
                List.of(
                        new ResourceCache(
                                client,
                                ResourceKind.FLINK_DEPLOYMENT,
                                ResourceCache.Need.REQUIRED,
                                settings.watched()),
                        new ResourceCache(
                                client,
                                ResourceKind.FLINK_SESSION_JOB,
                                ResourceCache.Need.OPTIONAL,
                                settings.watched()));
        caches.forEach(ResourceCache::start);
        metrics.registry().register(new CacheSizes(caches));
        String home = Environment.ofProcess().text(Variable.NAMESPACE).orElse("default");
        var lookup = new CacheLookup(client, caches);
        var plugins =
                AdmissionPlugins.load(
                        Environment.ofProcess(),
                        settings.configuration()
                                .map(DefaultConfiguration::load)
                                .orElse(DefaultConfiguration.NONE),
                        metrics::unanswered);
        var live =
                LiveConfiguration.awaited(
                        settings.configuration(),
                        read -> {
                            admission.set(
                                    Optional.of(
                                            new Admission(
                                                    read,
                                                    lookup,
                                                    plugins.within(read),
                                                    CanaryResources.of(read, home))));
                            use.accept(read);
                        });
        metrics.configuration(live);
        configuration = new ConfigurationFiles(live);
        configuration.start();
        server = serving.join();
        management =
                ManagementServer.start(
                        settings.ports().http(),
                        new ManagementServer.Health(this::wrong, this::missing),
                        ManagementServer.Shown.of(metrics.registry()),
                        settings.access().access(client, metrics.ports()::count),
                        metrics.ports());
        metrics.verdicts(self::silent);
        self.start();
    }

    static Webhook start(Settings settings, Supplier<KubernetesClient> api, InstantSource clock)
            throws IOException {
        return new Webhook(settings, api, clock, Map.of(), _ -> {});
    }

    /** With routes of its own beside ours, for comparison. */
    static Webhook startWith(
            Map<String, Handler> others,
            Settings settings,
            Supplier<KubernetesClient> api,
            InstantSource clock,
            Consumer<DefaultConfiguration> use)
            throws IOException {
        return new Webhook(settings, api, clock, others, use);
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
        self.close();
        parts().forEach(Part::close);
        server.close();
        management.close();
        client.close();
    }

    private WebhookServer.Routes routes(Map<String, Handler> others) {
        return new WebhookServer.Routes(
                this::judge,
                Map.of(
                        Endpoint.VALIDATE.path(),
                        AdmissionVerdict::validated,
                        Endpoint.MUTATE.path(),
                        AdmissionVerdict::mutated,
                        Endpoint.SELF_REVIEW.path(),
                        AdmissionVerdict::validated),
                others);
    }

    private Optional<AdmissionVerdict> judge(byte[] body) {
        Optional<AdmissionVerdict> judged = admission.get().orElseThrow(NotReady::new).judge(body);
        if (judged.isPresent()) {
            self.hadVerdict();
        }
        return judged;
    }

    /** Why the process had better be restarted. */
    private List<String> wrong() {
        Optional<String> certificate =
                certificates.isAlive()
                        ? Optional.empty()
                        : Optional.of("certificate: it has not been checked for minutes");
        return Stream.of(certificate, self.wrong()).flatMap(Optional::stream).toList();
    }

    private List<String> missing() {
        if (leaving) {
            return List.of("stopping: this replica is being stopped");
        }
        List<String> missing = parts().flatMap(part -> part.missing().stream()).toList();
        if (missing.isEmpty() && !wasReady) {
            LOG.info("ready");
        }
        wasReady = missing.isEmpty();
        return missing;
    }

    private Stream<Part> parts() {
        return Stream.concat(Stream.of(configuration, certificates), caches.stream());
    }

    private static Certificates certificates(
            Settings settings,
            KubernetesClient client,
            TlsIdentity tls,
            WebhookMetrics metrics,
            InstantSource clock) {
        return switch (settings.certificate()) {
            case Settings.Given(var folder) -> new CertFiles(folder, tls, metrics, clock);
            case Settings.OwnAuthority own ->
                    new CertLoop(rotator(own, client, clock), tls, metrics, clock, new Uptime());
        };
    }

    private static Rotator rotator(
            Settings.OwnAuthority own, KubernetesClient client, InstantSource clock) {
        return new Rotator(
                own.policy(),
                new SecretCertStore(client, own.namespace(), own.secret()),
                new WebhookConfigurations(client, own.validating(), own.mutating()),
                clock);
    }
}
