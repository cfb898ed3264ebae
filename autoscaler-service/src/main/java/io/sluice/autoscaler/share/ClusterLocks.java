// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.share;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.sluice.autoscaler.share.LockFile.Holder;
import io.sluice.process.Environment;
import io.sluice.process.Variable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URI;
import java.net.UnknownHostException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Collections;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a locked file for each Flink cluster, so that of all processes that use one folder only one
 * looks after the jobs of a cluster.
 *
 * <pre>
 *   locked, and still at its path every 2 s ─▶ owns the jobs of the cluster
 *   locked by another process ─▶ tries again every 2 s, and owns nothing of the cluster
 *   not looked at for 8 s, for example because its file system hangs ─▶ owns nothing, locks anew
 *   closed, or killed ─▶ the system frees the lock: another process has it within 2 s
 * </pre>
 */
public final class ClusterLocks implements Ownership {
    private static final Logger LOG = LoggerFactory.getLogger(ClusterLocks.class);
    private static final Duration BEAT = Duration.ofSeconds(2);

    /** A server of NFS gives the locks of a client away that is silent for longer, 90 s. */
    private static final Duration DEADLINE = Duration.ofSeconds(8);

    private static final Set<String> LOOPBACK = Set.of("localhost", "127.0.0.1", "[::1]");

    private final LongSupplier nanoTime;
    private final Member self;
    private final SortedMap<String, LockFile> files;
    private final Map<String, Holder> holders = new TreeMap<>();
    private final ScheduledExecutorService beats =
            Executors.newSingleThreadScheduledExecutor(
                    Thread.ofPlatform().name("locks").daemon().factory());
    private volatile Seen seen;

    /** What was seen at a time of {@link System#nanoTime}. */
    private record Seen(Share share, long since) {}

    private ClusterLocks(Member self, SortedMap<String, LockFile> files, LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
        this.self = self;
        this.files = files;
        seen = new Seen(Share.nothing(self), nanoTime.getAsLong());
    }

    /**
     * Locks what nobody else has locked, and goes on trying to get the rest.
     *
     * @param folder of the locks; it is created if it is missing
     * @param clusters roots of their REST APIs, by the names that are their jobs' namespaces
     * @throws Environment.Unusable if a lock can't be made there
     */
    public static ClusterLocks start(Path folder, Map<String, URI> clusters) {
        ClusterLocks locks = of(folder, clusters, hostName(), System::nanoTime);
        locks.beat();
        var _ =
                locks.beats.scheduleWithFixedDelay(
                        locks::safeBeat, BEAT.toMillis(), BEAT.toMillis(), TimeUnit.MILLISECONDS);
        return locks;
    }

    /**
     * Without a beat.
     *
     * @param nanoTime as {@link System#nanoTime}
     */
    static ClusterLocks of(
            Path folder, Map<String, URI> clusters, String host, LongSupplier nanoTime) {
        Member self =
                new Member(
                        "process " + ProcessHandle.current().pid() + " on " + host,
                        Optional.empty());
        SortedMap<String, LockFile> files = new TreeMap<>();
        clusters.forEach(
                (cluster, at) ->
                        files.put(
                                cluster,
                                new LockFile(
                                        folder.resolve(fileName(at, host)),
                                        self.name(),
                                        "scales the jobs of " + at)));
        ClusterLocks locks = new ClusterLocks(self, files, nanoTime);
        try {
            Files.createDirectories(folder);
            for (LockFile file : files.values()) {
                var _ = file.acquire();
            }
        } catch (IOException failed) {
            locks.close();
            throw Environment.wrong(
                    Variable.LOCK_DIR,
                    folder.toString(),
                    "can't be used, "
                            + why(failed)
                            + "; set it to a folder in which this user may create files, on a file"
                            + " system that has locks");
        }
        return locks;
    }

    @Override
    public Share share() {
        Seen last = seen;
        return nanoTime.getAsLong() - last.since() < DEADLINE.toNanos()
                ? last.share()
                : Share.nothing(self);
    }

    /** Whether this process has the lock of each cluster, by the cluster's name. */
    public SortedMap<String, Boolean> held() {
        Share now = share();
        SortedMap<String, Boolean> held = new TreeMap<>();
        files.keySet()
                .forEach(
                        cluster ->
                                held.put(
                                        cluster,
                                        !now.alive().isEmpty()
                                                && !now.elsewhere().containsKey(cluster)));
        return Collections.unmodifiableSortedMap(held);
    }

