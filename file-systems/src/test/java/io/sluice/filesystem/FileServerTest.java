// SPDX-License-Identifier: Apache-2.0
package io.sluice.filesystem;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Asks over HTTP for what a file system of Flink's has. */
class FileServerTest {
    @TempDir Path buckets;
    private HttpServer server;
    private final HttpClient client = HttpClient.newHttpClient();

    @BeforeEach
    void start() throws IOException {
        System.setProperty("buckets", buckets.toString());
        Files.createDirectories(buckets.resolve("jars/team"));
        Files.writeString(buckets.resolve("jars/team/job.jar"), "content");
        Files.createFile(buckets.resolve("jars/empty.jar"));
        server = FileServer.start(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @AfterEach
    void stop() {
        server.stop(0);
    }

    @Test
    void sendsTheFileAndItsLength() throws Exception {
        HttpResponse<String> answer = ask("s3://jars/team/job.jar");

        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.body()).isEqualTo("content");
        assertThat(answer.headers().firstValue("Content-Length")).contains("7");
        assertThat(ask("s3://jars/empty.jar").body()).isEmpty();
    }

    @Test
    void sendsNothingTwiceThatHasNotChanged() throws Exception {
        String tag = ask("s3://jars/team/job.jar").headers().firstValue("ETag").orElseThrow();

        assertThat(ask("s3://jars/team/job.jar", tag).statusCode()).isEqualTo(304);
        Files.writeString(buckets.resolve("jars/team/job.jar"), "another");
        Files.setLastModifiedTime(
                buckets.resolve("jars/team/job.jar"),
                java.nio.file.attribute.FileTime.fromMillis(1_000));
        assertThat(ask("s3://jars/team/job.jar", tag).body()).isEqualTo("another");
    }

    @ParameterizedTest
    @CsvSource({
        "s3://jars/none.jar, 404, there is no such file",
        "s3://jars/team, 404, it is a folder",
        "s3://jars/secret.jar, 502, Access Denied",
        "unknown://jars/job.jar, 501, no plugin for this scheme is loaded; see jarFileSystems.plugins",
        "file:///etc/passwd, 400, the scheme 'file' is not read",
        "FILE:///etc/passwd, 400, the scheme 'file' is not read",
        "local:///etc/passwd, 400, the scheme 'local' is not read",
        "http://127.0.0.1/x, 400, the scheme 'http' is not read",
        "/etc/passwd, 400, the scheme '' is not read"
    })
    void saysInOneLineWhyThereIsNothing(String uri, int status, String why) throws Exception {
        HttpResponse<String> answer = ask(uri);

        assertThat(answer.statusCode()).isEqualTo(status);
        assertThat(answer.body()).isEqualTo(why);
    }

    @Test
    void answersNothingElse() throws Exception {
        assertThat(send(HttpRequest.newBuilder(at("/file"))).statusCode()).isEqualTo(400);
        assertThat(send(HttpRequest.newBuilder(at("/"))).statusCode()).isEqualTo(404);
        assertThat(
                        send(HttpRequest.newBuilder(at("/file?uri=s3%3A%2F%2Fjars%2Fx")).DELETE())
                                .statusCode())
                .isEqualTo(400);
    }

    private HttpResponse<String> ask(String uri) throws Exception {
        return ask(uri, "\"none\"");
    }

    private HttpResponse<String> ask(String uri, String known) throws Exception {
        return send(
                HttpRequest.newBuilder(
                                at("/file?uri=" + URLEncoder.encode(uri, StandardCharsets.UTF_8)))
                        .header("If-None-Match", known));
    }

    private HttpResponse<String> send(HttpRequest.Builder request) throws Exception {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    private URI at(String path) {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort() + path);
    }
}
