// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.artifact;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.flink.rest.http.HostileJobManager;
import io.sluice.flink.rest.http.HostileJobManager.Attack;
import io.sluice.rules.jar.ArtifactPolicy;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a host that a user names may do to the one that fetches a jar from it. */
class HostileWebServersTest {
    private static final Duration TIME = Duration.ofSeconds(2);
    private static final Duration SOON = Duration.ofSeconds(8);
    private static final long LARGEST = 1000;

    @TempDir private Path folder;

    @Test
    void anEndlessBodyIsHungUpOnOnceItIsTooLarge() throws IOException {
        assertThat(refusal(endless("200 OK", "Transfer-Encoding: chunked"))).contains("is larger");
        assertThat(refusal(endless("200 OK", "X-Length: none"))).contains("is larger");
    }

    @Test
    void theBodyOfAnAnswerThatIsNotUsedIsNotRead() throws IOException {
        assertThat(refusal(endless("404 Not Found", "X-Length: none"))).contains("HTTP 404");
        assertThat(refusal(endless("302 Found", "Location: /again")))
                .contains("redirects more than 5 times")
                .contains("kubernetes.operator.user.artifacts.max-redirects");
        assertThat(refusal(endless("200 OK", "Content-Length: 9999999999"))).contains("is larger");
    }

    @Test
    void dropsEndWithTheTimeForTheWholeDownload() throws IOException {
        assertThat(refusal(HostileJobManager.drops(), 1_000_000)).contains("takes longer than 2 s");
    }

    @Test
    void informationThatNoAnswerFollowsIsReadTenTimes() throws IOException {
        assertThat(refusal(HostileJobManager.endlessContinue()))
                .contains("more than 10 informational responses (HTTP 100)");
    }

    @Test
    void headersAreBounded() throws IOException {
        for (Attack each :
                List.of(
                        HostileJobManager.endlessHeaderLine(),
                        HostileJobManager.endlessHeaders())) {
            assertThat(refusal(each))
                    .contains("100 lines")
                    .contains("16384 bytes")
                    .contains("kubernetes.operator.user.artifacts.max-header-size");
        }
    }

    @Test
    void whatAProcessLeftBehindIsRemovedByTheNext() throws IOException {
        Path shop = Files.createDirectories(folder.resolve("shop"));
        Path kept = shop.resolve("a".repeat(64) + ".jar");
        Files.writeString(shop.resolve("incoming-1.part"), "half");
        Files.writeString(folder.resolve("of-an-older-version.jar"), "whole");
        Files.writeString(kept, "whole");

        var cache = new ArtifactCache(folder, new CacheRoom.Bounds(LARGEST, LARGEST));

        assertThat(cache.in("shop").find("a".repeat(64))).contains(kept);
        try (var files = Files.walk(folder)) {
            assertThat(files.filter(Files::isRegularFile)).containsExactly(kept);
        }
    }

    @Test
    void jarsOnTheirWayTakeNoMoreThanTheCacheMay() throws IOException {
        NamespaceJars cache = new ArtifactCache(folder, new CacheRoom.Bounds(100, 100)).in("shop");
        try (var one = cache.write()) {
            one.write(new byte[80], 0, 80);
            try (var two = cache.write()) {
                assertThatThrownBy(() -> two.write(new byte[30], 0, 30))
                        .isInstanceOfSatisfying(
                                LimitReached.class,
                                reached ->
                                        assertThat(reached.limit()).isEqualTo(DownloadLimit.ROOM))
                        .hasMessageContaining("100 bytes")
                        .hasMessageContaining("kubernetes.operator.user.artifacts.cache-size");
            }
        }
        try (var alone = cache.write()) {
            alone.write(new byte[130], 0, 130);
        }
    }

    private static Attack endless(String status, String header) {
        return (out, _) -> {
            out.write(
                    ("HTTP/1.1 " + status + "\r\n" + header + "\r\n\r\n")
                            .getBytes(StandardCharsets.US_ASCII));
            byte[] chunk =
                    ("2710\r\n" + "x".repeat(10_000) + "\r\n").getBytes(StandardCharsets.US_ASCII);
            for (int sent = 0; sent < 20_000; sent++) {
                out.write(chunk);
            }
        };
    }

    private String refusal(Attack attack) throws IOException {
        return refusal(attack, LARGEST);
    }

    private String refusal(Attack attack, long largest) throws IOException {
        var policy = new ArtifactPolicy(List.of("http"), false, List.of(), largest, TIME);
        var artifacts =
                new WebArtifacts(
                        new ArtifactCache(folder, new CacheRoom.Bounds(10_000_000, 10_000_000)),
                        InstantSource.system());
        try (var host = new HostileJobManager(attack)) {
            Instant begin = Instant.now();
            Fetched fetched =
                    artifacts.fetch(
                            new JarSource(
                                    "shop", Optional.of(host.at() + "/job.jar"), Map.of(), policy));

            assertThat(Duration.between(begin, Instant.now())).isLessThan(SOON);
            try (var left = Files.walk(folder)) {
                assertThat(left.filter(Files::isRegularFile)).isEmpty();
            }
            if (fetched instanceof Fetched.Refused(_, var message)) {
                return message;
            }
            throw new AssertionError("was taken for a jar: " + fetched);
        }
    }
}
