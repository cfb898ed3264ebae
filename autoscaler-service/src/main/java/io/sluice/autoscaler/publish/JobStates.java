// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.publish;

import io.sluice.autoscaler.collect.JobKey;
import java.util.Map;
import java.util.function.Predicate;

/** Where the engine's memory of each job is kept, in the Apache operator's layout. */
public interface JobStates {
    /** What is stored of this very job; no data if nothing is. */
    Loaded load(JobKey key);

    /**
     * Stores exactly {@code data}, if nobody stored anything since {@code before} was read.
     *
     * @throws StoredMeanwhile if somebody did; nothing was stored
     */
    Stored save(JobKey key, Map<String, String> data, Stored before);

    /**
     * Nothing is overridden any more.
     *
     * @param kept names of the entries that stay
     */
    void wipe(JobKey key, Predicate<String> kept);

    /** The job is gone, or somebody else's now. */
    void leave(JobKey key);
}
