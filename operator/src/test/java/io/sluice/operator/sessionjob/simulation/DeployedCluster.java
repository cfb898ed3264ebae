// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob.simulation;

import io.sluice.operator.deployment.simulation.FlinkLaunch;
import io.sluice.operator.deployment.simulation.MetadataMaps;
import io.sluice.operator.deployment.simulation.SimulatedNode;
import io.sluice.testkit.sim.Dice;
import java.util.Optional;
import java.util.stream.Stream;

/** A session cluster that the operator deploys, replaces and deletes, on a node. */
final class DeployedCluster implements SessionCluster {
    private final SessionWorld world;
    private final SessionMetadata.Kept kept;
    private final SimulatedNode<SessionProcess> node;
    private final ClusterUser user;
    private final ClusterPromises promises;

    /**
     * @param dice of its user
     * @param kind that it begins with
     */
    DeployedCluster(SessionWorld world, Dice dice, SessionMetadata.Kind kind) {
        this.world = world;
        kept = new SessionMetadata.Kept(Optional.of(new MetadataMaps(world, NAME)));
        node = new SimulatedNode<>(world, this::start);
        user = new ClusterUser(world, dice, kind);
        promises = new ClusterPromises(world, this);
    }

    private SessionProcess start(FlinkLaunch launch) {
        var metadata = new SessionMetadata(SessionMetadata.Kind.of(launch), kept);
        promises.leavesBehind(metadata.leftBehind());
        return new SessionProcess(world, metadata, launch, it -> node.isLedByAnother(it));
    }

    ClusterPromises promises() {
        return promises;
    }

    ClusterUser user() {
        return user;
    }

    @Override
    public Stream<SessionProcess> processes() {
        return node.processes();
    }

    @Override
    public Optional<SessionProcess> answering() {
        return node.answering(false);
    }

    @Override
    public void restart() {
        node.restartProcess();
    }

    @Override
    public void goAway() {
        world.trace("somebody deletes the Deployment");
        world.quietly(
                () ->
                        world.client()
                                .apps()
                                .deployments()
                                .inNamespace(world.namespace())
                                .withName(NAME)
                                .delete());
    }

    @Override
    public void loseTaskManager() {
        processes().forEach(SessionProcess::loseTaskManager);
    }

    void evict() {
        node.evict();
    }

    @Override
    public void step() {
        node.step();
        answering().ifPresent(_ -> promises.isUp());
    }

    @Override
    public void finishOverdue() {
        processes().forEach(SessionProcess::finishOverdue);
    }

    @Override
    public String toString() {
        return node.toString();
    }
}
