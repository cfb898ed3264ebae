// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.artifact;

import io.sluice.rules.config.option.ArtifactOptions;
import io.sluice.rules.jar.JarUri;
import java.io.Closeable;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SystemDefaultDnsResolver;
import org.apache.hc.client5.http.classic.methods.HttpGet;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.RequestConfig;
import org.apache.hc.client5.http.impl.DefaultClientConnectionReuseStrategy;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClients;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.MessageConstraintException;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.util.Timeout;

/**
 * Downloads one jar. Redirects are followed by hand, since each leads to another host that has to
 * be looked at, and must not be given the headers meant for the first.
 */
final class Download implements Closeable {
    private static final int MOST_CAUSES = 10;
    private static final int PIECE = 64 * 1024;
    private static final int MOST_BYTES_OF_A_REASON = 500;
    private static final Timeout SILENCE = Timeout.ofSeconds(15);

    /** Lines of a response's head. */
    private static final int MOST_HEADERS = 100;

    /** Something that the fetching rules refuse; the message completes "the URI …". */
    static final class Refusal extends IOException {
        @java.io.Serial private static final long serialVersionUID = 1L;

        Refusal(String message) {
            super(message);
        }
    }

    private final JarSource source;
    private final NamespaceJars cache;
    private final InstantSource uptime;
    private final Instant deadline;
    private final CloseableHttpClient client;
    private final Future<?> watch;
    private final AtomicBoolean isLate = new AtomicBoolean();
    private final AtomicReference<Optional<HttpGet>> underWay =
            new AtomicReference<>(Optional.empty());

    /**
     * @param watchdog ends the download when its time is over, whatever it waits for
     */
    Download(
            JarSource source,
            NamespaceJars cache,
            InstantSource uptime,
            ScheduledExecutorService watchdog) {
        this.source = source;
        this.cache = cache;
        this.uptime = uptime;
        deadline = uptime.instant().plus(source.policy().timeout());
        client =
                HttpClients.custom()
                        .setConnectionManager(
                                PoolingHttpClientConnectionManagerBuilder.create()
                                        .setConnectionFactory(
                                                ManagedHttpClientConnectionFactory.builder()
                                                        .http1Config(head(source))
                                                        .build())
                                        .setDnsResolver(resolver(source))
                                        .setDefaultConnectionConfig(
                                                ConnectionConfig.custom()
                                                        .setConnectTimeout(SILENCE)
                                                        .setSocketTimeout(SILENCE)
                                                        .build())
                                        .build())
                        .setRequestExecutor(
                                HttpRequestExecutor.builder()
                                        .withConnectionReuseStrategy(
                                                DefaultClientConnectionReuseStrategy.INSTANCE)
                                        .withHttp1StreamListener(new InformationalResponses())
                                        .build())
                        .setDefaultRequestConfig(
                                RequestConfig.custom().setResponseTimeout(SILENCE).build())
                        .disableRedirectHandling()
                        .disableAutomaticRetries()
                        .disableContentCompression()
                        .disableCookieManagement()
                        .disableAuthCaching()
                        .build();
        watch =
                watchdog.schedule(
                        this::giveUp, source.policy().timeout().toMillis(), TimeUnit.MILLISECONDS);
    }

    /** The server of Flink's file systems is on the pod's own loopback interface. */
    private static DnsResolver resolver(JarSource source) {
        return source.request().isPresent()
                ? SystemDefaultDnsResolver.INSTANCE
                : new CheckedAddresses(source.policy());
    }

    private static Http1Config head(JarSource source) {
        return Http1Config.custom()
                .setMaxLineLength(source.policy().maxHeaderBytes())
                .setMaxHeaderCount(MOST_HEADERS)
                .build();
    }

    private void giveUp() {
        isLate.set(true);
        underWay.get().ifPresent(request -> Thread.startVirtualThread(request::abort));
    }

    Fetched run() throws IOException {
        try {
            return followed();
        } catch (Refusal | LimitReached refusal) {
            throw refusal;
        } catch (UncheckedIOException limit) {
            throw limit.getCause();
        } catch (IOException fault) {
            throw isLate.get() ? tooLate() : ofHead(fault);
        } catch (IllegalStateException aborted) {
            // What the client throws where it was about to go on.
            throw isLate.get()
                    ? tooLate()
                    : new IOException("ended before all of it was there", aborted);
        }
    }

    private IOException ofHead(IOException fault) {
        boolean isTooLong =
                Stream.<Throwable>iterate(fault, Objects::nonNull, Throwable::getCause)
                        .limit(MOST_CAUSES)
                        .anyMatch(MessageConstraintException.class::isInstance);
        return isTooLong
                ? new LimitReached(
                        DownloadLimit.HEADER,
                        "is answered with headers of more than "
                                + MOST_HEADERS
                                + " lines, or of more than "
                                + source.policy().maxHeaderBytes()
                                + " bytes; see "
                                + ArtifactOptions.MAX_HEADER_SIZE.key())
                : fault;
    }

    private Fetched followed() throws IOException {
        URI first =
                source.request()
                        .orElseGet(() -> URI.create(source.uri().orElseThrow()).normalize());
        URI at = first;
        for (int hop = 0; hop <= source.policy().maxRedirects(); hop++) {
            Step step = ask(at, isSameOrigin(first, at));
            switch (step) {
                case Step.Done(var fetched) -> {
                    return fetched;
                }
                case Step.Redirect(var location) -> at = next(at, location);
            }
        }
        throw new LimitReached(
                DownloadLimit.REDIRECTS,
                "redirects more than "
                        + source.policy().maxRedirects()
                        + " times; see "
                        + ArtifactOptions.MAX_REDIRECTS.key());
    }

