// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.analysis;

import io.sluice.flink.rest.http.Waiting;
import io.sluice.operator.bluegreen.analysis.PrometheusAnswer.Unknown;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks the Prometheus that the operator's configuration names. Each question ends within its time,
 * with a value or with the reason why there is none, and its caller's turn is free meanwhile.
 * Redirects are not followed, and with https nothing older than TLS 1.3 is spoken.
 */
public final class PrometheusQueries implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(PrometheusQueries.class);
    private static final Duration CONNECT = Duration.ofSeconds(3);

    /** Connection, request and the whole body. */
    private static final Duration LONGEST = Duration.ofSeconds(5);

    private final Waiting waiting;
    private final Duration longest;
    private Optional<Connected> connected = Optional.empty();

    /**
     * Where Prometheus is, as the operator's configuration says.
     *
     * @param address without {@code /api}
     * @param tokenFile a file with a bearer token, which is sent over https only
     * @param caFile a file with the certificates that are trusted; empty for those of the JDK
     */
    public record Place(URI address, Optional<Path> tokenFile, Optional<Path> caFile) {
        boolean isEncrypted() {
            return "https".equals(address.getScheme());
        }
    }

    /** A client, and what it was made with. */
    private record Connected(Optional<String> certificates, HttpClient client) {}

    /**
     * @param waiting what is done around the wait for an answer
     */
    public PrometheusQueries(Waiting waiting) {
        this(waiting, LONGEST);
    }

    PrometheusQueries(Waiting waiting, Duration longest) {
        this.waiting = waiting;
        this.longest = longest;
    }

    /**
     * The value of a query now.
     *
     * @param query in PromQL
     */
    public PrometheusAnswer ask(Place place, String query) {
        try {
            HttpRequest request = request(place, query);
            HttpClient client = client(place);
            PrometheusAnswer answer = waiting.during(() -> answered(client, request));
            if (answer instanceof Unknown(var why)) {
                LOG.atWarn().addKeyValue("query", query).log("a query has no value: {}", why);
            }
            return answer;
        } catch (IOException | GeneralSecurityException | IllegalArgumentException unusable) {
            LOG.atWarn()
                    .addKeyValue("address", place.address())
                    .log("Prometheus can't be asked: {}", unusable.getMessage());
            return new Unknown("The operator can't ask Prometheus; its log says why.");
        }
    }

    private HttpRequest request(Place place, String query) throws IOException {
        String root = place.address().toString();
        String base = root.endsWith("/") ? root.substring(0, root.length() - 1) : root;
        HttpRequest.Builder request =
                HttpRequest.newBuilder(
                                URI.create(
                                        base
                                                + "/api/v1/query?query="
                                                + URLEncoder.encode(query, StandardCharsets.UTF_8)))
                        .timeout(longest)
                        .header("Accept", "application/json");
        if (place.tokenFile().isPresent()) {
            if (!place.isEncrypted()) {
                throw new IOException(
                        "a token is sent over https only; write an address that begins with it");
            }
            request.header(
                    "Authorization", "Bearer " + Files.readString(place.tokenFile().get()).strip());
        }
        return request.build();
    }

    private PrometheusAnswer answered(HttpClient client, HttpRequest request) {
        CompletableFuture<HttpResponse<byte[]>> pending =
                client.sendAsync(
                        request,
                        BodyHandlers.limiting(
                                BodyHandlers.ofByteArray(), PrometheusAnswer.MOST_BYTES));
        try {
            HttpResponse<byte[]> response = pending.get(longest.toMillis(), TimeUnit.MILLISECONDS);
            return response.statusCode() == HttpURLConnection.HTTP_OK
                    ? PrometheusAnswer.read(response.body())
                    : new Unknown("Prometheus answers with HTTP " + response.statusCode() + ".");
        } catch (ExecutionException failed) {
            LOG.atWarn()
                    .addKeyValue("address", request.uri().getAuthority())
                    .log("Prometheus does not answer: {}", String.valueOf(failed.getCause()));
            return new Unknown("Prometheus does not answer, or with too much.");
        } catch (TimeoutException late) {
            pending.cancel(true);
            return new Unknown("Prometheus does not answer in time.");
        } catch (InterruptedException interrupted) {
            pending.cancel(true);
            Thread.currentThread().interrupt();
            return new Unknown("The operator ends.");
        }
    }

    /** Made anew when the certificates are others. */
    private synchronized HttpClient client(Place place)
            throws IOException, GeneralSecurityException {
        Optional<String> certificates = Optional.empty();
        if (place.isEncrypted() && place.caFile().isPresent()) {
            certificates = Optional.of(Files.readString(place.caFile().get()));
        }
        Optional<String> wanted = certificates;
        Optional<Connected> former = connected.filter(it -> it.certificates().equals(wanted));
        if (former.isPresent()) {
            return former.get().client();
        }
        Connected next = new Connected(certificates, made(certificates));
        connected.ifPresent(it -> it.client().shutdown());
        connected = Optional.of(next);
        return next.client();
    }

    private static HttpClient made(Optional<String> certificates)
            throws IOException, GeneralSecurityException {
        HttpClient.Builder builder =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(CONNECT)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .sslParameters(PrometheusTls.parameters());
        if (certificates.isPresent()) {
            builder.sslContext(PrometheusTls.trusting(certificates.get()));
        }
        return builder.build();
    }

    @Override
    public synchronized void close() {
        connected.ifPresent(it -> it.client().shutdownNow());
    }
}
