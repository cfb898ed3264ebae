// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.collect;

import io.sluice.flink.rest.AnswerLimit;
import io.sluice.flink.rest.http.AnswerTooLarge;
import io.sluice.flink.rest.http.HttpJobManagerRest;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
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
 * loop for each cluster; this one asks by the adapter that all else is asked by, at the address
 * that is bound while a job is looked at. The engine closes whatever client it is handed, several
 * times a cycle: this one survives that.
 */
public final class EngineClient implements AutoCloseable {
    private static final ScopedValue<Target> TARGET = ScopedValue.newInstance();

    private final Shared shared;
    private final Duration usual;

    private record Target(URI jobManager, Duration answer) {}

    /** What is done with the client while an address is bound. */
    @FunctionalInterface
    public interface Call<T> {
        T with(RestClusterClient<String> client) throws Exception;
    }

    /** A client within the usual limits, whose answers may take {@code answer} each. */
    public EngineClient(Duration answer) {
        this(new HttpJobManagerRest(JobManagerLimits.DEFAULT), answer, _ -> {});
    }

    /**
     * A client whose answers may take {@code answer} each, unless told otherwise.
     *
     * @param rest reads within its limits what the engine makes objects of; closed with this
     * @param tooLarge is told of each answer that is not used, by the bound that it exceeds
     */
    public EngineClient(HttpJobManagerRest rest, Duration answer, Consumer<AnswerLimit> tooLarge) {
        usual = answer;
        Configuration configuration = new Configuration();
        configuration.set(JobManagerOptions.ADDRESS, "localhost");
        configuration.set(RestOptions.ADDRESS, "localhost");
        try {
            shared = new Shared(configuration, rest, tooLarge);
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

        private final HttpJobManagerRest rest;
        private final Consumer<AnswerLimit> tooLarge;

        Shared(Configuration configuration, HttpJobManagerRest rest, Consumer<AnswerLimit> tooLarge)
                throws Exception {
            super(configuration, "shared");
            this.rest = rest;
            this.tooLarge = tooLarge;
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
            URI uri = URI.create(TARGET.get().jobManager() + path);
            try {
                return CompletableFuture.completedFuture(
                        rest.whole(
                                uri,
                                TARGET.get().answer(),
                                json -> JSON.readValue(json, type(headers))));
            } catch (AnswerTooLarge exceeded) {
                tooLarge.accept(exceeded.limit());
                return failed(uri, exceeded);
            } catch (IOException failed) {
                return failed(uri, failed);
            }
        }

        @Override
        public void close() {
            // Handed out again for the next request.
        }

        void reallyClose() {
            super.close();
            rest.close();
        }

        private static <P> CompletableFuture<P> failed(URI uri, IOException why) {
            return CompletableFuture.failedFuture(
                    new IOException("GET " + uri + ": " + why.getMessage(), why));
        }

        private static JavaType type(MessageHeaders<?, ?, ?> headers) {
            Class<?>[] parameters = headers.getResponseTypeParameters().toArray(new Class<?>[0]);
            return parameters.length == 0
                    ? JSON.getTypeFactory().constructType(headers.getResponseClass())
                    : JSON.getTypeFactory()
                            .constructParametricType(headers.getResponseClass(), parameters);
        }
    }
}
