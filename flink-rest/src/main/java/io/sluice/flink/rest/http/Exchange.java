// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import io.sluice.flink.rest.Accepted;
import io.sluice.flink.rest.AnswerLimit;
import io.sluice.flink.rest.JarUpload;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.tls.RestTls;
import java.io.ByteArrayInputStream;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** One request, one reply, and no exception: here HTTP turns into {@link Reply}. */
final class Exchange implements AutoCloseable {
    private final Clients clients;
    private final Gets gets;
    private final HttpLimits limits;
    private final Waiting waiting;
    private final Json json;
    private final Json ofObjects;

    Exchange(HttpLimits limits, Waiting waiting, RestTls tls) {
        this.limits = limits;
        this.waiting = waiting;
        json = Json.within(limits.answers());
        ofObjects = Json.within(limits.answers().ofObjects());
        gets = new Gets(limits, tls);
        clients = new Clients(limits, tls);
    }

    /** An answer that says one thing. */
    <T> Reply<T> get(URI at, String path, AnswerReader<T> reader) {
        return get(uri(at, path), Optional.empty(), AnswerLimit.SIZE, reader);
    }

    <T> Reply<T> getOfJob(URI at, String jobId, String path, AnswerReader<T> reader) {
        return get(uriOfJob(at, jobId, path), Optional.of(jobId), AnswerLimit.SIZE, reader);
    }

    /** An answer that lists something. */
    <T> Reply<T> list(URI at, String path, AnswerReader<T> reader) {
        return get(uri(at, path), Optional.empty(), AnswerLimit.LIST_SIZE, reader);
    }

    <T> Reply<T> listOfJob(URI at, String jobId, String path, AnswerReader<T> reader) {
        return get(uriOfJob(at, jobId, path), Optional.of(jobId), AnswerLimit.LIST_SIZE, reader);
    }

    private <T> Reply<T> get(
            URI uri, Optional<String> jobId, AnswerLimit size, AnswerReader<T> reader) {
        return waiting.during(
                () -> {
                    try {
                        return gets.get(
                                uri,
                                size,
                                1,
                                limits.request(),
                                (status, body) -> Answers.of(json, status, body, jobId, reader));
                    } catch (AnswerTooLarge exceeded) {
                        return tooLarge("GET", uri, exceeded);
                    } catch (IOException failed) {
                        return new Reply.Unreachable<>("GET " + uri + ": " + reason(failed));
                    }
                });
    }

    /** An answer of which objects are made, all of it at once. */
    <T> T whole(URI uri, Duration time, HttpJobManagerRest.Whole<T> use) throws IOException {
        return gets.get(
                uri,
                AnswerLimit.LIST_SIZE,
                AnswerLimits.WEIGHT_OF_OBJECTS,
                time,
                (status, body) -> {
                    if (status != HttpURLConnection.HTTP_OK) {
                        throw new IOException("HTTP " + status);
                    }
                    byte[] bytes = body.readAllBytes();
                    if (ofObjects
                            .read(new ByteArrayInputStream(bytes), Exchange::accepted)
                            .isEmpty()) {
                        throw new IOException("the reply was cut or no JSON");
                    }
                    return use.of(bytes);
                });
    }

    private static <T> Reply<T> tooLarge(String method, URI uri, AnswerTooLarge exceeded) {
        return new Reply.TooLarge<>(
                exceeded.limit(), method + " " + uri + ": " + exceeded.getMessage());
    }

    private static URI uriOfJob(URI at, String jobId, String path) {
        return uri(at, "/jobs/" + encoded(jobId) + path);
    }

    Reply<Accepted> put(URI at, String jobId, String path, String json) {
        return sendJson("PUT", at, jobId, path, json);
    }

    Reply<Accepted> post(URI at, String jobId, String path, String json) {
        return sendJson("POST", at, jobId, path, json);
    }

    /** Of no job. */
    <T> Reply<T> post(URI at, String path, String json, AnswerReader<T> reader) {
        return send(
                withJson(request(at, path), "POST", json),
                Optional.empty(),
                limits.request(),
                reader);
    }

    private Reply<Accepted> sendJson(
            String method, URI at, String jobId, String path, String json) {
        return send(withJson(ofJob(at, jobId, path), method, json), Optional.of(jobId));
    }

