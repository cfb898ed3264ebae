// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.jobs;

import io.sluice.autoscaler.collect.Footprint;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.collect.Subject;
import java.util.List;
import java.util.Optional;

/** All jobs that might ask for autoscaling, wherever one learns of them. */
public interface Jobs extends AutoCloseable {
    /** Whether what should be known at the start is. */
    boolean isKnown();

    List<Watched> all();

    Optional<Watched> find(JobKey key);

    /** As known now; one that is gone asks for nothing. */
    default Subject subjectOf(JobKey key) {
        return find(key).map(watched -> watched.subject().get()).orElseGet(Subject.Off::new);
    }

    /** What the TaskManagers of a namespace take. */
    Footprint takenIn(String namespace);

    @Override
    void close();
}
