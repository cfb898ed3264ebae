// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.sluice.autoscaler.collect.JobKey;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** What of it two processes do is tried with two processes by {@code StandaloneLocksIT}. */
class ClusterLocksTest {
    private static final URI SHOP = URI.create("http://shop:8081");
    private static final URI BANK = URI.create("http://bank:8081");

    @TempDir Path folder;
    private final Logger logger = (Logger) LoggerFactory.getLogger(ClusterLocks.class);
    private final ListAppender<ILoggingEvent> log = new ListAppender<>();
    private final AtomicLong nanoTime = new AtomicLong();
    private final List<ClusterLocks> all = new ArrayList<>();

    @BeforeEach
    void listen() {
        log.start();
        logger.setLevel(Level.INFO);
        logger.addAppender(log);
    }

    @AfterEach
    void close() {
        logger.detachAppender(log);
        all.forEach(ClusterLocks::close);
    }

    @Test
    void onlyTheFirstOwnsTheJobsOfACluster() {
        ClusterLocks first = locks(Map.of("shop", SHOP));
        ClusterLocks second = locks(Map.of("shop", SHOP));

        assertThat(owned(first)).containsExactly("shop");
        assertThat(owned(second)).isEmpty();
        assertThat(first.held()).containsEntry("shop", true);
        assertThat(second.held()).containsEntry("shop", false);
        assertThat(second.share().elsewhere().get("shop"))
                .contains("process " + ProcessHandle.current().pid() + " on host-a")
                .contains(lockOf(SHOP).toString());
    }

    @Test
    void writesWhoHasLockedTheFileAndForWhat() throws IOException {
        var _ = locks(Map.of("shop", SHOP));

        assertThat(lockOf(SHOP))
                .hasContent(
                        "process "
                                + ProcessHandle.current().pid()
                                + " on host-a\nscales the jobs of http://shop:8081\n");
    }

    @Test
    void eachClusterHasALockOfItsOwn() {
        ClusterLocks first = locks(Map.of("shop", SHOP));
        ClusterLocks second = locks(Map.of("shop", SHOP, "bank", BANK));

        assertThat(owned(first)).containsExactly("shop");
        assertThat(owned(second)).containsExactly("bank");
    }

    @Test
    void aClusterWithTwoNamesIsScaledUnderOneOfThem() {
        ClusterLocks locks = locks(Map.of("shop", SHOP, "store", SHOP));

        assertThat(owned(locks)).containsExactly("shop");
        assertThat(locks.share().elsewhere().get("store")).contains("under another name");
    }

    @Test
    void takesOverWhenTheOtherOneEnds() {
        ClusterLocks first = locks(Map.of("shop", SHOP));
        ClusterLocks second = locks(Map.of("shop", SHOP));

        first.close();
        second.beat();

        assertThat(owned(second)).containsExactly("shop");
        assertThat(owned(first)).isEmpty();
    }

    @Test
    void saysOnceThatItWaits() {
        var _ = locks(Map.of("shop", SHOP));
        log.list.clear();

        ClusterLocks second = locks(Map.of("shop", SHOP));
        second.beat();
        second.beat();

        assertThat(log.list)
                .singleElement()
                .satisfies(
                        line ->
                                assertThat(line.getFormattedMessage())
                                        .contains("this process waits until that one ends"));
    }

    @Test
    void locksAnewWhatSomebodyRemoved() throws IOException {
        ClusterLocks locks = locks(Map.of("shop", SHOP));

        Files.delete(lockOf(SHOP));
        locks.beat();

        assertThat(owned(locks)).containsExactly("shop");
        assertThat(lockOf(SHOP)).exists();
    }

    @Test
    void ownsNothingOnceAnotherOneHasLockedTheFileThatReplacedItsOwn() throws IOException {
        ClusterLocks first = locks(Map.of("shop", SHOP));
        ClusterLocks second = locks(Map.of("shop", SHOP));

        Files.delete(lockOf(SHOP));
        second.beat();
        first.beat();

        assertThat(owned(second)).containsExactly("shop");
        assertThat(owned(first)).isEmpty();
    }

