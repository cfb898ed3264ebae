// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpClientBuilder;
import io.fabric8.kubernetes.client.http.StandardHttpHeaders;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.StandardWebSocketBuilder;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketHandshakeException;
import io.fabric8.kubernetes.client.http.WebSocketResponse;
import io.fabric8.kubernetes.client.http.WebSocketUpgradeResponse;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * The HTTP client below fabric8's Kubernetes client, which hands requests to a server in memory.
 * Each is answered before the method returns, in the thread of the caller.
 */
final class InMemoryHttp
        extends StandardHttpClient<InMemoryHttp, InMemoryHttp.Factory, InMemoryHttp.Builder> {
    private static final int NORMAL_CLOSURE = 1000;

    /** Makes clients of one server. */
    static final class Factory implements HttpClient.Factory {
        private final InMemoryApiServer server;

        Factory(InMemoryApiServer server) {
            this.server = server;
        }

        @Override
        public Builder newBuilder() {
            return new Builder(this);
        }
    }

    /** Keeps what the Kubernetes client configures, as interceptors. */
    static final class Builder extends StandardHttpClientBuilder<InMemoryHttp, Factory, Builder> {
        Builder(Factory factory) {
            super(factory);
        }

        @Override
        public InMemoryHttp build() {
            AtomicBoolean closed = client == null ? new AtomicBoolean() : client.getClosed();
            return new InMemoryHttp(this, clientFactory.server, closed);
        }

        @Override
        protected Builder newInstance(Factory factory) {
            return new Builder(factory);
        }
    }

    private final InMemoryApiServer server;

    private InMemoryHttp(Builder builder, InMemoryApiServer server, AtomicBoolean closed) {
        super(builder, closed);
        this.server = server;
    }

    @Override
    protected void doClose() {
        // There is no connection to close.
    }

    @Override
    public CompletableFuture<HttpResponse<AsyncBody>> consumeBytesDirect(
            StandardHttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        try {
            ApiReply reply =
                    server.call(
                            request.method(),
                            request.uri(),
                            Optional.ofNullable(request.getContentType()).orElse(""),
                            body(request),
                            agent(request));
            return CompletableFuture.completedFuture(
                    new Answer(request, reply.code(), new Body(reply.body(), consumer)));
        } catch (IOException lost) {
            return CompletableFuture.failedFuture(lost);
        }
    }

    private static String body(StandardHttpRequest request) throws IOException {
        return switch (request.body()) {
            case null -> "";
            case StandardHttpRequest.StringBodyContent text -> text.getContent();
            case StandardHttpRequest.ByteArrayBodyContent bytes ->
                    new String(bytes.getContent(), StandardCharsets.UTF_8);
            case StandardHttpRequest.InputStreamBodyContent stream ->
                    new String(stream.getContent().readAllBytes(), StandardCharsets.UTF_8);
            default -> throw new IOException("a body of this kind is not known");
        };
    }

    private static String agent(StandardHttpRequest request) {
        return Optional.ofNullable(request.header("User-Agent")).orElse("fabric8");
    }

    @Override
    public CompletableFuture<WebSocketResponse> buildWebSocketDirect(
            StandardWebSocketBuilder builder, WebSocket.Listener listener) {
        StandardHttpRequest request = builder.asHttpRequest();
        try {
            WatchConnection watch = server.watch(request.uri(), agent(request));
            var socket = new Socket(watch, listener);
            listener.onOpen(socket);
            server.connect(watch, request.uri(), socket);
            return CompletableFuture.completedFuture(
                    new WebSocketResponse(new WebSocketUpgradeResponse(request), socket));
        } catch (ApiRefusal refusal) {
            var answer = new WebSocketUpgradeResponse(request, refusal.code());
            return CompletableFuture.completedFuture(
                    new WebSocketResponse(answer, new WebSocketHandshakeException(answer)));
        } catch (IOException lost) {
            return CompletableFuture.failedFuture(lost);
        }
    }

    /** The client's end of a watch. */
    private record Socket(WatchConnection watch, WebSocket.Listener listener)
            implements WebSocket, WatchConnection.Client {
        @Override
        public void receive(String event) {
            listener.onMessage(this, event);
        }

        @Override
        public void closed() {
            listener.onClose(this, NORMAL_CLOSURE, "");
        }

        @Override
        public boolean send(ByteBuffer data) {
            return false;
        }

        @Override
        public boolean sendClose(int code, String reason) {
            if (watch.isClosed()) {
                return false;
            }
            watch.leave();
            listener.onClose(this, code, "");
            return true;
        }

        @Override
        public long queueSize() {
            return 0;
        }

        @Override
        public void request() {
            // The server decides when an event is delivered.
        }
    }

    /** The body of a reply, which is there as a whole. */
    private static final class Body implements AsyncBody {
        private final byte[] bytes;
        private final Consumer<List<ByteBuffer>> consumer;
        private final CompletableFuture<Void> done = new CompletableFuture<>();
        private boolean consumed;

        Body(byte[] bytes, Consumer<List<ByteBuffer>> consumer) {
            this.bytes = bytes;
            this.consumer = consumer;
        }

        /** Asked for once more than there are parts, it is done. */
        @Override
        public void consume() {
            if (consumed) {
                done.complete(null);
                return;
            }
            consumed = true;
            try {
                consumer.consume(List.of(ByteBuffer.wrap(bytes).asReadOnlyBuffer()), this);
            } catch (Exception failed) {
                done.completeExceptionally(failed);
            }
        }

        @Override
        public CompletableFuture<Void> done() {
            return done;
        }

        @Override
        public void cancel() {
            done.cancel(false);
        }
    }

    /** The head of a reply. */
    private static final class Answer extends StandardHttpHeaders
            implements HttpResponse<AsyncBody> {
        private final StandardHttpRequest request;
        private final int code;
        private final AsyncBody body;

        Answer(StandardHttpRequest request, int code, AsyncBody body) {
            super(Map.of("Content-Type", List.of("application/json")));
            this.request = request;
            this.code = code;
            this.body = body;
        }

        @Override
        public int code() {
            return code;
        }

        @Override
        public AsyncBody body() {
            return body;
        }

        @Override
        public HttpRequest request() {
            return request;
        }

        @Override
        public Optional<HttpResponse<?>> previousResponse() {
            return Optional.empty();
        }
    }
}
