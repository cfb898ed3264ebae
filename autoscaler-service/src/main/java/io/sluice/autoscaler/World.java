// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import io.sluice.api.FlinkDeployment;
import io.sluice.autoscaler.collect.EffectiveConfiguration;
import io.sluice.autoscaler.collect.EngineOptions;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.collect.JobManagerAddress;
import io.sluice.autoscaler.collect.RestClients;
import io.sluice.autoscaler.collect.Subject;
import io.sluice.autoscaler.publish.KubernetesEvents;
import io.sluice.autoscaler.publish.StateConfigMaps;
import io.sluice.flink.rest.JobManagerRest;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;

/** What every job's cycle talks to. */
record World(
        EffectiveConfiguration configuration,
        JobManagerAddress address,
        JobManagerRest jobManagers,
        RestClients engineClients,
        StateConfigMaps states,
        KubernetesEvents events,
        Duration rescalePause,
        InstantSource clock) {
    Duration intervalOf(FlinkDeployment resource) {
        return EngineOptions.interval(Subject.options(resource, configuration));
    }

    URI jobManagerOf(JobKey key) {
        return address.of(key);
    }
}
