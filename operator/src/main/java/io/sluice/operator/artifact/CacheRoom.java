// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.artifact;

import io.sluice.rules.config.option.ArtifactOptions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Counts the bytes of jars, those on their way included, and says which jars have to go. A
 * namespace has a bound of its own, within which its own jars make room; when all namespaces
 * together have too much, a jar of the one with the most goes. One namespace can't drive out what a
 * smaller one keeps.
 */
final class CacheRoom {
    private static final float FULL = 0.75f;

    private final Bounds bounds;
    private final Map<String, Share> shares = new HashMap<>();
    private long kept;
    private long incoming;

    /**
     * How many bytes there may be. A single jar that is larger is kept alone.
     *
     * @param all of all namespaces
     * @param ofNamespace of each
     */
    record Bounds(long all, long ofNamespace) {}

    record Jar(String namespace, String digest) {}

    private static final class Share {
        /** The one that was not used for longest comes first. */
        private final Map<String, Long> bytesByDigest = new LinkedHashMap<>(16, FULL, true);

        private long kept;
        private long incoming;
    }

    CacheRoom(Bounds bounds) {
        this.bounds = bounds;
    }

    /** A jar that was there before; called in the order of their last use. */
    synchronized void found(Jar jar, long bytes) {
        add(jar, bytes);
    }

    /**
     * Counts bytes that are about to be written.
     *
     * @param written of the same jar so far
     * @return what has to go for them
     * @throws LimitReached if the others on their way leave no room; nothing is counted then
     */
    synchronized List<Jar> grow(String namespace, long written, long more) throws LimitReached {
        Share share = share(namespace);
        boolean isAloneInNamespace = share.incoming == written;
        boolean isAlone = incoming == written;
        if (share.incoming + more > bounds.ofNamespace() && !isAloneInNamespace) {
            throw new LimitReached(
                    DownloadLimit.ROOM,
                    "finds no room: other downloads of its namespace use the "
                            + bounds.ofNamespace()
                            + " bytes of "
                            + ArtifactOptions.CACHE_SIZE_PER_NAMESPACE.key());
        }
        if (incoming + more > bounds.all() && !isAlone) {
            throw new LimitReached(
                    DownloadLimit.ROOM,
                    "finds no room: other downloads use the "
                            + bounds.all()
                            + " bytes of "
                            + ArtifactOptions.CACHE_SIZE.key());
        }
        share.incoming += more;
        incoming += more;
        return evicted(namespace, Optional.empty());
    }

    /** What was written is complete; returns what has to go for it. */
    synchronized List<Jar> complete(Jar jar, long written) {
        abandon(jar.namespace(), written);
        add(jar, written);
        return evicted(jar.namespace(), Optional.of(jar));
    }

    /** What was written is there no more. */
    synchronized void abandon(String namespace, long written) {
        share(namespace).incoming -= written;
        incoming -= written;
        forgetIfEmpty(namespace);
    }

    /** Whether the jar is kept, which counts as a use of it. */
    synchronized boolean use(Jar jar) {
        return Optional.ofNullable(shares.get(jar.namespace()))
                .map(share -> share.bytesByDigest.get(jar.digest()))
                .isPresent();
    }

    private void add(Jar jar, long bytes) {
        Share share = share(jar.namespace());
        long before = Optional.ofNullable(share.bytesByDigest.put(jar.digest(), bytes)).orElse(0L);
        share.kept += bytes - before;
        kept += bytes - before;
    }

    private List<Jar> evicted(String namespace, Optional<Jar> spared) {
        List<Jar> gone = new ArrayList<>();
        Share own = share(namespace);
        boolean goesOn = true;
        while (goesOn && own.kept + own.incoming > bounds.ofNamespace()) {
            goesOn = evict(namespace, spared, gone);
        }
        goesOn = true;
        while (goesOn && kept + incoming > bounds.all()) {
            Optional<String> victim =
                    shares.entrySet().stream()
                            .filter(each -> isEvictable(each.getKey(), each.getValue(), spared))
                            .max(Comparator.comparingLong(each -> total(each.getValue())))
                            .map(Map.Entry::getKey);
            goesOn = victim.isPresent() && evict(victim.get(), spared, gone);
        }
        return gone;
    }

    private static long total(Share share) {
        return share.kept + share.incoming;
    }

    private static boolean isEvictable(String namespace, Share share, Optional<Jar> spared) {
        boolean isItsOwn = spared.map(Jar::namespace).equals(Optional.of(namespace));
        return share.bytesByDigest.size() > (isItsOwn ? 1 : 0);
    }

    /** Takes out the jar that was not used for longest; false if there is none but the spared. */
    private boolean evict(String namespace, Optional<Jar> spared, List<Jar> gone) {
        Share share = share(namespace);
        Iterator<Map.Entry<String, Long>> oldest = share.bytesByDigest.entrySet().iterator();
        while (oldest.hasNext()) {
            Map.Entry<String, Long> entry = oldest.next();
            Jar jar = new Jar(namespace, entry.getKey());
            if (!spared.equals(Optional.of(jar))) {
                share.kept -= entry.getValue();
                kept -= entry.getValue();
                oldest.remove();
                gone.add(jar);
                return true;
            }
        }
        return false;
    }

    private Share share(String namespace) {
        return shares.computeIfAbsent(namespace, _ -> new Share());
    }

    private void forgetIfEmpty(String namespace) {
        Share share = share(namespace);
        if (share.bytesByDigest.isEmpty() && share.incoming == 0) {
            shares.remove(namespace);
        }
    }
}
