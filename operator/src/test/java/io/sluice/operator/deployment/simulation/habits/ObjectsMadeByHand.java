// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.habits;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ServiceBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.operator.child.ChildObjects;
import io.sluice.operator.deployment.simulation.SimulatedNode;
import io.sluice.testkit.sim.Dice;
import java.util.Map;
import java.util.Optional;

/**
 * An object that somebody else has made by hand under a name that the operator would use. It stays
 * as it is until its owner removes it.
 */
public final class ObjectsMadeByHand {
    private final SimulatedNode.World world;
    private final String cluster;
    private Optional<HasMetadata> made = Optional.empty();

    public ObjectsMadeByHand(SimulatedNode.World world, String cluster) {
        this.world = world;
        this.cluster = cluster;
    }

    /** Somebody makes one, unless something has its name. */
    public void make(Dice dice) {
        HasMetadata object =
                switch (dice.below(3)) {
                    case 0 -> service();
                    case 1 -> configuration();
                    default -> deployment();
                };
        object.getMetadata().setNamespace(world.namespace());
        if (made.isEmpty() && find(object).isEmpty()) {
            world.trace("somebody makes by hand " + text(object));
            made = world.quietly(() -> create(object));
        }
    }

    /** Empty if a policy of the cluster refuses it, to whomever. */
    private Optional<HasMetadata> create(HasMetadata object) {
        try {
            return Optional.of(world.client().resource(object).create());
        } catch (KubernetesClientException refused) {
            world.trace("it is refused: " + refused.getMessage());
            return Optional.empty();
        }
    }

    private HasMetadata service() {
        return new ServiceBuilder()
                .withNewMetadata()
                .withName(cluster + "-rest")
                .endMetadata()
                .withNewSpec()
                .withSelector(Map.of("app", "somebody"))
                .addNewPort()
                .withPort(80)
                .endPort()
                .endSpec()
                .build();
    }

    private HasMetadata configuration() {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withName("flink-config-" + cluster)
                .endMetadata()
                .withData(Map.of("config.yaml", "a: b\n"))
                .build();
    }

    /** A native Flink that somebody has scaled down. */
    private Deployment deployment() {
        Map<String, String> labels =
                Map.of(
                        "app",
                        cluster,
                        "component",
                        "jobmanager",
                        "type",
                        "flink-native-kubernetes");
        return new DeploymentBuilder()
                .withNewMetadata()
                .withName(cluster)
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .withReplicas(0)
                .withNewSelector()
                .withMatchLabels(labels)
                .endSelector()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("flink-main-container")
                .withImage("somebody/flink:1.20")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
    }

    private static String text(HasMetadata object) {
        return object.getKind() + " " + object.getMetadata().getName();
    }

    private Optional<HasMetadata> find(HasMetadata object) {
        return world.quietly(() -> Optional.ofNullable(world.client().resource(object).get()));
    }

    /** Whether there is one. */
    public boolean isThere() {
        return made.isPresent();
    }

    /** Its owner has removed it, or nobody cares for it any more. */
    public void forget() {
        made = Optional.empty();
    }

    /** Somebody deletes an object, which may be this one. */
    public void deleted(HasMetadata object) {
        String uid = object.getMetadata().getUid();
        made = made.filter(it -> !it.getMetadata().getUid().equals(uid));
    }

    /** Its owner removes it. */
    public void remove() {
        made.ifPresent(
                it -> {
                    world.trace("its owner removes " + text(it));
                    world.quietly(() -> world.client().resource(it).delete());
                });
        forget();
    }

    /** What has become of it, which is the operator's doing. */
    public Optional<String> touched() {
        return made.flatMap(
                before -> {
                    Optional<HasMetadata> now = find(before).filter(it -> isSame(it, before));
                    if (now.isEmpty()) {
                        return Optional.of("what somebody else has made is gone: " + text(before));
                    }
                    return now.filter(ObjectsMadeByHand::isOperators)
                            .map(_ -> "what somebody else has made is changed: " + text(before));
                });
    }

    private static boolean isOperators(HasMetadata now) {
        return !now.getMetadata().getOwnerReferences().isEmpty()
                || now.getMetadata().getManagedFields().stream()
                        .anyMatch(it -> ChildObjects.FIELD_MANAGER.equals(it.getManager()));
    }

    private static boolean isSame(HasMetadata now, HasMetadata before) {
        return now.getMetadata().getUid().equals(before.getMetadata().getUid())
                && now.getMetadata().getDeletionTimestamp() == null;
    }
}
