// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.child;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Which version of a resource the API server has just confirmed to this process, as it stored that
 * version or said that nobody has changed it. For a moment that counts as much as asking again.
 * Safe for many threads.
 */
public final class ConfirmedVersions {
    /**
     * An answer to a question may be as old when it is read, and older: whoever asks waits longer
     * than this. Nobody else can come to lead within it, see {@code Leadership}.
     */
    private static final Duration MOMENT = Duration.ofSeconds(1);

    private record Confirmed(String version, long asked) {}

    private final Map<String, Confirmed> byUid = new ConcurrentHashMap<>();
    private final LongSupplier nanos;

    /**
     * @param nanos a clock that nobody sets, in nanoseconds
     */
    public ConfirmedVersions(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** When a request is about to be made whose answer may confirm a version. */
    public long asking() {
        return nanos.getAsLong();
    }

    /**
     * The API server had {@code resource} in this version, later than {@code asked}.
     *
     * @param asked see {@link #asking}
     */
    public void confirmed(ObjectMeta resource, long asked) {
        Optional.ofNullable(resource.getResourceVersion())
                .ifPresent(version -> byUid.put(resource.getUid(), new Confirmed(version, asked)));
    }

    /** Whether a moment ago the resource was of this version. */
    public boolean isConfirmed(ObjectMeta resource) {
        return Optional.ofNullable(resource.getUid())
                .flatMap(uid -> Optional.ofNullable(byUid.get(uid)))
                .filter(it -> it.version().equals(resource.getResourceVersion()))
                .filter(it -> nanos.getAsLong() - it.asked() < MOMENT.toNanos())
                .isPresent();
    }

    /** Nothing more is to be done about the resource for now. */
    public void forget(ObjectMeta resource) {
        Optional.ofNullable(resource.getUid()).ifPresent(byUid::remove);
    }
}