    private sealed interface Step {
        record Done(Fetched fetched) implements Step {}

        record Redirect(String location) implements Step {}
    }

    private Step ask(URI at, boolean withHeaders) throws IOException {
        HttpGet request = new HttpGet(withoutFragment(at));
        Optional<NamespaceJars.Entry> known = cache.entry(at.toString());
        if (withHeaders && source.request().isEmpty()) {
            source.headers().forEach(request::setHeader);
        }
        known.ifPresent(entry -> request.setHeader("If-None-Match", entry.etag()));
        underWay.set(Optional.of(request));
        if (isLate.get()) {
            throw tooLate();
        }
        return client.execute(request, response -> used(request, at, known, response));
    }

    /** To close a response is to read the rest of it: what is not read to its end is aborted. */
    private Step used(
            HttpGet request,
            URI at,
            Optional<NamespaceJars.Entry> known,
            ClassicHttpResponse response)
            throws IOException {
        try {
            return answered(at, known, response);
        } finally {
            request.abort();
        }
    }

    private Step answered(URI at, Optional<NamespaceJars.Entry> known, ClassicHttpResponse response)
            throws IOException {
        int status = response.getCode();
        if (status == 304 && known.isPresent()) {
            return new Step.Done(new Fetched.Here(checked(known.get().jar()).path()));
        }
        Optional<String> location = header(response, "Location");
        if (status >= 300 && status < 400 && location.isPresent()) {
            return new Step.Redirect(location.get());
        }
        if (status != 200 || response.getEntity() == null) {
            throw new Refusal(
                    source.request().isPresent()
                            ? unread(response)
                            : "is answered with HTTP " + status + " by " + at.getHost());
        }
        if (response.getEntity().getContentLength() > source.policy().maxBytes()) {
            throw tooLarge();
        }
        try (NamespaceJars.Writing writing = cache.write()) {
            copy(response.getEntity().getContent(), writing);
            NamespaceJars.StoredJar jar = checked(writing.finish());
            header(response, "ETag").ifPresent(etag -> cache.remember(at.toString(), etag, jar));
            return new Step.Done(new Fetched.Here(jar.path()));
        }
    }

    /** The reason that the server of Flink's file systems gives; it contains no secret. */
    private static String unread(ClassicHttpResponse response) throws IOException {
        HttpEntity entity = response.getEntity();
        String why =
                entity == null
                        ? ""
                        : new String(
                                entity.getContent().readNBytes(MOST_BYTES_OF_A_REASON),
                                StandardCharsets.UTF_8);
        return "can't be read: " + (why.isBlank() ? "HTTP " + response.getCode() : why.strip());
    }

    private void copy(InputStream body, NamespaceJars.Writing writing) throws IOException {
        byte[] piece = new byte[PIECE];
        long total = 0;
        for (int read = body.read(piece); read >= 0; read = body.read(piece)) {
            total += read;
            if (total > source.policy().maxBytes()) {
                throw tooLarge();
            }
            if (isLate.get() || uptime.instant().isAfter(deadline)) {
                throw tooLate();
            }
            writing.write(piece, 0, read);
        }
    }

    private NamespaceJars.StoredJar checked(NamespaceJars.StoredJar jar) throws Refusal {
        Optional<String> pin = source.pin();
        if (pin.isPresent() && !pin.get().equals(jar.digest())) {
            throw new Refusal(
                    "is pinned, and what its host sends has another digest: sha256="
                            + jar.digest());
        }
        return jar;
    }

    private URI next(URI from, String location) throws Refusal {
        try {
            URI next = from.resolve(location);
            Optional<String> objection = source.policy().objection(next.toString());
            if (objection.isPresent()) {
                throw new Refusal(
                        "redirects to "
                                + JarUri.shown(withoutQuery(next))
                                + ", which "
                                + objection.get());
            }
            boolean downgrades =
                    "https".equalsIgnoreCase(from.getScheme())
                            && !"https".equalsIgnoreCase(next.getScheme());
            if (downgrades) {
                throw new Refusal("redirects from https to " + next.getScheme());
            }
            return next;
        } catch (IllegalArgumentException notOne) {
            throw new Refusal("redirects to something that is not a URI");
        }
    }

    private LimitReached tooLate() {
        return new LimitReached(
                DownloadLimit.TIME,
                "takes longer than "
                        + source.policy().timeout().toSeconds()
                        + " s; see "
                        + ArtifactOptions.TIMEOUT.key());
    }

    private LimitReached tooLarge() {
        return new LimitReached(
                DownloadLimit.SIZE,
                "is larger than "
                        + source.policy().maxBytes()
                        + " bytes; see "
                        + ArtifactOptions.MAX_SIZE.key());
    }

    private static boolean isSameOrigin(URI one, URI other) {
        return String.valueOf(one.getScheme()).equalsIgnoreCase(other.getScheme())
                && String.valueOf(one.getRawAuthority()).equalsIgnoreCase(other.getRawAuthority());
    }

    private static URI withoutFragment(URI uri) {
        String text = uri.toString();
        int hash = text.indexOf('#');
        return hash < 0 ? uri : URI.create(text.substring(0, hash));
    }

    /** A query may hold a signature. */
    private static String withoutQuery(URI uri) {
        String text = withoutFragment(uri).toString();
        int mark = text.indexOf('?');
        return mark < 0 ? text : text.substring(0, mark);
    }

    private static Optional<String> header(ClassicHttpResponse response, String name) {
        return Optional.ofNullable(response.getFirstHeader(name)).map(Header::getValue);
    }

    @Override
    public void close() throws IOException {
        watch.cancel(false);
        client.close();
    }
}
