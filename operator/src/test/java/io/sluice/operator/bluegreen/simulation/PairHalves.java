// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.operator.deployment.simulation.FlinkLaunch;
import io.sluice.operator.deployment.simulation.FlinkProcess;
import io.sluice.operator.deployment.simulation.SimulatedNode;
import io.sluice.operator.world.DurableStates;
import java.net.URI;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What runs of the halves, on one node, and what it has written. */
final class PairHalves {
    private static final String VERSION = ":1.20.5";

    private final DurableStates states = new DurableStates();
    private final SimulatedNode<FlinkProcess> node;
    private final Map<HalfColor, HalfFlink> flinks = new EnumMap<>(HalfColor.class);
    private int lines;

    PairHalves(PairWorld world) {
        node = new SimulatedNode<>(world, this::start);
        for (HalfColor color : HalfColor.values()) {
            flinks.put(color, new HalfFlink(world, this, color.nameIn(PairWorld.NAME)));
        }
    }

    /** Has a half run what is named; nobody can pull the image of one that never comes up. */
    static void use(ObjectNode half, String name) {
        half.put("image", image(name));
        half.withObject("/job").putArray("args").add(name.replace("broken", "bad"));
    }

    static String image(String name) {
        return name + VERSION + (name.startsWith("bad") ? "-typo" : "");
    }

    /** What makes its job one that is highly available and completes checkpoints. */
    static void keepState(ObjectNode options) {
        options.put("high-availability.type", "kubernetes")
                .put("high-availability.storageDir", "s3://h")
                .put("execution.checkpointing.interval", "10 s")
                .put("kubernetes.operator.savepoint.dispose-on-delete", "true")
                .put(
                        "execution.checkpointing.externalized-checkpoint-retention",
                        "RETAIN_ON_CANCELLATION");
    }

    private FlinkProcess start(FlinkLaunch launch) {
        return new FlinkProcess(
                flinks.values().stream()
                        .filter(it -> it.isOf(launch.cluster()))
                        .findFirst()
                        .orElseThrow(),
                launch);
    }

    SimulatedNode<FlinkProcess> node() {
        return node;
    }

    DurableStates states() {
        return states;
    }

    int newLine() {
        return ++lines;
    }

    HalfFlink flink(HalfColor color) {
        return flinks.get(color);
    }

    /** What runs of the FlinkDeployment of that name. */
    HalfFlink flink(FlinkDeployment resource) {
        return flink(PairWorld.color(resource));
    }

    List<String> names() {
        return Arrays.stream(HalfColor.values())
                .map(color -> color.nameIn(PairWorld.NAME))
                .toList();
    }

    /** The last half of each name, which need not be there any more. */
    Stream<Half> last() {
        return flinks.values().stream().flatMap(it -> it.half().stream());
    }

    private Optional<HalfFlink> at(URI address) {
        return Arrays.stream(HalfColor.values())
                .filter(color -> address.toString().contains(color.nameIn(PairWorld.NAME)))
                .findFirst()
                .map(this::flink);
    }

    /** Whoever answers at the address. */
    Optional<FlinkProcess> answering(URI at, boolean isLate) {
        return at(at).flatMap(it -> it.answering(isLate));
    }

    /** The half of which the JobManager is at the address. */
    Optional<Half> half(URI at) {
        return at(at).flatMap(HalfFlink::half);
    }

    /** The controllers of Kubernetes, the node and Flink take a turn. */
    void step() {
        node.step();
        flinks.values().forEach(HalfFlink::look);
    }

    /** Where savepoints are. */
    List<String> savepoints() {
        return states.paths().stream().filter(it -> it.startsWith("s3://s/")).toList();
    }
}
