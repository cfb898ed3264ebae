// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.artifact;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What namespaces that share a cache may do to one another. */
class NamespaceJarsTest {
    @TempDir private Path folder;
    private ArtifactCache cache;

    @BeforeEach
    void open() {
        cache = new ArtifactCache(folder, new CacheRoom.Bounds(100, 40));
    }

    @Test
    void noneIsGivenWhatAnotherFetched() throws IOException {
        String digest = keep("shop", "a jar of the shop");

        assertThat(cache.in("shop").find(digest)).isPresent();
        assertThat(cache.in("thief").find(digest)).isEmpty();
    }

    @Test
    void noneIsGivenWhatAnAddressHadForAnother() throws IOException {
        NamespaceJars shop = cache.in("shop");
        var kept = new NamespaceJars.StoredJar(folder, keep("shop", "a jar of the shop"));
        shop.remember("https://jars.example.org/a.jar", "etag", kept);

        assertThat(shop.entry("https://jars.example.org/a.jar")).isPresent();
        assertThat(cache.in("thief").entry("https://jars.example.org/a.jar")).isEmpty();
    }

    @Test
    void aNamespaceMakesRoomAmongItsOwnJarsAndTheOneThatWasNotUsedForLongestGoes()
            throws IOException {
        String first = keep("shop", "x".repeat(15));
        String second = keep("shop", "y".repeat(15));
        assertThat(cache.in("shop").find(first)).isPresent();

        String third = keep("shop", "z".repeat(15));

        assertThat(cache.in("shop").find(second)).isEmpty();
        assertThat(cache.in("shop").find(first)).isPresent();
        assertThat(cache.in("shop").find(third)).isPresent();
        assertThat(bytes()).isEqualTo(30);
    }

    @Test
    void whoeverFetchesMuchDrivesOutNothingOfThoseWithLess() throws IOException {
        String modest = keep("modest", "m".repeat(20));
        for (String greedy : new String[] {"greedy-1", "greedy-2", "greedy-3"}) {
            for (int i = 0; i < 10; i++) {
                keep(greedy, greedy + i + "g".repeat(20));
            }
        }

        assertThat(cache.in("modest").find(modest)).isPresent();
        assertThat(bytes()).isLessThanOrEqualTo(100);
    }

    @Test
    void whatIsOnItsWayCountsAndLeavesTheOtherNamespacesRoom() throws IOException {
        String kept = keep("shop", "x".repeat(30));
        try (var one = cache.in("shop").write()) {
            one.write(new byte[30], 0, 30);
            assertThat(cache.in("shop").find(kept)).as("made room").isEmpty();

            assertThat(cache.in("other").find(keep("other", "o".repeat(30)))).isPresent();
            assertThat(bytes()).isLessThanOrEqualTo(100);
        }
        assertThat(bytes()).isEqualTo(30);
    }

    private String keep(String namespace, String content) throws IOException {
        try (var writing = cache.in(namespace).write()) {
            byte[] bytes = content.getBytes(UTF_8);
            writing.write(bytes, 0, bytes.length);
            return writing.finish().digest();
        }
    }

    private long bytes() throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }
}
