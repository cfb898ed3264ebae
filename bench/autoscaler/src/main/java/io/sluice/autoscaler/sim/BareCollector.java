// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import org.apache.flink.autoscaler.topology.JobTopology;
import org.apache.flink.runtime.rest.messages.job.JobDetailsInfo;

/** What the bare engine is told: of keys too. */
final class BareCollector extends SimulatedCollector {
    BareCollector(SimulatedFlink flink) {
        super(flink);
    }

    @Override
    protected JobTopology getJobTopology(JobDetailsInfo job) {
        return describe(job);
    }
}
