// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.artifact;

import io.sluice.operator.artifact.CacheRoom.Bounds;
import io.sluice.operator.artifact.CacheRoom.Jar;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.ArtifactOptions;
import io.sluice.rules.config.value.MemorySize;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Jars on disk. Each namespace has a folder of its own, so that none is given, drives out or
 * replaces what another's resources fetched; those not used for longest go first when there are too
 * many.
 */
public final class ArtifactCache {
    private static final Logger LOG = LoggerFactory.getLogger(ArtifactCache.class);

    private final Path folder;
    private final CacheRoom room;
    private final Map<String, NamespaceJars> jarsByNamespace = new ConcurrentHashMap<>();

    /**
     * Finds what a former process left, and removes what it did not finish.
     *
     * @param folder is created when it is needed
     */
    ArtifactCache(Path folder, Bounds bounds) {
        this.folder = folder;
        room = new CacheRoom(bounds);
        takeOver();
    }

    /**
     * A cache where and as large as the operator's configuration says; a namespace has half of it
     * unless that is configured too.
     */
    public static ArtifactCache of(Options options) {
        long all = options.get(ArtifactOptions.CACHE_SIZE).bytes();
        long ofNamespace =
                options.get(ArtifactOptions.CACHE_SIZE_PER_NAMESPACE)
                        .map(MemorySize::bytes)
                        .orElse(all / 2);
        return new ArtifactCache(
                Path.of(options.get(ArtifactOptions.BASE_DIR)), new Bounds(all, ofNamespace));
    }

    /** What is kept for resources of one namespace. */
    NamespaceJars in(String namespace) {
        return jarsByNamespace.computeIfAbsent(
                namespace,
                name -> new NamespaceJars(folder.resolve(name), name, this::remove, room));
    }

    private void remove(Jar jar) {
        try {
            Files.deleteIfExists(
                    folder.resolve(jar.namespace()).resolve(NamespaceJars.file(jar.digest())));
        } catch (IOException fault) {
            throw new UncheckedIOException(fault);
        }
    }

    private void takeOver() {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try {
            for (Path file : files()) {
                Path name = folder.relativize(file);
                Optional<String> digest =
                        NamespaceJars.digest(name).filter(_ -> name.getNameCount() == 2);
                if (digest.isEmpty()) {
                    Files.deleteIfExists(file);
                } else {
                    room.found(new Jar(name.getName(0).toString(), digest.get()), Files.size(file));
                }
            }
        } catch (IOException fault) {
            LOG.atWarn().setCause(fault).log("jars of a former process in {}", folder);
        }
    }

    /** The one that was written first comes first. */
    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.walk(folder, 2)) {
            return files.filter(Files::isRegularFile)
                    .sorted(Comparator.comparingLong(file -> file.toFile().lastModified()))
                    .toList();
        }
    }
}
