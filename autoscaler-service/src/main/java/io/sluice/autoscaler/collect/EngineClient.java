// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.flink.client.program.rest.RestClusterClient;
import org.apache.flink.configuration.Configuration;
import org.apache.flink.configuration.JobManagerOptions;
import org.apache.flink.configuration.RestOptions;
import org.apache.flink.runtime.rest.messages.MessageHeaders;
import org.apache.flink.runtime.rest.messages.MessageParameters;
import org.apache.flink.runtime.rest.messages.RequestBody;
import org.apache.flink.runtime.rest.messages.ResponseBody;
import org.apache.flink.runtime.rest.util.RestMapperUtils;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.JavaType;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;

/**
 * The one REST client all engines share, whatever JobManager they ask. Flink's own opens an event
 * loop for each cluster; this one asks over the JDK's client and its one pool, at the address that
 * is bound while a job is looked at. The engine closes whatever client it is handed, several times
 * a cycle: this one survives that.
 */
public final class EngineClient implements AutoCloseable {
    private static final ScopedValue<Target> TARGET = ScopedValue.newInstance();
    private static final Duration CONNECT = Duration.ofSeconds(3);
    private static final int LONGEST_BODY = 16 * 1024 * 1024;

    private final Shared shared;
    private final Duration usual;

    private record Target(URI jobManager, Duration answer) {}

    /** What is done with the client while an address is bound. */
    @FunctionalInterface
    public interface Call<T> {
        T with(RestClusterClient<String> client) throws Exception;
    }

    /** A client whose answers may take {@code answer} each, unless told otherwise. */
    public EngineClient(Duration answer) {
        usual = answer;
        Configuration configuration = new Configuration();
        configuration.set(JobManagerOptions.ADDRESS, "localhost");
        configuration.set(RestOptions.ADDRESS, "localhost");
        try {
            shared = new Shared(configuration);
        } catch (Exception failed) { // declared by Flink's constructor
            throw new IllegalStateException("no REST client", failed);
        }
    }

    /** Calls with all requests of this thread going to {@code jobManager}. */
    public <T> T callAt(URI jobManager, Call<T> call) throws Exception {
        return callAt(jobManager, Optional.empty(), call);
    }

    /** Likewise; each answer may take {@code answer} if that is given. */
    public <T> T callAt(URI jobManager, Optional<Duration> answer, Call<T> call) throws Exception {
        return ScopedValue.where(TARGET, new Target(jobManager, answer.orElse(usual)))
                .call(() -> call.with(shared));
    }

    @Override
    public void close() {
        shared.reallyClose();
    }

    private static final class Shared extends RestClusterClient<String> {
        private static final ObjectMapper JSON = RestMapperUtils.getFlexibleObjectMapper();

        private final HttpClient http =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(CONNECT)
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .build();

        Shared(Configuration configuration) throws Exception {
            super(configuration, "shared");
        }

        /** Only reads are asked for; they have no body. */
        @Override
        public <
                        M extends MessageHeaders<R, P, U>,
                        U extends MessageParameters,
                        R extends RequestBody,
                        P extends ResponseBody>
                CompletableFuture<P> sendRequest(M headers, U parameters, R body) {
            String path =
                    MessageParameters.resolveUrl(headers.getTargetRestEndpointURL(), parameters);
            try {
                return CompletableFuture.completedFuture(JSON.readValue(get(path), type(headers)));
            } catch (IOException failed) {
                return CompletableFuture.failedFuture(failed);
            }
        }

        @Override
        public void close() {
            // Handed out again for the next request.
        }

        void reallyClose() {
            super.close();
            http.shutdownNow();
        }

        private static JavaType type(MessageHeaders<?, ?, ?> headers) {
            Class<?>[] parameters = headers.getResponseTypeParameters().toArray(new Class<?>[0]);
            return parameters.length == 0
                    ? JSON.getTypeFactory().constructType(headers.getResponseClass())
                    : JSON.getTypeFactory()
                            .constructParametricType(headers.getResponseClass(), parameters);
        }

        /** The wait covers the body too, which {@code HttpRequest.timeout} does not. */
        private byte[] get(String path) throws IOException {
            Duration answer = TARGET.get().answer();
            URI uri = URI.create(TARGET.get().jobManager() + path);
            HttpRequest request = HttpRequest.newBuilder(uri).timeout(answer).GET().build();
            CompletableFuture<HttpResponse<byte[]>> pending =
                    http.sendAsync(
                            request,
                            BodyHandlers.limiting(BodyHandlers.ofByteArray(), LONGEST_BODY));
            try {
                HttpResponse<byte[]> response =
                        pending.get(answer.toMillis(), TimeUnit.MILLISECONDS);
                if (response.statusCode() != 200) {
                    throw new IOException("GET " + uri + ": " + response.statusCode());
                }
                return response.body();
            } catch (ExecutionException failed) {
                throw new IOException("GET " + uri + ": " + failed.getCause(), failed);
            } catch (TimeoutException late) {
                pending.cancel(true);
                throw new IOException("GET " + uri + ": no answer within " + answer, late);
            } catch (InterruptedException interrupted) {
                pending.cancel(true);
                Thread.currentThread().interrupt();
                throw new IOException("GET " + uri + ": interrupted", interrupted);
            }
        }
    }
}
