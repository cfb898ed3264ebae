// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.artifact;

import io.sluice.rules.config.MemorySize;
import io.sluice.rules.config.Options;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jars on disk, each under its digest; those not used for longest go first when there are too many.
 * Which address had which is kept in memory only: after a restart it is asked for anew.
 */
public final class ArtifactCache {
    private static final Logger LOG = LoggerFactory.getLogger(ArtifactCache.class);
    private static final String SUFFIX = ".jar";
    private static final String PART_PREFIX = "incoming-";
    private static final String PART_SUFFIX = ".part";
    private static final int MOST_ADDRESSES = 1000;
    private static final long DEFAULT_BYTES = 1024L * 1024 * 1024;

    /**
     * @param digest SHA-256, 64 lower-case hexadecimal digits
     */
    record Kept(Path path, String digest) {}

    /** What an address last had. */
    record Entry(String etag, Kept kept) {}

    private final Path folder;
    private final long maxBytes;
    private final InstantSource clock;
    private final AtomicLong incoming = new AtomicLong();
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();

    /**
     * @param folder is created when it is needed
     * @param maxBytes how much the jars may take up together; one larger than that is kept alone
     */
    public ArtifactCache(Path folder, long maxBytes, InstantSource clock) {
        this.folder = folder;
        this.maxBytes = maxBytes;
        this.clock = clock;
        removeParts();
    }

    /** Where and as large as the operator's configuration says. */
    public static ArtifactCache of(Options options, InstantSource clock) {
        return new ArtifactCache(
                Path.of(
                        options.text("kubernetes.operator.user.artifacts.base.dir")
                                .orElse("/opt/flink/artifacts")),
                options.memory("kubernetes.operator.user.artifacts.cache-size")
                        .map(MemorySize::bytes)
                        .orElse(DEFAULT_BYTES),
                clock);
    }

    /** Those that a process left behind which ended in the middle of a download. */
    private void removeParts() {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (Stream<Path> files = Files.list(folder)) {
            for (Path part : files.filter(ArtifactCache::isPart).toList()) {
                Files.deleteIfExists(part);
            }
        } catch (IOException fault) {
            LOG.atWarn().setCause(fault).log("unfinished downloads in {} were not removed", folder);
        }
    }

    private static boolean isPart(Path file) {
        String name = file.getFileName().toString();
        return name.startsWith(PART_PREFIX) && name.endsWith(PART_SUFFIX);
    }

    Optional<Path> find(String digest) {
        return Optional.of(folder.resolve(digest + SUFFIX)).filter(Files::exists).map(this::used);
    }

    /** What {@code address} last had, if it is still here. */
    Optional<Entry> entry(String address) {
        return Optional.ofNullable(entries.get(address))
                .filter(entry -> find(entry.kept().digest()).isPresent());
    }

    void remember(String address, String etag, Kept kept) {
        if (entries.size() >= MOST_ADDRESSES) {
            entries.clear();
        }
        entries.put(address, new Entry(etag, kept));
    }

    /** A jar without anything, for a job whose classes its cluster has. */
    Path emptyJar() {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().putValue("Manifest-Version", "1.0");
        try (Writing writing = write()) {
            try (var jar = new JarOutputStream(writing.stream(), manifest)) {
                jar.finish();
            }
            return writing.finish().path();
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    Writing write() {
        try {
            Files.createDirectories(folder);
            return new Writing(Files.createTempFile(folder, PART_PREFIX, PART_SUFFIX));
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    /** A jar on its way to disk; what is not finished leaves nothing behind. */
    final class Writing implements AutoCloseable {
        private final Path part;
        private final OutputStream file;
        private final MessageDigest digest;
        private long written;

        private Writing(Path part) throws IOException {
            this.part = part;
            this.file = Files.newOutputStream(part);
            this.digest = sha256();
        }

        /**
         * @throws IOException if all that are on their way would take more than the cache may; one
         *     alone is bounded by its own limit
         */
        void write(byte[] bytes, int length) throws IOException {
            if (incoming.addAndGet(length) > maxBytes && incoming.get() > written + length) {
                incoming.addAndGet(-length);
                throw new IOException(
                        "other jars on their way left no room for it; see"
                                + " kubernetes.operator.user.artifacts.cache-size");
            }
            written += length;
            file.write(bytes, 0, length);
            digest.update(bytes, 0, length);
        }

        OutputStream stream() {
            return new OutputStream() {
                @Override
                public void write(int one) throws IOException {
                    write(new byte[] {(byte) one}, 0, 1);
                }

                @Override
                public void write(byte[] bytes, int from, int length) throws IOException {
                    file.write(bytes, from, length);
                    digest.update(bytes, from, length);
                }
            };
        }

        Kept finish() throws IOException {
            file.close();
            String name = HexFormat.of().formatHex(digest.digest());
            Path kept = folder.resolve(name + SUFFIX);
            Files.move(part, kept, StandardCopyOption.ATOMIC_MOVE);
            makeRoom(kept);
            return new Kept(used(kept), name);
        }

        @Override
        public void close() throws IOException {
            incoming.addAndGet(-written);
            written = 0;
            file.close();
            Files.deleteIfExists(part);
        }
    }

    private record Sized(Path path, long bytes, FileTime used) {}

    private synchronized void makeRoom(Path spared) throws IOException {
        List<Sized> jars = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : files.filter(each -> each.toString().endsWith(SUFFIX)).toList()) {
                jars.add(new Sized(file, Files.size(file), Files.getLastModifiedTime(file)));
            }
        }
        jars.sort(Comparator.comparing(Sized::used));
        long total = jars.stream().mapToLong(Sized::bytes).sum();
        for (Sized jar : jars) {
            if (total <= maxBytes) {
                return;
            }
            if (!jar.path().equals(spared)) {
                Files.deleteIfExists(jar.path());
                total -= jar.bytes();
            }
        }
    }

    private Path used(Path jar) {
        try {
            return Files.setLastModifiedTime(jar, FileTime.from(clock.instant()));
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
