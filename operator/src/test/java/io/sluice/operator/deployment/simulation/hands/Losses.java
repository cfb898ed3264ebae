// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.hands;

import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.deployment.simulation.StateOracle;
import io.sluice.operator.model.Reason;
import io.sluice.operator.world.Settling;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import java.util.Optional;

/** What somebody has removed of a resource and its cluster, or is to remove. */
public final class Losses {
    /** The resource, and what is there of it. */
    public interface World {
        InMemoryApiServer api();

        String namespace();

        Optional<FlinkDeployment> resource();

        /** The Deployment of its JobManager; empty if there is none. */
        Optional<Deployment> standing();

        /** The job that a Deployment is to run; empty if nobody can read that. */
        Optional<String> jobOf(Deployment deployment);
    }

    private final World world;
    private final StateOracle oracle;
    private final String service;
    private boolean isStatusErased;
    private boolean areServicesLost;
    private boolean isToldOfLeft;

    /** The job of a Deployment that somebody has deleted before the job began. */
    private Optional<String> unbegun = Optional.empty();

    /**
     * @param service that is before the JobManager
     */
    public Losses(World world, StateOracle oracle, String service) {
        this.world = world;
        this.oracle = oracle;
        this.service = service;
    }

    /** There is a new resource. */
    public void begins() {
        unbegun = Optional.empty();
        isStatusErased = false;
    }

    /** The status, or a part of it, is removed. */
    public void ofStatus() {
        isStatusErased = true;
        oracle.forgetsEnd();
        oracle.letsGo();
    }

    /** Whether that was done since the resource was created. */
    public boolean hasLostStatus() {
        return isStatusErased;
    }

    /** The operator begins to look at the resource. */
    public void looks() {
        world.resource()
                .filter(_ -> isStatusErased && world.standing().isEmpty())
                .filter(it -> it.getStatus() == null || it.getStatus().isEmpty())
                .ifPresent(_ -> oracle.countsAsNew());
    }

    /** The Deployment is deleted. */
    public void ofDeployment() {
        world.standing()
                .flatMap(world::jobOf)
                .ifPresent(job -> unbegun = Optional.of(job).filter(it -> !isLast(it)));
    }

    private boolean isLast(String job) {
        return oracle.job().equals(Optional.of(job));
    }

    /** A job has begun. */
    public void began() {
        unbegun = Optional.empty();
    }

    /** The job that was lost before it began, as long as no other Deployment is there. */
    public Optional<String> unbegunJob() {
        return unbegun.filter(_ -> world.standing().isEmpty());
    }

    /** Services are deleted. */
    public void ofServices() {
        areServicesLost = true;
    }

    /** Whether there is a Service before the JobManager. */
    public boolean isReachable() {
        return !areServicesLost
                || world.api().find(Service.class, world.namespace(), service).isPresent();
    }

    /** An event says that a cluster is left to a human. */
    public void toldOfLeft() {
        isToldOfLeft = true;
    }

    /**
     * Whether somebody was told to delete what is left of a resource that is gone, and the next one
     * of the name, if there is one, waits for that.
     */
    public boolean isLeftToHuman() {
        Optional<FlinkDeployment> next = world.resource();
        return isToldOfLeft
                && (next.isEmpty()
                        || next.flatMap(it -> Optional.ofNullable(it.getStatus()))
                                .flatMap(Settling::reason)
                                .filter(Reason.WAITING_FOR_REMOVAL::equals)
                                .isPresent());
    }

    /** What was left is deleted. */
    public void ofLeft() {
        isToldOfLeft = false;
    }
}
