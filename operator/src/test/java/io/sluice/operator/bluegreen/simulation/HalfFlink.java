// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.deployment.simulation.FlinkLaunch;
import io.sluice.operator.deployment.simulation.FlinkProcess;
import io.sluice.operator.deployment.simulation.SavepointRequests;
import io.sluice.operator.deployment.simulation.SavepointRequests.Request;
import io.sluice.operator.deployment.simulation.SimulatedNode;
import io.sluice.operator.deployment.simulation.StateOracle;
import io.sluice.operator.deployment.simulation.habits.PodTroubles;
import io.sluice.operator.world.DurableStates;
import io.sluice.operator.world.DurableStates.State;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import io.sluice.testkit.sim.Dice;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * What runs of the FlinkDeployments of one name, one after the other, and what must hold of them
 * whoever has made them.
 */
final class HalfFlink implements FlinkProcess.World {
    private final PairWorld world;
    private final PairHalves halves;
    private final String name;
    private final StateOracle oracle;
    private final Set<Integer> seen = new HashSet<>();
    private final Set<String> results = new HashSet<>();
    private Optional<Half> half = Optional.empty();

    HalfFlink(PairWorld world, PairHalves halves, String name) {
        this.world = world;
        this.halves = halves;
        this.name = name;
        oracle = new StateOracle(halves.states());
    }

    boolean isOf(String cluster) {
        return name.equals(cluster);
    }

    /** There is a FlinkDeployment of the name. */
    Half begins(FlinkDeployment stored, boolean isOurs) {
        oracle.begins();
        var made = new Half(world, this, stored, isOurs);
        half = Optional.of(made);
        return made;
    }

    /** The last one of them. */
    Optional<Half> half() {
        return half;
    }

    /** All processes of its JobManagers. */
    Stream<FlinkProcess> processes() {
        return halves.node().processes().filter(it -> it.launch().cluster().equals(name));
    }

    Stream<FlinkProcess> live() {
        return processes().filter(FlinkProcess::isLive);
    }

    Optional<FlinkProcess> answering(boolean isLate) {
        return halves.node().answering(name, isLate);
    }

    /** What an operator has stored is of this run. */
    void sees(int line) {
        seen.add(line);
    }

    /** At no time may two jobs run for one resource. */
    void look() {
        List<FlinkProcess> live = live().toList();
        if (live.stream().map(it -> it.launch().deployment()).distinct().count() > 1) {
            oracle.violated("two jobs run for one resource: " + live);
        }
        oracle.violation().ifPresent(it -> world.violated(name + ": " + it));
    }

    @Override
    public void began(FlinkProcess process) {
        half.ifPresent(it -> it.began(process));
    }

    @Override
    public void startsFromNowhere(FlinkLaunch launch, String path) {
        world.violated("a half starts from " + path + ", where nothing is");
    }

    @Override
    public void saved(FlinkProcess process, Request asked, String path) {
        if (asked.kind() == SavepointRequests.Kind.SAVEPOINT) {
            world.snapshots().made(process.jobId(), asked.triggerId(), path);
        }
    }

    @Override
    public void ended(FlinkProcess process) {
        world.snapshots().forgotten(process.jobId());
    }

    @Override
    public void secondStop() {
        if (!world.processes().hasStoodStill()) {
            oracle.violated("a second stop under another name ends the first");
        }
    }

    @Override
    public boolean hasSeen(int line) {
        return seen.contains(line);
    }

    @Override
    public boolean wasUnseen() {
        return oracle.best().filter(state -> !hasSeen(state.line())).isPresent();
    }

    @Override
    public boolean hasResult(String path) {
        return results.contains(path);
    }

    @Override
    public void keepResult(String path) {
        results.add(path);
    }

    @Override
    public SimulatedNode<FlinkProcess> node() {
        return halves.node();
    }

    @Override
    public DurableStates states() {
        return halves.states();
    }

    @Override
    public StateOracle oracle() {
        return oracle;
    }

    @Override
    public Instant flinksNow() {
        return world.now();
    }

    @Override
    public int newLine() {
        return halves.newLine();
    }

    @Override
    public State writes(String path, int line, long position) {
        return halves.states().write(path, line, position);
    }

    @Override
    public <T> T quietly(Supplier<T> look) {
        return world.quietly(look);
    }

    @Override
    public String newName() {
        return world.newName();
    }

    @Override
    public PodTroubles troubles() {
        return world.troubles();
    }

    @Override
    public InMemoryApiServer api() {
        return world.api();
    }

    @Override
    public KubernetesClient client() {
        return world.client();
    }

    @Override
    public String namespace() {
        return world.namespace();
    }

    @Override
    public Instant now() {
        return world.now();
    }

    @Override
    public Dice dice() {
        return world.dice();
    }

    @Override
    public boolean strikes(int percent) {
        return world.strikes(percent);
    }

    @Override
    public void trace(String line) {
        world.trace(name + ": " + line);
    }
}
