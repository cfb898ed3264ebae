// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import io.sluice.flink.rest.tls.RestTls;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.Optional;

/** The JDK's newer client, with TLS or without, made when the first request needs it. */
final class Clients implements AutoCloseable {
    private final HttpLimits limits;
    private final RestTls tls;
    private final HttpClient plain;
    private Optional<Encrypted> encrypted = Optional.empty();

    private record Encrypted(RestTls.Terms terms, HttpClient client) {}

    Clients(HttpLimits limits, RestTls tls) {
        this.limits = limits;
        this.tls = tls;
        plain = builder().build();
    }

    /**
     * @throws IOException if there are no certificates for a host that uses TLS
     */
    HttpClient of(URI uri) throws IOException {
        return "https".equals(uri.getScheme()) ? encrypted(tls.terms()) : plain;
    }

    private synchronized HttpClient encrypted(RestTls.Terms terms) {
        if (encrypted.filter(it -> it.terms().equals(terms)).isEmpty()) {
            // Requests that the former one has begun come to their end.
            encrypted.ifPresent(former -> former.client().shutdown());
            encrypted =
                    Optional.of(
                            new Encrypted(terms, builder().sslContext(terms.context()).build()));
        }
        return encrypted.orElseThrow().client();
    }

    private HttpClient.Builder builder() {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(limits.connect())
                .followRedirects(HttpClient.Redirect.NEVER);
    }

    @Override
    public synchronized void close() {
        plain.shutdownNow();
        encrypted.ifPresent(it -> it.client().shutdownNow());
    }
}
