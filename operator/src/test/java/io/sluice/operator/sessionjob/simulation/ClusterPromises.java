// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob.simulation;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What must hold when the operator deletes the Deployment of the session cluster, by what runs on
 * it. Only the FlinkSessionJobs that it has been told of count: nobody waits for others.
 */
final class ClusterPromises {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final SessionWorld world;
    private final DeployedCluster cluster;
    private Instant lastUp = Instant.EPOCH;

    /** The uid of the resource that the last JobManager was begun for. */
    private String resource = "";

    /** The ids of the jobs that it did not find. */
    private Set<String> left = Set.of();

    ClusterPromises(SessionWorld world, DeployedCluster cluster) {
        this.world = world;
        this.cluster = cluster;
    }

    /**
     * The operator deletes the Deployment.
     *
     * @param told the FlinkSessionJobs, as it was told of them
     */
    void deletes(Collection<FlinkSessionJob> told) {
        Optional<FlinkDeployment> resource = cluster.user().resource();
        boolean isDeleted =
                resource.map(FlinkDeployment::getMetadata)
                        .map(ObjectMeta::getDeletionTimestamp)
                        .isPresent();
        if (isDeleted) {
            told.forEach(this::blocks);
        } else {
            told.forEach(this::losesNothing);
        }
    }

    private void blocks(FlinkSessionJob told) {
        ObservedJob job = world.job(told.getMetadata().getName());
        if (cluster.user().blocksDeletion() && isThere(job, told) && job.isOnCluster()) {
            job.oracle().violated("the cluster is deleted before the resource " + job.name());
        }
    }

    private static boolean isThere(ObservedJob job, FlinkSessionJob told) {
        return job.resource()
                .filter(it -> it.getMetadata().getUid().equals(told.getMetadata().getUid()))
                .isPresent();
    }

    private void losesNothing(FlinkSessionJob told) {
        String id =
                Optional.ofNullable(told.getStatus())
                        .map(it -> it.at("/jobStatus/jobId").asText())
                        .orElse("");
        ObservedJob job = world.job(told.getMetadata().getName());
        if (isThere(job, told) && world.hasSeen(id)) {
            cluster.processes()
                    .filter(process -> !process.isKept(id))
                    .flatMap(SessionProcess::live)
                    .filter(run -> run.job().id().equals(id))
                    .forEach(_ -> job.goesWithItsCluster(id));
        }
    }

    /** A JobManager answers. */
    void isUp() {
        lastUp = world.now();
    }

    /**
     * A JobManager begins, which finds no more of these jobs. Nobody waits for long for one that
     * does, nor can be asked to for those that the one before has not found either, or that have
     * written nothing yet.
     */
    void leavesBehind(List<SubmittedJob> jobs) {
        String now = cluster.user().resource().map(it -> it.getMetadata().getUid()).orElse("");
        if (resource.equals(now) && !world.now().isAfter(lastUp.plus(PATIENCE))) {
            jobs.stream()
                    .filter(job -> !left.contains(job.id()))
                    .filter(job -> world.hasSeen(job.id()))
                    .filter(job -> world.job(job.resource()).hasWritten())
                    .forEach(job -> world.job(job.resource()).goesWithItsCluster(job.id()));
        }
        resource = now;
        left = jobs.stream().map(SubmittedJob::id).collect(Collectors.toUnmodifiableSet());
    }
}
