// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import io.sluice.autoscaler.collect.EngineClient;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.collect.Subject;
import io.sluice.autoscaler.decide.Engines;
import io.sluice.autoscaler.jobs.Pairs;
import io.sluice.autoscaler.publish.JobEvents;
import io.sluice.autoscaler.publish.JobStates;
import io.sluice.autoscaler.publish.Realizer;
import io.sluice.flink.rest.JobManagerRest;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;

/** What every job's cycle talks to. */
public record CycleDependencies(
        JobManagerLookup addresses,
        JobManagerRest jobManagers,
        EngineClient engineClients,
        Engines engines,
        JobStates states,
        JobEvents events,
        Pairs pairs,
        Realizer realizer,
        Rescaling rescaling,
        Duration rescalePause,
        InstantSource clock,
        InstantSource uptime) {

    /** Where JobManagers answer. */
    @FunctionalInterface
    public interface JobManagerLookup {
        URI of(String namespace, Subject.Scalable subject);
    }

    /** The JobManager of the cluster that the job runs on. */
    URI jobManagerOf(JobKey key, Subject.Scalable subject) {
        return addresses.of(key.namespace(), subject);
    }
}
