// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.share;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file that one process at a time has locked. The system frees the lock when the process ends,
 * however it ends. The file stays, because whoever removes it might remove the one that another
 * process has just locked. For one thread at a time.
 */
final class LockFile implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(LockFile.class);

    /** Behind any text, so that others can read the text where a lock also forbids reading. */
    private static final long LOCKED_BYTE = 1L << 30;

    private static final int LONGEST_NAME = 200;

    /**
     * Files that this process has locked or tries to lock. None of them is opened a second time: on
     * Unix, closing any channel of a file frees all locks that the process has on that file.
     */
    private static final Set<Object> OPEN = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final String name;
    private final String text;
    private Optional<Held> held = Optional.empty();

    /**
     * @param file what identifies the file, whatever its path is
     */
    private record Held(FileChannel channel, Object file) {}

    /** Who has locked the file. */
    sealed interface Holder {
        record Self() implements Holder {}

        record Other(String name) implements Holder {}

        /** Nobody can tell, and this process has not. */
        record Unknown(String why) implements Holder {}
    }

    /**
     * @param name of this process, one line for people
     * @param subject what the lock is about, one line for people
     */
    LockFile(Path path, String name, String subject) {
        this.path = path;
        this.name = name;
        text = name + "\n" + subject + "\n";
    }

    Path path() {
        return path;
    }

    /**
     * Locks the file unless another one has, and creates it if it is missing. If this process has
     * locked a file that is no longer at the path, that one is given up.
     *
     * @throws IOException if the file can't be created, written or locked; then it is not locked
     */
    Holder acquire() throws IOException {
        try {
            if (held.isPresent()) {
                if (fileAtPath().equals(Optional.of(held.get().file()))) {
                    return new Holder.Self();
                }
                close();
            }
            create();
            Optional<Object> file = fileAtPath();
            return file.isPresent() ? acquire(file.get()) : removedMeanwhile();
        } catch (FileSystemException failed) {
            close();
            throw failed;
        } catch (IOException failed) {
            close();
            var named = new FileSystemException(path.toString(), null, failed.getMessage());
            named.initCause(failed);
            throw named;
        }
    }

    private Holder acquire(Object file) throws IOException {
        if (!OPEN.add(file)) {
            return new Holder.Other(name + ", for the same cluster under another name,");
        }
        try {
            return lock(file);
        } finally {
            if (held.isEmpty()) {
                OPEN.remove(file);
            }
        }
    }

    private Holder lock(Object file) throws IOException {
        FileChannel channel =
                FileChannel.open(
                        path,
                        StandardOpenOption.READ,
                        StandardOpenOption.WRITE,
                        LinkOption.NOFOLLOW_LINKS);
        try {
            if (Optional.ofNullable(channel.tryLock(LOCKED_BYTE, 1, false)).isEmpty()) {
                return new Holder.Other(nameIn(channel));
            }
            // As before it was opened: so it is this one that was opened, and locked.
            if (!fileAtPath().equals(Optional.of(file))) {
                return removedMeanwhile();
            }
            channel.truncate(0);
            channel.write(ByteBuffer.wrap(text.getBytes(UTF_8)), 0);
            held = Optional.of(new Held(channel, file));
            return new Holder.Self();
        } finally {
            if (held.isEmpty()) {
                channel.close();
            }
        }
    }

    private static Holder removedMeanwhile() {
        return new Holder.Unknown("somebody removed it at this moment");
    }

    private void create() throws IOException {
        try {
            Files.createFile(path);
        } catch (FileAlreadyExistsException there) {
            LOG.atTrace().log("{} is there", path);
        }
    }

    /** What identifies the file that is at the path now; empty if there is none. */
    private Optional<Object> fileAtPath() throws IOException {
        try {
            var attributes =
                    Files.readAttributes(
                            path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
            // Windows has no file keys.
            return Optional.of(Objects.requireNonNullElse(attributes.fileKey(), path));
        } catch (NoSuchFileException missing) {
            return Optional.empty();
        }
    }

    /** What the holder wrote; anybody who may write to the folder may have written it. */
    private static String nameIn(FileChannel channel) throws IOException {
        ByteBuffer start = ByteBuffer.allocate(LONGEST_NAME);
        channel.read(start, 0);
        return US_ASCII.decode(start.flip())
                .toString()
                .lines()
                .findFirst()
                .map(line -> line.replaceAll("[^ -~]", "?"))
                .filter(line -> !line.isBlank())
                .orElse("a process that has not written its name yet");
    }

    /** Frees the lock, if this process has it. */
    @Override
    public void close() {
        held.ifPresent(
                own -> {
                    try {
                        own.channel().close();
                    } catch (IOException failed) {
                        LOG.atWarn().log("{} was not closed: {}", path, failed.toString());
                    }
                    OPEN.remove(own.file());
                });
        held = Optional.empty();
    }
}