    @Test
    void ownsNothingWhileTheFileCanNotBeUsed() throws IOException {
        ClusterLocks locks = locks(Map.of("shop", SHOP, "bank", BANK));

        Files.delete(lockOf(SHOP));
        Files.createDirectory(lockOf(SHOP));
        locks.beat();

        assertThat(owned(locks)).containsExactly("bank");
        assertThat(locks.share().elsewhere().get("shop"))
                .contains("until it can lock " + lockOf(SHOP));

        Files.delete(lockOf(SHOP));
        locks.beat();

        assertThat(owned(locks)).containsExactly("bank", "shop");
    }

    @Test
    void ownsNothingWhenTheFilesWereNotLookedAtForLongAndThenLocksThemAnew() throws IOException {
        ClusterLocks locks = locks(Map.of("shop", SHOP));
        Files.writeString(lockOf(SHOP), "somebody else\n");

        nanoTime.addAndGet(Duration.ofSeconds(7).toNanos());
        assertThat(owned(locks)).containsExactly("shop");
        nanoTime.addAndGet(Duration.ofSeconds(1).toNanos());
        assertThat(owned(locks)).isEmpty();
        assertThat(locks.held()).containsEntry("shop", false);

        locks.beat();

        assertThat(owned(locks)).containsExactly("shop");
        assertThat(Files.readString(lockOf(SHOP))).startsWith("process ");
    }

    @Test
    void doesNotStartInAFolderThatCanNotBeUsedAndNamesTheVariable() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));

        assertThatThrownBy(() -> ClusterLocks.start(file, Map.of("shop", SHOP)))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage(
                        "SLUICE_LOCK_DIR: '%s' can't be used, %s is no folder; set it to a folder"
                                + " in which this user may create files, on a file system that has"
                                + " locks",
                        file, file);
    }

    @Test
    void doesNotWriteThroughALink() throws IOException {
        Path precious = Files.writeString(folder.resolve("precious"), "kept");
        Files.createSymbolicLink(lockOf(SHOP), precious);

        assertThatThrownBy(() -> ClusterLocks.start(folder, Map.of("shop", SHOP)))
                .hasMessageStartingWith("SLUICE_LOCK_DIR: '" + folder + "' can't be used")
                .hasMessageContaining(lockOf(SHOP).toString());
        assertThat(precious).hasContent("kept");
    }

    @Test
    void twoAddressesOfOneJobManagerHaveOneName() {
        assertThat(
                        Stream.of(
                                        "http://localhost:80",
                                        "http://127.0.0.1",
                                        "http://[::1]:80",
                                        "http://HOST-A:80")
                                .map(URI::create)
                                .map(uri -> ClusterLocks.fileName(uri, "host-a"))
                                .distinct())
                .hasSize(1);
        assertThat(
                        Stream.of("http://a:1", "http://a:2", "http://b:1", "http://a:1/proxy")
                                .map(URI::create)
                                .map(uri -> ClusterLocks.fileName(uri, "host-a"))
                                .distinct())
                .hasSize(4);
    }

    @Test
    void localhostIsAnotherJobManagerOnAnotherMachine() {
        URI local = URI.create("http://localhost:8081");

        assertThat(ClusterLocks.fileName(local, "host-a"))
                .isNotEqualTo(ClusterLocks.fileName(local, "host-b"));
    }

    private ClusterLocks locks(Map<String, URI> clusters) {
        ClusterLocks locks = ClusterLocks.of(folder, clusters, "host-a", nanoTime::get);
        all.add(locks);
        locks.beat();
        return locks;
    }

    private Path lockOf(URI jobManager) {
        return folder.resolve(ClusterLocks.fileName(jobManager, "host-a"));
    }

    private static Set<String> owned(ClusterLocks locks) {
        return locks.held().keySet().stream()
                .filter(cluster -> locks.share().owns(new JobKey(cluster, "orders", "uid")))
                .collect(Collectors.toCollection(TreeSet::new));
    }
}
