// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.testkit.sim.Dice;

/**
 * Chooses what kind of cluster a resource asks for: native or standalone, which Flink, how large;
 * and whether its user changes that. All of it is thrown beside the other dice.
 */
final class ClusterDice {
    private static final String OLDER = "v1_20";
    private static final String NEWER = "v2_3";
    private static final String SCHEDULER_MODE = "scheduler-mode";
    private static final int LARGEST = 3;

    private final Dice dice;
    private final boolean changesVersion;
    private final boolean changesSize;
    private final boolean losesNodes;

    ClusterDice(Dice dice) {
        this.dice = dice;
        changesVersion = dice.chance(40);
        changesSize = dice.chance(50);
        losesNodes = dice.chance(30);
    }

    /** Fills in a new spec. */
    void choose(ObjectNode spec) {
        version(spec, dice.chance(30) ? NEWER : OLDER);
        spec.withObject("/flinkConfiguration")
                .put("kubernetes.operator.deployment.pull-image-first", "false");
        if (dice.chance(30)) {
            spec.put("mode", "standalone");
            if (dice.chance(40)) {
                spec.withObject("/flinkConfiguration").put(SCHEDULER_MODE, "reactive");
            }
        }
        if (changesSize) {
            resize(spec);
        }
    }

    boolean changesVersion() {
        return changesVersion && dice.chance(1);
    }

    boolean changesSize() {
        return changesSize && dice.chance(4);
    }

    /** Whether somebody deletes the pod of a TaskManager now. */
    boolean endsTaskManager(JsonNode spec) {
        return spec.has("mode") && dice.chance(1);
    }

    boolean losesNode() {
        return losesNodes && dice.chance(2);
    }

    Dice dice() {
        return dice;
    }

    /** Mostly upward. */
    void changeVersion(ObjectNode spec) {
        boolean isOlder = spec.path("flinkVersion").asText().equals(OLDER);
        if (isOlder || dice.chance(40)) {
            version(spec, isOlder ? NEWER : OLDER);
        }
    }

    /** The image is that of the version that the spec names. */
    static void useImage(ObjectNode spec) {
        version(spec, spec.path("flinkVersion").asText());
    }

    private static void version(ObjectNode spec, String version) {
        spec.put("flinkVersion", version)
                .put("image", "flink:" + (version.equals(OLDER) ? "1.20.5" : "2.3.0"));
    }

    /** Which Flink the spec asks for. */
    static String version(JsonNode spec) {
        return spec.path("image").asText().replace("flink:", "");
    }

    void resize(ObjectNode spec) {
        if (dice.chance(50)) {
            spec.withObject("/job").put("parallelism", 1 + dice.below(LARGEST));
        } else if (dice.chance(70)) {
            spec.withObject("/taskManager").put("replicas", 1 + dice.below(LARGEST));
        } else {
            spec.withObject("/taskManager").remove("replicas");
        }
    }

    /** How many TaskManagers, of one slot each, the spec asks for; so parallel is the job. */
    static int size(JsonNode spec) {
        return spec.at("/taskManager/replicas").asInt(spec.at("/job/parallelism").asInt());
    }
}
