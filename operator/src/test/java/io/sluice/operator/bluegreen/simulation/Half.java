// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.deployment.simulation.FlinkProcess;
import io.sluice.operator.world.DurableStates.State;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A half of a pair: its FlinkDeployment as the API server has it, and what its Flink does. */
final class Half {
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

    Half(PairWorld world, HalfFlink flink, FlinkDeployment stored, boolean isOurs) {
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
                && one.getSpec().at("/job/state").equals(other.getSpec().at("/job/state"));
    }

    /** What tells one job from another. */
    private static String content(FlinkDeployment of) {
        return of.getSpec().at("/job/args/0").asText();
    }

    /** The API server has another version of it. */
    void sees(FlinkDeployment next) {
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
            image = flink.oracle().spec(process.launch().generation()).path("image").asText();
            base = from;
            steadySince = Optional.empty();
            pending = world.analysis().pending(image);
            if (isFirst && from.path().isEmpty()) {
                world.promises().startsFromNothing(this);
            }
            if (!isFirst && aborted.filter(it -> process.launch().generation() > it).isPresent()) {
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

    /** What runs of it has had a turn. */
    void step() {
        flink.live().forEach(it -> reaches(it.line(), it.position()));
        boolean isSteady = isSteady();
        wasSteady |= isSteady;
        steadySince = steadySince.or(() -> Optional.of(world.now()).filter(_ -> isSteady));
    }

    FlinkDeployment stored() {
        return stored;
    }

    /** Whether the operator has made it. */
    boolean isOurs() {
        return isOurs;
    }

    /** Whether it has a job that has not ended. */
    boolean isLive() {
        return flink.live().findAny().isPresent();
    }

    /** Whether its job runs as its spec says. */
    boolean isSteady() {
        return wantsToRun()
                && !isDeleting()
                && flink.live()
                        .anyMatch(it -> it.tasksUp() && it.content().equals(content(stored)));
    }

    /** Whether it was so since its spec is what it is. */
    boolean wasSteady() {
        return wasSteady;
    }

    /** Of the job that was started last. */
    String image() {
        return image;
    }

    /** How far the job was that was started last when it began. */
    long base() {
        return base.position();
    }

    /** The run from nothing that the job went back to when it began. */
    int lineOfBase() {
        return base.line();
    }

    /** The run from nothing that the job goes back to now. */
    int line() {
        return line;
    }

    /** Remembers how far it is now; a time that is named again stays the first one. */
    void note(String time) {
        positions.putIfAbsent(time, position);
    }

    /** How far it was at {@code time}, as {@link #note} has named it; 0 if it was not there. */
    long positionAt(String time) {
        return positions.getOrDefault(time, 0L);
    }

    /** How long ago it was steady first since its job was started. */
    long secondsSteady() {
        return steadySince.map(it -> Duration.between(it, world.now()).toSeconds()).orElse(0L);
    }

    String uid() {
        return stored.getMetadata().getUid();
    }

    ObjectNode spec() {
        return stored.getSpec();
    }

    boolean isDeleting() {
        return stored.getMetadata().getDeletionTimestamp() != null;
    }

    boolean wantsToRun() {
        return !spec().at("/job/state").asText("running").equals("suspended");
    }

    /** The id of the transition that made or changed it last. */
    Optional<String> mark() {
        return Optional.ofNullable(stored.getMetadata().getAnnotations())
                .flatMap(all -> Optional.ofNullable(all.get(PairWorld.MARK)));
    }

    private boolean isMarkedAborted() {
        return mark().filter(it -> it.endsWith("-aborted")).isPresent();
    }

    /** The records that wait at its sources. */
    Optional<Double> pending() {
        return pending;
    }
}