    /** Frees the locks. A process that waits has them within two seconds. */
    @Override
    public void close() {
        // Without an interrupt, which would close a file in the middle of a beat.
        beats.shutdown();
        try {
            if (beats.awaitTermination(BEAT.toMillis(), TimeUnit.MILLISECONDS)) {
                seen = new Seen(Share.nothing(self), nanoTime.getAsLong());
                files.values().forEach(LockFile::close);
            }
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void safeBeat() {
        try {
            beat();
        } catch (RuntimeException failed) {
            LOG.atWarn().setCause(failed).log("the locks were not looked at, tried again");
        }
    }

    /** Looks at each lock once. */
    void beat() {
        long now = nanoTime.getAsLong();
        if (now - seen.since() >= DEADLINE.toNanos()) {
            files.values().forEach(LockFile::close);
        }
        SortedMap<String, String> elsewhere = new TreeMap<>();
        files.forEach(
                (cluster, file) -> {
                    Holder holder = holderOf(file);
                    if (!Optional.of(holder).equals(Optional.ofNullable(holders.get(cluster)))) {
                        holders.put(cluster, holder);
                        log(cluster, file, holder);
                    }
                    whyNotOwn(cluster, file, holder).ifPresent(why -> elsewhere.put(cluster, why));
                });
        seen = new Seen(new Share(self, new TreeSet<>(Set.of(self)), elsewhere), now);
    }

    private static Holder holderOf(LockFile file) {
        try {
            return file.acquire();
        } catch (IOException failed) {
            return new Holder.Unknown(why(failed));
        }
    }

    private static void log(String cluster, LockFile file, Holder holder) {
        switch (holder) {
            case Holder.Self _ ->
                    LOG.atInfo()
                            .addKeyValue("cluster", cluster)
                            .addKeyValue("lock", file.path())
                            .log("this process scales the jobs of the Flink cluster");
            case Holder.Other(var name) ->
                    LOG.atInfo()
                            .addKeyValue("cluster", cluster)
                            .addKeyValue("lock", file.path())
                            .log(
                                    "{} scales the jobs of the Flink cluster; this process waits"
                                            + " until that one ends",
                                    name);
            case Holder.Unknown(var why) ->
                    LOG.atWarn()
                            .addKeyValue("cluster", cluster)
                            .addKeyValue("lock", file.path())
                            .log(
                                    "this process scales no job of the Flink cluster until it can"
                                            + " lock the file, tried again: {}",
                                    why);
        }
    }

    private static Optional<String> whyNotOwn(String cluster, LockFile file, Holder holder) {
        return switch (holder) {
            case Holder.Self _ -> Optional.empty();
            case Holder.Other(var name) ->
                    Optional.of(
                            "%s scales the jobs of %s, because it has locked %s; ask that process"
                                    .formatted(name, cluster, file.path()));
            case Holder.Unknown(var why) ->
                    Optional.of(
                            "this process scales no job of %s until it can lock %s: %s"
                                    .formatted(cluster, file.path(), why));
        };
    }

    private static String why(IOException failed) {
        return switch (failed) {
            case AccessDeniedException denied -> "access to " + denied.getFile() + " is denied";
            case FileAlreadyExistsException file -> file.getFile() + " is no folder";
            case FileSystemException other ->
                    other.getFile()
                            + ": "
                            + Optional.ofNullable(other.getReason())
                                    .orElse(other.getClass().getSimpleName());
            case IOException other -> other.toString();
        };
    }

    /**
     * The same for all processes that reach the same JobManager by the same host and port. On
     * storage that machines share, "localhost" is another one for each of them.
     */
    static String fileName(URI jobManager, String thisHost) {
        String host = jobManager.getHost().toLowerCase(Locale.ROOT);
        int port =
                jobManager.getPort() >= 0
                        ? jobManager.getPort()
                        : "https".equals(jobManager.getScheme()) ? 443 : 80;
        String address =
                (LOOPBACK.contains(host) ? thisHost : host) + ":" + port + jobManager.getRawPath();
        return digest(address) + ".lock";
    }

    private static String digest(String address) {
        try {
            byte[] whole = MessageDigest.getInstance("SHA-256").digest(address.getBytes(UTF_8));
            return HexFormat.of().formatHex(whole, 0, 12);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }

    private static String hostName() {
        try {
            return InetAddress.getLocalHost().getHostName().toLowerCase(Locale.ROOT);
        } catch (UnknownHostException unnamed) {
            return "localhost";
        }
    }
}