    private static HttpRequest withJson(HttpRequest.Builder request, String method, String json) {
        return request.header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(json))
                .build();
    }

    Reply<Accepted> patch(URI at, String jobId, String query) {
        HttpRequest request =
                ofJob(at, jobId, query).method("PATCH", BodyPublishers.noBody()).build();
        return send(request, Optional.of(jobId));
    }

    Reply<Accepted> post(URI at, String path, String json, Duration patience) {
        HttpRequest request =
                request(at, path)
                        .timeout(patience)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(json))
                        .build();
        return send(request, Optional.empty(), patience, Exchange::accepted);
    }

    Reply<Accepted> delete(URI at, String path) {
        return send(request(at, path).DELETE().build(), Optional.empty());
    }

    /** One file as {@code multipart/form-data}, the only form Flink takes. */
    <T> Reply<T> upload(URI at, String path, JarUpload upload, AnswerReader<T> reader) {
        String boundary = "sluice-" + UUID.randomUUID();
        String head =
                "--%s\r\nContent-Disposition: form-data; name=\"jarfile\"; filename=\"%s\"\r\n"
                                .formatted(boundary, upload.name())
                        + "Content-Type: application/x-java-archive\r\n\r\n";
        try {
            HttpRequest request =
                    request(at, path)
                            .timeout(upload.patience())
                            .header("Content-Type", "multipart/form-data; boundary=" + boundary)
                            .POST(
                                    BodyPublishers.concat(
                                            BodyPublishers.ofString(head),
                                            BodyPublishers.ofFile(upload.jar()),
                                            BodyPublishers.ofString(
                                                    "\r\n--" + boundary + "--\r\n")))
                            .build();
            return send(request, Optional.empty(), upload.patience(), reader);
        } catch (FileNotFoundException gone) {
            return new Reply.Unreachable<>("the file to upload is gone: " + gone.getMessage());
        }
    }

    static String encoded(String id) {
        return URLEncoder.encode(id, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        clients.close();
        gets.close();
    }

    private HttpRequest.Builder ofJob(URI at, String jobId, String path) {
        return request(at, "/jobs/" + encoded(jobId) + path);
    }

    private static URI uri(URI at, String path) {
        String root = at.toString();
        String base = root.endsWith("/") ? root.substring(0, root.length() - 1) : root;
        return URI.create(base + path);
    }

    private HttpRequest.Builder request(URI at, String path) {
        return HttpRequest.newBuilder(uri(at, path))
                .timeout(limits.request())
                .header("Accept", "application/json");
    }

    private Reply<Accepted> send(HttpRequest request, Optional<String> jobId) {
        return send(request, jobId, limits.request(), Exchange::accepted);
    }

    /** Whatever JSON it is. */
    private static Optional<Accepted> accepted(JsonCursor body) {
        return Optional.of(Accepted.ACCEPTED);
    }

    private <T> Reply<T> send(
            HttpRequest request,
            Optional<String> jobId,
            Duration patience,
            AnswerReader<T> reader) {
        return waiting.during(() -> sent(request, jobId, patience, reader));
    }

    /** {@code HttpRequest.timeout} ends with the headers; the wait here covers the body too. */
    private <T> Reply<T> sent(
            HttpRequest request,
            Optional<String> jobId,
            Duration patience,
            AnswerReader<T> reader) {
        CompletableFuture<HttpResponse<byte[]>> pending;
        try {
            pending =
                    clients.of(request.uri())
                            .sendAsync(
                                    request,
                                    BodyHandlers.limiting(
                                            BodyHandlers.ofByteArray(), mostOfAnswer()));
        } catch (IOException untrusting) {
            return unreachable(request, reason(untrusting));
        }
        try {
            HttpResponse<byte[]> response = pending.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return Answers.of(
                    json,
                    response.statusCode(),
                    new ByteArrayInputStream(response.body()),
                    jobId,
                    reader);
        } catch (AnswerTooLarge exceeded) {
            return tooLarge(request.method(), request.uri(), exceeded);
        } catch (IOException unread) {
            return unreachable(request, reason(unread));
        } catch (ExecutionException failed) {
            Throwable cause = Optional.ofNullable(failed.getCause()).orElse(failed);
            return isTooLarge(cause)
                    ? tooLarge(request.method(), request.uri(), exceeded())
                    : unreachable(request, reason(cause));
        } catch (TimeoutException late) {
            pending.cancel(true);
            return unreachable(request, "no complete answer within " + patience);
        } catch (InterruptedException interrupted) {
            pending.cancel(true);
            Thread.currentThread().interrupt();
            return unreachable(request, "interrupted");
        }
    }

    /** In the words of the JDK's client, which has no type for it. */
    private static boolean isTooLarge(Throwable cause) {
        return cause instanceof IOException && reason(cause).contains("body exceeds capacity");
    }

    private int mostOfAnswer() {
        return limits.answers().of(AnswerLimit.SIZE);
    }

    private AnswerTooLarge exceeded() {
        return new AnswerTooLarge(
                AnswerLimit.SIZE, "the answer has more than " + mostOfAnswer() + " bytes");
    }

    private static String reason(Throwable cause) {
        return Optional.ofNullable(cause.getMessage()).orElse(cause.getClass().getSimpleName());
    }

    private static <T> Reply<T> unreachable(HttpRequest request, String why) {
        return new Reply.Unreachable<>(request.method() + " " + request.uri() + ": " + why);
    }
}
