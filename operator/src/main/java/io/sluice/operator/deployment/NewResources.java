// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.FlinkDeployment;
import io.sluice.operator.observe.ChildResources;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The FlinkDeployments of which this process knows that no operator has reconciled them before:
 * when a watch first told of one it had no finalizer, which every operator sets before it does
 * anything else, and no status, and no watch has told of a status since. So there is no cluster
 * that was made for it. Safe for many threads. One that is forgotten costs a request more.
 */
public final class NewResources {
    /** A burst of thousands is reconciled in less. */
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private static final int MOST = 20_000;

    private final Map<String, Long> firstSeen = new ConcurrentHashMap<>();
    private final LongSupplier nanos;

    /**
     * @param nanos a clock that nobody sets, in nanoseconds
     */
    public NewResources(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /** A watch tells of {@code resource} for the first time. */
    public void added(FlinkDeployment resource) {
        boolean isUntouched =
                !resource.getMetadata()
                                .getFinalizers()
                                .contains(FlinkDeploymentReconciler.FINALIZER)
                        && ChildResources.isNew(resource);
        if (isUntouched) {
            if (firstSeen.size() >= MOST) {
                firstSeen.clear();
            }
            firstSeen.put(resource.getMetadata().getUid(), nanos.getAsLong());
        }
    }

    /** A watch tells of {@code resource}, for the first time or again. */
    public void told(FlinkDeployment resource) {
        String uid = resource.getMetadata().getUid();
        if (firstSeen.containsKey(uid) && !ChildResources.isNew(resource)) {
            firstSeen.remove(uid);
        }
    }

    /**
     * Whether nobody has reconciled {@code resource} before, as far as this process can tell.
     *
     * @param resource as it is about to be reconciled
     */
    public boolean contains(FlinkDeployment resource) {
        told(resource);
        return Optional.ofNullable(firstSeen.get(resource.getMetadata().getUid()))
                .filter(since -> nanos.getAsLong() - since < LONGEST.toNanos())
                .isPresent();
    }
}
