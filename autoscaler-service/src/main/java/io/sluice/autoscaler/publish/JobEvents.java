// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.publish;

import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.decide.EngineEvent;

/** Tells people what happened to a job. Never throws. */
public interface JobEvents {
    void publish(JobKey key, EngineEvent event);

    /** The job is gone, or somebody else's now. */
    void leave(JobKey key);
}
