// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.ArtifactOptions;
import io.sluice.rules.jar.ArtifactPolicy;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WebArtifactsTest {
    private static final String JAR = "what a jar is made of";
    private static final String DIGEST =
            "8bd3cc5ff8ac6b7a08d21c6f4f0a1ed0ff0b4d7c3a3fd9c2ab5e3b3c1d2e4f50";
    private static final ArtifactPolicy OPEN =
            new ArtifactPolicy(
                    List.of("http", "https"), false, List.of(), 1000, Duration.ofSeconds(30));

    @TempDir Path folder;

    private final List<String> asked = new ArrayList<>();
    private HttpServer server;
    private HttpServer other;
    private WebArtifacts artifacts;

    @BeforeEach
    void listen() throws IOException {
        server = start();
        other = start();
        artifacts = artifacts(1_000_000);
    }

    @AfterEach
    void stop() {
        server.stop(0);
        other.stop(0);
    }

    @Test
    void keepsWhatAWebServerSends() throws IOException {
        serve(server, "/job.jar", 200, Map.of(), JAR);

        Fetched fetched = artifacts.fetch(source(at(server, "/job.jar")));

        assertThat(content(fetched)).isEqualTo(JAR);
    }

    @Test
    void asksAgainOnlyWhetherItHasChanged() throws IOException {
        serve(server, "/job.jar", 200, Map.of("ETag", "\"one\""), JAR);
        artifacts.fetch(source(at(server, "/job.jar")));

        Fetched again = artifacts.fetch(source(at(server, "/job.jar")));

        assertThat(content(again)).isEqualTo(JAR);
        assertThat(asked).containsExactly("/job.jar 200", "/job.jar 304");
    }

    @Test
    void fetchesAPinnedJarOnceAndChecksIt() throws IOException {
        serve(server, "/job.jar", 200, Map.of(), JAR);
        String pinned = at(server, "/job.jar") + "#sha256=" + digest();
        artifacts.fetch(source(pinned));

        assertThat(content(artifacts.fetch(source(pinned)))).isEqualTo(JAR);

        assertThat(asked).hasSize(1);
        assertThat(refusal(artifacts.fetch(source(at(server, "/job.jar") + "#sha256=" + DIGEST))))
                .contains("another digest")
                .contains(digest());
        assertThat(refusal(artifacts.fetch(source(at(server, "/job.jar") + "#sha256=12"))))
                .contains("#sha256=");
    }

    @Test
    void givesHeadersToTheFirstHostAndToNoOther() throws IOException {
        List<String> tokens = new ArrayList<>();
        server.createContext(
                "/job.jar",
                exchange -> {
                    tokens.add(exchange.getRequestHeaders().getFirst("X-Token"));
                    exchange.getResponseHeaders().set("Location", at(other, "/real.jar"));
                    exchange.sendResponseHeaders(302, -1);
                    exchange.close();
                });
        other.createContext(
                "/real.jar",
                exchange -> {
                    tokens.add(String.valueOf(exchange.getRequestHeaders().getFirst("X-Token")));
                    answer(exchange, 200, JAR);
                });

        Fetched fetched =
                artifacts.fetch(
                        new JarSource(
                                "shop",
                                Optional.of(at(server, "/job.jar")),
                                Map.of("X-Token", "hush"),
                                OPEN));

        assertThat(content(fetched)).isEqualTo(JAR);
        assertThat(tokens).containsExactly("hush", "null");
    }

    @Test
    void looksAtEachRedirectLikeAtTheFirstAddress() {
        serve(server, "/file.jar", 302, Map.of("Location", "file:///etc/passwd"), "");
        serve(server, "/loop.jar", 302, Map.of("Location", "/loop.jar"), "");
        serve(server, "/else.jar", 302, Map.of("Location", "http://evil.example.org/a.jar"), "");
        ArtifactPolicy listed =
                new ArtifactPolicy(
                        List.of("http"), false, List.of("127.0.0.1"), 1000, Duration.ofSeconds(30));

        assertThat(refusal(artifacts.fetch(source(at(server, "/file.jar")))))
                .contains("redirects to file:///etc/passwd");
        assertThat(refusal(artifacts.fetch(source(at(server, "/loop.jar")))))
                .contains("redirects more than 5 times");
        assertThat(
                        refusal(
                                artifacts.fetch(
                                        new JarSource(
                                                "shop",
                                                Optional.of(at(server, "/else.jar")),
                                                Map.of(),
                                                listed))))
                .contains("evil.example.org")
                .contains(ArtifactOptions.ALLOWED_HOSTS.key());
    }

    @Test
    void takesNoMoreThanItMay() throws IOException {
        serve(server, "/large.jar", 200, Map.of(), "x".repeat(1001));
        assertThat(refusal(artifacts.fetch(source(at(server, "/large.jar")))))
                .contains("larger than 1000 bytes");

        serve(server, "/slow.jar", 200, Map.of(), JAR);
        ArtifactPolicy hasty =
                new ArtifactPolicy(List.of("http"), false, List.of(), 1000, Duration.ofSeconds(-1));
        assertThat(
                        refusal(
                                artifacts.fetch(
                                        new JarSource(
                                                "shop",
                                                Optional.of(at(server, "/slow.jar")),
                                                Map.of(),
                                                hasty))))
                .contains("takes longer");
        assertThat(kept()).isEmpty();
    }

    private List<Path> kept() throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    @Test
    void saysWhatAServerAnsweredAndHidesPasswords() {
        serve(server, "/gone.jar", 404, Map.of(), "");
        assertThat(refusal(artifacts.fetch(source(at(server, "/gone.jar"))))).contains("HTTP 404");

        assertThat(refusal(artifacts.fetch(source("http://me:hush@127.0.0.1:1/a.jar"))))
                .contains("******")
                .doesNotContain("hush");
    }

    @Test
    void readsNothingOfItsOwnDisk() {
        ArtifactPolicy generous =
                new ArtifactPolicy(
                        List.of("file", "local"), false, List.of(), 1000, Duration.ofSeconds(1));

        for (String uri : List.of("file:///etc/passwd", "local:///opt/flink/usrlib/a.jar")) {
            assertThat(
                            refusal(
                                    artifacts.fetch(
                                            new JarSource(
                                                    "shop", Optional.of(uri), Map.of(), generous))))
                    .contains("names a file of the operator's own pod")
                    .contains("spec.job.entryClass");
        }
    }

    @Test
    void connectsToNoAddressThatANameMustNotLeadTo() throws UnknownHostException {
        ArtifactPolicy guarded =
                new ArtifactPolicy(
                        List.of("http"),
                        true,
                        List.of("10.0.0.7", "localhost"),
                        1000,
                        Duration.ofSeconds(1));

        assertThatThrownBy(() -> new CheckedAddresses(guarded).resolve("localhost"))
                .isInstanceOf(UnknownHostException.class)
                .hasMessageContaining("operator's own machine");
        assertThatThrownBy(() -> new CheckedAddresses(guarded).resolve("10.0.0.8"))
                .isInstanceOf(UnknownHostException.class)
                .hasMessageContaining(ArtifactOptions.ALLOWED_HOSTS.key());
        assertThat(new CheckedAddresses(guarded).resolve("10.0.0.7"))
                .containsExactly(InetAddress.getByName("10.0.0.7"));
        assertThat(
                        refusal(
                                artifacts.fetch(
                                        new JarSource(
                                                "shop",
                                                Optional.of(at(server, "/a.jar")),
                                                Map.of(),
                                                guarded))))
                .contains("operator's own machine");
    }

    @Test
    void makesAnEmptyJarWhereTheClusterHasTheClasses() throws IOException {
        var fetched =
                (Fetched.Here)
                        artifacts.fetch(new JarSource("shop", Optional.empty(), Map.of(), OPEN));

        try (var jar = new JarFile(fetched.jar().toFile())) {
            assertThat(jar.getManifest()).isNotNull();
        }
    }

    @Test
    void makesRoomForTheLatest() throws IOException {
        artifacts = artifacts(JAR.length() + 5L);
        serve(server, "/one.jar", 200, Map.of(), JAR);
        serve(server, "/two.jar", 200, Map.of(), "another");
        artifacts.fetch(source(at(server, "/one.jar")));

        Fetched latest = artifacts.fetch(source(at(server, "/two.jar")));

        assertThat(content(latest)).isEqualTo("another");
        try (var files = Files.list(folder.resolve("shop"))) {
            assertThat(files).hasSize(1);
        }
    }

    @Test
    void keepsJarsWhereAndAsLargeAsTheConfigurationSays() throws IOException {
        Path elsewhere = folder.resolve("elsewhere");
        Options options =
                new Options(
                        new FlinkConfiguration(
                                Map.of(
                                        "kubernetes.operator.user.artifacts.base.dir",
                                        elsewhere.toString(),
                                        "kubernetes.operator.user.artifacts.cache-size",
                                        "1 m",
                                        "kubernetes.operator.user.artifacts.cache-size-per-namespace",
                                        JAR.length() + 5 + " b")));
        InstantSource clock = InstantSource.system();
        artifacts = new WebArtifacts(ArtifactCache.of(options), clock);
        serve(server, "/one.jar", 200, Map.of(), JAR);
        serve(server, "/two.jar", 200, Map.of(), "another");

        artifacts.fetch(source(at(server, "/one.jar")));
        artifacts.fetch(source(at(server, "/two.jar")));

        try (var files = Files.list(elsewhere.resolve("shop"))) {
            assertThat(files).hasSize(1);
        }
    }

    private WebArtifacts artifacts(long bytes) {
        InstantSource clock = InstantSource.system();
        return new WebArtifacts(
                new ArtifactCache(folder, new CacheRoom.Bounds(bytes, bytes)), clock);
    }

    private static JarSource source(String uri) {
        return new JarSource("shop", Optional.of(uri), Map.of(), OPEN);
    }

    private static HttpServer start() throws IOException {
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.start();
        return server;
    }

    private static String at(HttpServer server, String path) {
        return "http://127.0.0.1:" + server.getAddress().getPort() + path;
    }

    private void serve(
            HttpServer at, String path, int status, Map<String, String> headers, String body) {
        at.createContext(
                path,
                exchange -> {
                    headers.forEach((key, value) -> exchange.getResponseHeaders().set(key, value));
                    boolean unchanged =
                            headers.containsKey("ETag")
                                    && headers.get("ETag")
                                            .equals(
                                                    exchange.getRequestHeaders()
                                                            .getFirst("If-None-Match"));
                    asked.add(path + " " + (unchanged ? 304 : status));
                    answer(exchange, unchanged ? 304 : status, unchanged ? "" : body);
                });
    }

    private static void answer(HttpExchange exchange, int status, String body) throws IOException {
        byte[] bytes = body.getBytes(java.nio.charset.StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) {
            exchange.getResponseBody().write(bytes);
        }
        exchange.close();
    }

    private static String content(Fetched fetched) throws IOException {
        assertThat(fetched).isInstanceOf(Fetched.Here.class);
        return Files.readString(((Fetched.Here) fetched).jar());
    }

    private static String refusal(Fetched fetched) {
        assertThat(fetched).isInstanceOf(Fetched.Refused.class);
        return ((Fetched.Refused) fetched).message();
    }

    private static String digest() {
        try {
            return java.util.HexFormat.of()
                    .formatHex(
                            java.security.MessageDigest.getInstance("SHA-256")
                                    .digest(JAR.getBytes(java.nio.charset.StandardCharsets.UTF_8)));
        } catch (java.security.NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
