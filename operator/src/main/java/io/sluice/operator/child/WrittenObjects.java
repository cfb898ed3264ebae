// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.child;

import io.fabric8.kubernetes.api.model.HasMetadata;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The objects that this process wrote lately, by the resource that owns them. Safe for many
 * threads. One that is forgotten costs two requests more.
 */
final class WrittenObjects {
    private static final int MOST = 8192;

    /** Names the resource by its uid: a later resource of the same name has objects of its own. */
    private record Key(String resource, String kind, String name) {
        static Key of(HasMetadata wanted) {
            return new Key(
                    wanted.getMetadata().getOwnerReferences().getFirst().getUid(),
                    wanted.getKind(),
                    wanted.getMetadata().getName());
        }
    }

    /** Which version of which object a write has made. */
    record Version(String uid, String resourceVersion) {
        static Version of(HasMetadata stored) {
            return new Version(
                    stored.getMetadata().getUid(), stored.getMetadata().getResourceVersion());
        }
    }

    /**
     * @param fields a hash of which fields were set
     */
    private record Written(Version version, int fields) {}

    private final Map<Key, Written> lately =
            new LinkedHashMap<>(16, 0.75f, true) {
                @Override
                protected boolean removeEldestEntry(Map.Entry<Key, Written> eldest) {
                    return size() > MOST;
                }
            };

    synchronized void remember(HasMetadata wanted, HasMetadata stored) {
        lately.put(Key.of(wanted), new Written(Version.of(stored), fields(wanted)));
    }

    /** The version that was written, if it has the fields that are wanted now, and no others. */
    synchronized Optional<Version> version(HasMetadata wanted) {
        return Optional.ofNullable(lately.get(Key.of(wanted)))
                .filter(written -> written.fields() == fields(wanted))
                .map(Written::version);
    }

    private static int fields(HasMetadata manifest) {
        Set<String> set = ChildPatch.fields(manifest).keySet();
        return String.join("\n", set).hashCode();
    }
}
