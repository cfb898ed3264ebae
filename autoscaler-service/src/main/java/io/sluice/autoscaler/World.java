// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import io.sluice.autoscaler.collect.EngineClient;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.publish.JobEvents;
import io.sluice.autoscaler.publish.JobStates;
import io.sluice.autoscaler.publish.Realizer;
import io.sluice.flink.rest.JobManagerRest;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;

/** What every job's cycle talks to. */
record World(
        Whereabouts whereabouts,
        JobManagerRest jobManagers,
        EngineClient engineClients,
        JobStates states,
        JobEvents events,
        Realizer realizer,
        Rescaling rescaling,
        Duration rescalePause,
        InstantSource clock,
        InstantSource uptime) {

    /** Where JobManagers answer. */
    @FunctionalInterface
    interface Whereabouts {
        URI of(String namespace, String cluster);
    }

    /**
     * @param cluster the FlinkDeployment the job runs on
     */
    URI jobManagerOf(JobKey key, String cluster) {
        return whereabouts.of(key.namespace(), cluster);
    }
}
