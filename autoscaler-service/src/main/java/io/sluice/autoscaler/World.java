// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import io.sluice.autoscaler.collect.EngineClient;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.collect.JobManagerAddress;
import io.sluice.autoscaler.publish.KubernetesEvents;
import io.sluice.autoscaler.publish.StateConfigMaps;
import io.sluice.flink.rest.JobManagerRest;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;

/** What every job's cycle talks to. */
record World(
        JobManagerAddress address,
        JobManagerRest jobManagers,
        EngineClient engineClients,
        StateConfigMaps states,
        KubernetesEvents events,
        Rescaling rescaling,
        Duration rescalePause,
        InstantSource clock,
        InstantSource uptime) {

    /**
     * @param cluster the FlinkDeployment the job runs on
     */
    URI jobManagerOf(JobKey key, String cluster) {
        return address.of(key.namespace(), cluster);
    }
}
