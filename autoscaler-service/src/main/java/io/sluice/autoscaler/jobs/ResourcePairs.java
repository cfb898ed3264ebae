// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.jobs;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.status.bluegreen.FlinkBlueGreenDeploymentStatus;
import io.sluice.api.status.bluegreen.PairHalf;
import io.sluice.api.status.bluegreen.StartOverrides;
import io.sluice.autoscaler.collect.JobKey;
import java.net.HttpURLConnection;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pairs as the API server has them. The halves are watched anyway. Their pair is asked for with
 * each look at a running half, and only then: what counts is the moment of a rescale, for which a
 * watch may be late.
 */
public final class ResourcePairs implements Pairs {
    private static final Logger LOG = LoggerFactory.getLogger(ResourcePairs.class);

    private final KubernetesClient client;
    private final Resources resources;
    private final AtomicBoolean isRefused = new AtomicBoolean();

    public ResourcePairs(KubernetesClient client, Resources resources) {
        this.client = client;
        this.resources = resources;
    }

    /** A half is made after the one whose place it takes, of which there is none in between. */
    @Override
    public Optional<JobKey> formerHalf(JobKey job) {
        Optional<FlinkDeployment> here = there(job);
        return job.half()
                .map(PairHalf::other)
                .flatMap(
                        other ->
                                resources
                                        .deployment(job.namespace(), other.name())
                                        .filter(
                                                found ->
                                                        PairHalf.of(found)
                                                                .equals(Optional.of(other))))
                .filter(other -> here.filter(it -> began(other).isBefore(began(it))).isPresent())
                .map(JobKey::of);
    }

    @Override
    public Map<String, String> startOverrides(JobKey job) {
        return there(job)
                .map(it -> StartOverrides.of(it, Optional.ofNullable(it.getStatus())))
                .orElseGet(Map::of);
    }

    @Override
    public boolean isBetweenHalves(JobKey job) {
        return job.half()
                .flatMap(half -> pair(job.namespace(), half))
                .flatMap(pair -> Optional.ofNullable(pair.getStatus()))
                .map(FlinkBlueGreenDeploymentStatus::of)
                .filter(FlinkBlueGreenDeploymentStatus::isBetweenHalves)
                .isPresent();
    }

    private Optional<FlinkDeployment> there(JobKey job) {
        return resources
                .deployment(job.namespace(), job.name())
                .filter(found -> found.getMetadata().getUid().equals(job.uid()));
    }

    private static Instant began(FlinkDeployment half) {
        return Instant.parse(half.getMetadata().getCreationTimestamp());
    }

    /** Who may not read it goes on without, as before there were pairs. */
    private Optional<FlinkBlueGreenDeployment> pair(String namespace, PairHalf half) {
        try {
            return Optional.ofNullable(
                            client.resources(FlinkBlueGreenDeployment.class)
                                    .inNamespace(namespace)
                                    .withName(half.pair())
                                    .get())
                    .filter(pair -> pair.getMetadata().getUid().equals(half.uid()));
        } catch (KubernetesClientException fault) {
            if (fault.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
                throw fault;
            }
            if (!isRefused.getAndSet(true)) {
                LOG.atWarn()
                        .addKeyValue("resource.namespace", namespace)
                        .log(
                                "halves of blue/green pairs are rescaled during transitions too, as"
                                        + " FlinkBlueGreenDeployments can't be read: {}",
                                fault.getMessage());
            }
            return Optional.empty();
        }
    }
}
