// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.artifact;

import io.sluice.operator.artifact.CacheRoom.Jar;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.regex.Pattern;

/**
 * The jars of one namespace, each under its digest. Which address had which is kept in memory only:
 * after a restart it is asked for anew.
 */
final class NamespaceJars {
    private static final Pattern FILE = Pattern.compile("([0-9a-f]{64})\\.jar");
    private static final int MOST_ADDRESSES = 200;

    private final Path folder;
    private final String namespace;
    private final Consumer<Jar> remove;
    private final CacheRoom room;
    private final Map<String, Entry> entries = new ConcurrentHashMap<>();

    /**
     * @param digest SHA-256, 64 lower-case hexadecimal digits
     */
    record StoredJar(Path path, String digest) {}

    /** What an address last had. */
    record Entry(String etag, StoredJar jar) {}

    /**
     * @param folder is created when it is needed
     * @param remove takes a jar of any namespace off the disk
     */
    NamespaceJars(Path folder, String namespace, Consumer<Jar> remove, CacheRoom room) {
        this.folder = folder;
        this.namespace = namespace;
        this.remove = remove;
        this.room = room;
    }

    static String file(String digest) {
        return digest + ".jar";
    }

    /** The digest that a file is called by; empty if it is no jar of a cache. */
    static Optional<String> digest(Path file) {
        return Optional.of(FILE.matcher(file.getFileName().toString()))
                .filter(java.util.regex.Matcher::matches)
                .map(matcher -> matcher.group(1));
    }

    Optional<Path> find(String digest) {
        return room.use(new Jar(namespace, digest))
                ? Optional.of(folder.resolve(file(digest))).filter(Files::exists)
                : Optional.empty();
    }

    /** What {@code address} last had, if it is still here. */
    Optional<Entry> entry(String address) {
        return Optional.ofNullable(entries.get(address))
                .filter(entry -> find(entry.jar().digest()).isPresent());
    }

    void remember(String address, String etag, StoredJar jar) {
        if (entries.size() >= MOST_ADDRESSES) {
            entries.clear();
        }
        entries.put(address, new Entry(etag, jar));
    }

    /** A jar without anything, for a job whose classes its cluster has. */
    Path emptyJar() throws IOException {
        Manifest manifest = new Manifest();
        manifest.getMainAttributes().putValue("Manifest-Version", "1.0");
        try (Writing writing = write()) {
            try (var jar = new JarOutputStream(writing.stream(), manifest)) {
                jar.finish();
            }
            return writing.finish().path();
        }
    }

    Writing write() {
        try {
            Files.createDirectories(folder);
            return new Writing(Files.createTempFile(folder, "incoming-", ".part"));
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
         * @throws LimitReached if others on their way leave no room for it
         */
        void write(byte[] bytes, int from, int length) throws IOException {
            evict(room.grow(namespace, written, length));
            written += length;
            file.write(bytes, from, length);
            digest.update(bytes, from, length);
        }

        OutputStream stream() {
            return new OutputStream() {
                @Override
                public void write(int one) throws IOException {
                    write(new byte[] {(byte) one}, 0, 1);
                }

                @Override
                public void write(byte[] bytes, int from, int length) throws IOException {
                    Writing.this.write(bytes, from, length);
                }
            };
        }

        StoredJar finish() throws IOException {
            file.close();
            String name = HexFormat.of().formatHex(digest.digest());
            Path kept = folder.resolve(file(name));
            Files.move(part, kept, StandardCopyOption.ATOMIC_MOVE);
            List<Jar> gone = room.complete(new Jar(namespace, name), written);
            written = 0;
            evict(gone);
            return new StoredJar(kept, name);
        }

        @Override
        public void close() throws IOException {
            room.abandon(namespace, written);
            written = 0;
            file.close();
            Files.deleteIfExists(part);
        }
    }

    private void evict(List<Jar> gone) {
        gone.forEach(remove);
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java has SHA-256", impossible);
        }
    }
}
