// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.scaling;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.api.spec.ParallelismOverrides;
import io.sluice.testkit.sim.Dice;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Stores in its ConfigMap how parallel the vertices of a job are to be, as the service does. */
public final class SimulatedAutoscaler {
    /** How parallel it asks for at the most. */
    private static final int LARGEST = 4;

    private static final String OVERRIDES = "parallelismOverrides";

    /** A vertex that no job has. */
    private static final String UNKNOWN = ",ff:3";

    private static final List<String> GARBAGE =
            List.of(
                    "",
                    "%",
                    "a0",
                    "a0:0,b1:-1",
                    "a0:1000000",
                    "{\"a0\":2}",
                    "a0:two,",
                    "z9:3",
                    "a0:2,".repeat(30_000));

    private final KubernetesClient client;
    private final Dice dice;

    /** What was asked for last, of the resource with that uid. */
    private ParallelismOverrides asked = ParallelismOverrides.NONE;

    private boolean asksForUnknown;
    private String uid = "";

    public SimulatedAutoscaler(KubernetesClient client, Dice dice) {
        this.client = client;
        this.dice = dice;
    }

    /**
     * What is asked for of a resource now, as far as it can be understood, be it of a vertex that
     * the job does not have.
     */
    public Map<String, Integer> askedOfAny(HasMetadata of) {
        boolean isOfUnknown = asksForUnknown && of.getMetadata().getUid().equals(uid);
        return asked(of)
                .with(ParallelismOverrides.of(isOfUnknown ? UNKNOWN : "").byVertex())
                .byVertex();
    }

    private ParallelismOverrides asked(HasMetadata of) {
        return of.getMetadata().getUid().equals(uid) ? asked : ParallelismOverrides.NONE;
    }

    /** Asks for another parallelism of some vertices, or of more of them. */
    public String ask(HasMetadata of) {
        Map<String, Integer> next =
                new TreeMap<>(dice.chance(60) ? asked(of).byVertex() : Map.of());
        for (String id : JobVertices.IDS) {
            if (dice.chance(60)) {
                next.put(id, 1 + dice.below(LARGEST));
            }
        }
        return store(of, ParallelismOverrides.NONE.with(next));
    }

    private String store(HasMetadata of, ParallelismOverrides next) {
        String unknown = dice.chance(20) ? UNKNOWN : "";
        return store(of, next, Map.of(OVERRIDES, next.text() + unknown));
    }

    /** Somebody writes what no autoscaler would. */
    public String writeGarbage(HasMetadata of) {
        String text = dice.pick(GARBAGE);
        if (dice.chance(30)) {
            return store(
                    of,
                    ParallelismOverrides.NONE.with(Map.of("b1", 2)),
                    Map.of(OVERRIDES, "a0:x,b1:2,:"));
        }
        return store(
                of,
                ParallelismOverrides.NONE,
                dice.chance(20) ? Map.of() : Map.of(OVERRIDES, text));
    }

    private String store(
            HasMetadata of, ParallelismOverrides understood, Map<String, String> data) {
        try {
            write(of, data);
        } catch (KubernetesClientException e) {
            return "nothing, which is refused with " + e.getCode();
        }
        uid = of.getMetadata().getUid();
        asked = understood;
        String text = Optional.ofNullable(data.get(OVERRIDES)).orElse("nothing");
        asksForUnknown = text.endsWith(UNKNOWN);
        return text.substring(0, Math.min(40, text.length()));
    }

    private void write(HasMetadata of, Map<String, String> data) {
        var map =
                new ConfigMapBuilder()
                        .withNewMetadata()
                        .withNamespace(of.getMetadata().getNamespace())
                        .withName(name(of))
                        .addToLabels("component", "autoscaler")
                        .addToLabels("app", of.getMetadata().getName())
                        .addNewOwnerReference()
                        .withApiVersion(of.getApiVersion())
                        .withKind(of.getKind())
                        .withName(of.getMetadata().getName())
                        .withUid(of.getMetadata().getUid())
                        .endOwnerReference()
                        .endMetadata()
                        .withData(data)
                        .build();
        boolean isThere =
                client.configMaps()
                                .inNamespace(of.getMetadata().getNamespace())
                                .withName(name(of))
                                .get()
                        != null;
        if (isThere) {
            client.resource(map).update();
        } else {
            client.resource(map).create();
        }
    }

    /** Its ConfigMap is deleted. */
    public void remove(HasMetadata of) {
        asked = ParallelismOverrides.NONE;
        asksForUnknown = false;
        client.configMaps()
                .inNamespace(of.getMetadata().getNamespace())
                .withName(name(of))
                .delete();
    }

    private static String name(HasMetadata of) {
        return "autoscaler-" + of.getMetadata().getName();
    }
}
