// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Service;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.deployment.simulation.hands.Hand;
import io.sluice.testkit.sim.Dice;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What others do to the resource, its cluster and its job: some of it in some of the runs. */
final class Hands {
    /** A resource as somebody has copied it, and what was known of it at that time. */
    record Backup(ObjectNode spec, Optional<ObjectNode> status, StateOracle.Past past) {}

    private final DeploymentWorld world;
    private final Dice dice;
    private final FormerOperator former;
    private final Map<Hand, Integer> busy;
    private final boolean hasZooKeeper;
    private final boolean pullsImages;
    private Optional<Backup> copy = Optional.empty();
    private Optional<Backup> restored = Optional.empty();

    Hands(DeploymentWorld world, Dice dice) {
        this.world = world;
        this.dice = dice;
        former = new FormerOperator(world, dice);
        busy = Hand.busy(dice);
        hasZooKeeper = dice.chance(15);
        pullsImages = dice.chance(15);
        if (busy.containsKey(Hand.SETS_CLOCK)) {
            world.clocks().differ(dice);
            world.scaled().othersAct();
        }
    }

    /** Fills in a new spec. */
    void choose(ObjectNode spec) {
        ObjectNode options = spec.withObject("/flinkConfiguration");
        if (pullsImages) {
            options.put("kubernetes.operator.deployment.pull-image-first", "true");
        }
        if (hasZooKeeper && options.has(FlinkLaunch.HIGH_AVAILABILITY)) {
            options.put(FlinkLaunch.HIGH_AVAILABILITY, FlinkLaunch.ZOOKEEPER)
                    .put("high-availability.zookeeper.quorum", "zookeeper:2181");
        }
    }

    /** What somebody does now, if anybody does. */
    Optional<Runnable> move() {
        if (busy.containsKey(Hand.RESTORES_BACKUP) && dice.chance(3)) {
            makeCopy();
        }
        return Hand.next(busy, dice).map(hand -> () -> act(hand));
    }

    private void act(Hand hand) {
        world.scaled().othersAct();
        switch (hand) {
            case TAKES_OVER -> world.leftBy(former);
            case CANCELS_JOB -> running().ifPresent(this::cancel);
            case STOPS_JOB -> running().ifPresent(this::stop);
            case DELETES_DEPLOYMENT -> {
                world.losses().ofDeployment();
                deletes(deployments());
            }
            case DELETES_POD_BY_FORCE -> world.node().deleteByForce(dice);
            case DELETES_METADATA -> deleteMetadata();
            case DELETES_SERVICES -> deleteServices();
            case DELETES_CONFIGURATION -> deletes(configuration());
            case ERASES_STATUS -> eraseStatus();
            case RESTORES_BACKUP -> restore();
            case ENDS_NAMESPACE -> world.endNamespace();
            case REFUSES -> world.trace("hand: refused are " + world.refusals().begin(dice));
            case SETS_CLOCK ->
                    world.trace(
                            "hand: the operator's clock is set by " + world.clocks().step(dice));
        }
    }

    private Optional<FlinkProcess> running() {
        return world.node().answering(false).filter(FlinkProcess::isLive);
    }

    private void cancel(FlinkProcess process) {
        world.trace("hand: another user cancels the job");
        world.othersAct();
        world.oracle().letsGo();
        process.cancelByHand();
    }

    private void stop(FlinkProcess process) {
        world.trace("hand: another user stops the job");
        world.othersAct();
        process.stopByHand("b".repeat(20) + world.newName());
    }

    private void deletes(List<? extends HasMetadata> objects) {
        objects.forEach(
                each -> {
                    world.trace(
                            "hand: somebody deletes "
                                    + each.getKind()
                                    + " "
                                    + each.getMetadata().getName());
                    world.platform().objects().deleted(each);
                    world.quietly(() -> world.client().resource(each).delete());
                });
    }

    private List<? extends HasMetadata> deployments() {
        return world.api().list(Deployment.class, world.namespace());
    }

    private void deleteServices() {
        deletes(world.api().list(Service.class, world.namespace()));
        world.losses().ofServices();
    }

    private List<? extends HasMetadata> configuration() {
        return maps().filter(it -> it.getMetadata().getName().startsWith("flink-config-")).toList();
    }

    private Stream<? extends HasMetadata> maps() {
        return world.api().list(ConfigMap.class, world.namespace()).stream();
    }

    /** Flink begins anew after that, and nobody could tell it otherwise. */
    private void deleteMetadata() {
        List<? extends HasMetadata> there =
                maps().filter(it -> it.getMetadata().getName().endsWith("-config-map")).toList();
        if (!there.isEmpty()) {
            deletes(there);
            world.losesMetadata();
        }
    }

    /** A user does what an event asks for when a resource is gone. */
    void removeLeft() {
        if (world.losses().isLeftToHuman()) {
            deletes(deployments());
            world.losses().ofLeft();
        }
    }

    private void eraseStatus() {
        world.resource()
                .filter(it -> it.getStatus() != null)
                .ifPresent(
                        it -> {
                            ObjectNode status = it.getStatus().deepCopy();
                            switch (dice.below(3)) {
                                case 0 -> status.removeAll();
                                case 1 -> status.remove("attempt");
                                default -> status.remove("reconciliationStatus");
                            }
                            world.trace("hand: somebody leaves of the status " + status);
                            world.losesStatus();
                            world.replaceStatus(it, status);
                        });
    }

    private void makeCopy() {
        world.resource()
                .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
                .ifPresent(
                        it ->
                                copy =
                                        Optional.of(
                                                new Backup(
                                                        it.getSpec().deepCopy(),
                                                        status(it),
                                                        world.oracle().past())));
    }

    private static Optional<ObjectNode> status(FlinkDeployment resource) {
        return Optional.ofNullable(resource.getStatus()).map(ObjectNode::deepCopy);
    }

    private void restore() {
        if (copy.isPresent() && world.resource().isPresent()) {
            world.trace("hand: somebody goes back to a backup");
            world.delete(DeletionPropagation.BACKGROUND);
            restored = copy;
        }
    }

    /** What is to be created in place of a new resource. */
    Optional<Backup> takeRestored() {
        Optional<Backup> taken = restored;
        restored = Optional.empty();
        return taken.map(it -> dice.chance(60) ? it : withoutStatus(it));
    }

    private static Backup withoutStatus(Backup of) {
        return new Backup(of.spec(), Optional.empty(), of.past());
    }
}
