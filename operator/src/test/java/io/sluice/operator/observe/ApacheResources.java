// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.sluice.api.status.FlinkDeploymentStatus;
import io.sluice.manifest.ManifestRenderer;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.system.Predecessor;
import java.util.Optional;

/** What the Apache operator left of its FlinkDeployments. */
final class ApacheResources {
    static final Optional<Deployment> STANDS = Optional.of(deployment("4"));

    private ApacheResources() {}

    /** A FlinkDeployment of theirs, and the JobManager's Deployment that stands beside it. */
    static Snapshots left(String name, Optional<Deployment> jobManager) {
        FlinkDeploymentStatus status =
                ApacheStatusMigration.read(Predecessor.status(name), jobManager, Snapshots.NOW);
        return Snapshots.aNewResource().withStatus(status).withSpec(Predecessor.spec());
    }

    /** The JobManager's Deployment, made for a generation of the resource. */
    static Deployment deployment(String generation) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .addToAnnotations(ManifestRenderer.GENERATION_ANNOTATION, generation)
                .endMetadata()
                .build();
    }
}
