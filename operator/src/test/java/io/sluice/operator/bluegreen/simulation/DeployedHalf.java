// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import io.sluice.api.FlinkDeployment;
import io.sluice.operator.deployment.simulation.FlinkProcess;
import io.sluice.operator.world.DurableStates.State;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A half that the operator of FlinkDeployments deploys, by what its Flink does. */
final class DeployedHalf implements Half {
    private final PairWorld world;
    private final HalfFlink flink;
    private final boolean isOurs;
    private FlinkDeployment stored;

    /** The uid of the Deployment that has started its job last. */
    private String deployment = "";

    private String image = "";
    private State base = new State("", 0, 0);
    private int line;
    private long position;
    private boolean wasSteady;
    private Optional<Instant> steadySince = Optional.empty();
    private Optional<Double> pending = Optional.empty();

    /** The generation in which it was marked as aborted. */
    private Optional<Long> aborted = Optional.empty();

    /** How far it was at each time that a half which goes on from it may be measured by. */
    private final Map<String, Long> positions = new HashMap<>();

    DeployedHalf(PairWorld world, HalfFlink flink, FlinkDeployment stored, boolean isOurs) {
        this.world = world;
        this.flink = flink;
        this.stored = stored;
        this.isOurs = isOurs;
        wrote();
    }

    private void wrote() {
        flink.oracle().wrote(stored.getMetadata().getGeneration(), spec());
        if (isDeleting()) {
            flink.oracle().deleted();
        }
        if (isMarkedAborted()) {
            aborted = aborted.or(() -> Optional.of(stored.getMetadata().getGeneration()));
        }
    }

    private static boolean isSameJob(FlinkDeployment one, FlinkDeployment other) {
        return content(one).equals(content(other))
                && one.getSpec()
                        .at("/job/state")
                        .equals(other.getSpec().at("/job/state"));
    }

    /** What tells one job from another. */
    private static String content(FlinkDeployment of) {
        return of.getSpec().at("/job/args/0").asText();
    }

    @Override
    public void sees(FlinkDeployment next) {
        wasSteady &= isSameJob(stored, next);
        stored = next;
        wrote();
    }

    /** A process begins its job. */
    void began(FlinkProcess process) {
        State from = process.restored();
        if (!process.launch().deployment().equals(deployment)) {
            boolean isFirst = deployment.isEmpty();
            deployment = process.launch().deployment();
            image =
                    flink.oracle().spec(process.launch().generation()).path("image").asText();
            base = from;
            steadySince = Optional.empty();
            pending = world.analysis().pending(image);
            if (isFirst && from.path().isEmpty()) {
                world.promises().startsFromNothing(this);
            }
            if (!isFirst
                    && aborted.filter(it -> process.launch().generation() > it).isPresent()) {
                world.violated("an aborted half goes on from its own state");
            }
        }
        reaches(from.line(), from.position());
    }

    private void reaches(int line, long position) {
        if (line != this.line || position < this.position) {
            positions.replaceAll((_, before) -> Math.min(before, position));
        }
        this.line = line;
        this.position = position;
    }

    @Override
    public void step() {
        flink.live().forEach(it -> reaches(it.line(), it.position()));
        boolean isSteady = isSteady();
        wasSteady |= isSteady;
        steadySince = steadySince.or(() -> Optional.of(world.now()).filter(_ -> isSteady));
    }

    @Override
    public FlinkDeployment stored() {
        return stored;
    }

    @Override
    public boolean isOurs() {
        return isOurs;
    }

    @Override
    public boolean isLive() {
        return flink.live().findAny().isPresent();
    }

    @Override
    public boolean isSteady() {
        return wantsToRun()
                && !isDeleting()
                && flink.live()
                        .anyMatch(it -> it.tasksUp() && it.content().equals(content(stored)));
    }

    @Override
    public boolean wasSteady() {
        return wasSteady;
    }

    @Override
    public String image() {
        return image;
    }

    @Override
    public long base() {
        return base.position();
    }

    @Override
    public int lineOfBase() {
        return base.line();
    }

    @Override
    public int line() {
        return line;
    }

    @Override
    public void note(String time) {
        positions.putIfAbsent(time, position);
    }

    @Override
    public long positionAt(String time) {
        return positions.getOrDefault(time, 0L);
    }

    @Override
    public long secondsSteady() {
        return steadySince.map(it -> Duration.between(it, world.now()).toSeconds()).orElse(0L);
    }

    /** The records that wait at its sources. */
    Optional<Double> pending() {
        return pending;
    }
}
