// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe.snapshot;

import io.sluice.api.text.ShortenedText;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The FlinkStateSnapshots that could not be created, by the uid of the resource that has requested
 * them. All of it can be lost: then the creation is tried, and refused, once more.
 */
public final class RefusedSnapshots {
    private static final int LONGEST_MESSAGE = 1000;

    private record Refusal(String name, String message) {}

    private final Map<String, Refusal> byUid = new ConcurrentHashMap<>();

    /** The snapshot {@code name} of the resource could not be created. */
    public void refused(String uid, String name, String message) {
        byUid.put(uid, new Refusal(name, ShortenedText.of(message, LONGEST_MESSAGE)));
    }

    /** A snapshot of the resource was created, or nothing is left of the resource. */
    public void forget(String uid) {
        byUid.remove(uid);
    }

    /** Why the snapshot {@code name} of the resource could not be created last. */
    Optional<String> of(String uid, String name) {
        return Optional.ofNullable(byUid.get(uid))
                .filter(it -> it.name().equals(name))
                .map(Refusal::message);
    }
}
