// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.explain;

import io.sluice.autoscaler.collect.JobKey;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The last explanation of each job; those of jobs that are gone are gone too. */
public final class Explanations {
    private final Map<JobKey, Explanation> byJob = new ConcurrentHashMap<>();

    public void put(Explanation explanation) {
        byJob.put(explanation.key(), explanation);
    }

    public void remove(JobKey key) {
        byJob.remove(key);
    }

    public Collection<Explanation> all() {
        return List.copyOf(byJob.values());
    }

    public Optional<Explanation> of(String namespace, String name) {
        return byJob.values().stream()
                .filter(
                        explanation ->
                                explanation.key().namespace().equals(namespace)
                                        && explanation.key().name().equals(name))
                .findFirst();
    }
}
