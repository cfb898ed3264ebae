// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.publish;

import io.sluice.autoscaler.collect.JobKey;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Keeps what is known of each job for as long as this process lives. */
public final class MemoryStates implements JobStates {
    private final Map<JobKey, Stored> byJob = new ConcurrentHashMap<>();

    @Override
    public Stored load(JobKey key) {
        return byJob.getOrDefault(key, Stored.NOTHING);
    }

    @Override
    public Stored save(JobKey key, Map<String, String> data, Stored before) {
        Stored stored = new Stored(data, Optional.empty());
        byJob.put(key, stored);
        return stored;
    }

    @Override
    public void wipe(JobKey key) {
        byJob.remove(key);
    }

    @Override
    public void leave(JobKey key) {
        byJob.remove(key);
    }
}
