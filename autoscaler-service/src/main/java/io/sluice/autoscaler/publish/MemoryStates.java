// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.publish;

import io.sluice.autoscaler.collect.JobKey;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;

/** Keeps what is known of each job for as long as this process lives. */
public final class MemoryStates implements JobStates {
    private final Map<JobKey, Map<String, String>> byJob = new ConcurrentHashMap<>();

    @Override
    public Loaded load(JobKey key) {
        return Loaded.of(byJob.getOrDefault(key, Map.of()), Optional.empty());
    }

    @Override
    public Stored save(JobKey key, Map<String, String> data, Stored before) {
        byJob.put(key, Collections.unmodifiableMap(new TreeMap<>(data)));
        return Stored.of(data, Optional.empty());
    }

    @Override
    public void wipe(JobKey key, Predicate<String> kept) {
        byJob.computeIfPresent(
                key,
                (_, data) -> {
                    Map<String, String> left = new TreeMap<>(data);
                    left.keySet().removeIf(kept.negate());
                    return left.isEmpty() ? null : Collections.unmodifiableMap(left);
                });
    }

    @Override
    public void leave(JobKey key) {
        byJob.remove(key);
    }
}
