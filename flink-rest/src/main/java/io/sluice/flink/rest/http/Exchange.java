// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.flink.rest.JarUpload;
import io.sluice.flink.rest.Reply;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
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
    private final HttpClient client;
    private final Gets gets;
    private final HttpLimits limits;
    private final Waiting waiting;

    Exchange(HttpLimits limits, Waiting waiting) {
        this.limits = limits;
        this.waiting = waiting;
        gets = new Gets(limits);
        client =
                HttpClient.newBuilder()
                        .version(HttpClient.Version.HTTP_1_1)
                        .connectTimeout(limits.connect())
                        .followRedirects(HttpClient.Redirect.NEVER)
                        .build();
    }

    Reply<JsonNode> get(URI at, String path) {
        return get(uri(at, path), Optional.empty());
    }

    Reply<JsonNode> getOfJob(URI at, String jobId, String path) {
        return get(uri(at, "/jobs/" + encoded(jobId) + path), Optional.of(jobId));
    }

    private Reply<JsonNode> get(URI uri, Optional<String> jobId) {
        return waiting.during(
                () -> {
                    try {
                        return gets.get(uri, (status, body) -> Answers.of(status, body, jobId));
                    } catch (IOException failed) {
                        return new Reply.Unreachable<>("GET " + uri + ": " + reason(failed));
                    }
                });
    }

    Reply<JsonNode> put(URI at, String jobId, String path, String json) {
        return sendJson("PUT", at, jobId, path, json);
    }

    Reply<JsonNode> post(URI at, String jobId, String path, String json) {
        return sendJson("POST", at, jobId, path, json);
    }

    /** Of no job. */
    Reply<JsonNode> post(URI at, String path, String json) {
        return send(withJson(request(at, path), "POST", json), Optional.empty());
    }

    private Reply<JsonNode> sendJson(
            String method, URI at, String jobId, String path, String json) {
        return send(withJson(ofJob(at, jobId, path), method, json), Optional.of(jobId));
    }

    private static HttpRequest withJson(HttpRequest.Builder request, String method, String json) {
        return request.header("Content-Type", "application/json")
                .method(method, BodyPublishers.ofString(json))
                .build();
    }

    Reply<JsonNode> patch(URI at, String jobId, String query) {
        HttpRequest request =
                ofJob(at, jobId, query).method("PATCH", BodyPublishers.noBody()).build();
        return send(request, Optional.of(jobId));
    }

    Reply<JsonNode> post(URI at, String path, String json, Duration patience) {
        HttpRequest request =
                request(at, path)
                        .timeout(patience)
                        .header("Content-Type", "application/json")
                        .POST(BodyPublishers.ofString(json))
                        .build();
        return send(request, Optional.empty(), patience);
    }

    Reply<JsonNode> delete(URI at, String path) {
        return send(request(at, path).DELETE().build(), Optional.empty());
    }

    /** One file as {@code multipart/form-data}, the only form Flink takes. */
    Reply<JsonNode> upload(URI at, String path, JarUpload upload) {
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
            return send(request, Optional.empty(), upload.patience());
        } catch (FileNotFoundException gone) {
            return new Reply.Unreachable<>("the file to upload is gone: " + gone.getMessage());
        }
    }

    static String encoded(String id) {
        return URLEncoder.encode(id, StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        client.shutdownNow();
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

    private Reply<JsonNode> send(HttpRequest request, Optional<String> jobId) {
        return send(request, jobId, limits.request());
    }

    private Reply<JsonNode> send(HttpRequest request, Optional<String> jobId, Duration patience) {
        return waiting.during(() -> sent(request, jobId, patience));
    }

    /** {@code HttpRequest.timeout} ends with the headers; the wait here covers the body too. */
    private Reply<JsonNode> sent(HttpRequest request, Optional<String> jobId, Duration patience) {
        CompletableFuture<HttpResponse<byte[]>> pending =
                client.sendAsync(
                        request,
                        BodyHandlers.limiting(BodyHandlers.ofByteArray(), limits.maxBodyBytes()));
        try {
            HttpResponse<byte[]> response = pending.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            return Answers.of(response.statusCode(), response.body(), jobId);
        } catch (ExecutionException failed) {
            return unreachable(
                    request, reason(Optional.ofNullable(failed.getCause()).orElse(failed)));
        } catch (TimeoutException late) {
            pending.cancel(true);
            return unreachable(request, "no complete answer within " + patience);
        } catch (InterruptedException interrupted) {
            pending.cancel(true);
            Thread.currentThread().interrupt();
            return unreachable(request, "interrupted");
        }
    }

    private static String reason(Throwable cause) {
        return Optional.ofNullable(cause.getMessage()).orElse(cause.getClass().getSimpleName());
    }

    private static <T> Reply<T> unreachable(HttpRequest request, String why) {
        return new Reply.Unreachable<>(request.method() + " " + request.uri() + ": " + why);
    }
}
