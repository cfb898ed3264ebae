// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.operator.bluegreen.decide.HalfView;
import io.sluice.operator.bluegreen.decide.HalfView.Condition;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A FlinkDeployment of a simulated pair and its job. Its own operator is without flaws: a job is
 * stopped with its state, restored from it, and never started from nothing if it has some.
 */
final class SimulatedHalf {
    /** What the job of a half does. */
    enum Job {
        NONE,
        STARTING,
        RUNNING,
        RESTARTING,
        STOPPING,
        SUSPENDED,
        FAILED
    }

    private final SimulatedPair pair;
    private final String uid;
    private final boolean isOurs;
    private ObjectNode spec;
    private Optional<String> mark;
    private long generation = 1;
    private long observed;
    private boolean deleting;
    private Job job = Job.NONE;
    private int attempt;
    private boolean hasRun;
    private boolean wasSteady;
    private boolean wasAborted;
    private String image = "";
    private long position;
    private long base;
    private long restarts;
    private Optional<Double> pending = Optional.empty();
    private Optional<Instant> steadySince = Optional.empty();

    /** How far it was at each time that a half which goes on from it may be measured by. */
    private final Map<String, Long> positions = new HashMap<>();

    private Optional<String> lastState = Optional.empty();

    SimulatedHalf(
            SimulatedPair pair,
            String uid,
            boolean isOurs,
            ObjectNode spec,
            Optional<String> mark) {
        this.pair = pair;
        this.uid = uid;
        this.isOurs = isOurs;
        this.spec = spec;
        this.mark = mark;
    }

    String uid() {
        return uid;
    }

    boolean isOurs() {
        return isOurs;
    }

    boolean isDeleting() {
        return deleting;
    }

    boolean isLive() {
        return switch (job) {
            case STARTING, RUNNING, RESTARTING, STOPPING -> true;
            case NONE, SUSPENDED, FAILED -> false;
        };
    }

    boolean isSteady() {
        return observed == generation && job == Job.RUNNING && wantsToRun() && !deleting;
    }

    boolean wantsToRun() {
        return !spec.at("/job/state").asText("running").equals("suspended");
    }

    boolean wasSteady() {
        return wasSteady;
    }

    String image() {
        return image;
    }

    ObjectNode spec() {
        return spec;
    }

    long base() {
        return base;
    }

    long position() {
        return position;
    }

    /** How far it was at {@code time}, as {@link #note} has named it; 0 if it was not there. */
    long positionAt(String time) {
        return positions.getOrDefault(time, 0L);
    }

    /** Of its job since it was started. */
    long restarts() {
        return restarts;
    }

    /** The records that wait at its sources. */
    Optional<Double> pending() {
        return pending;
    }

    /** How long ago it was steady first since its job was started. */
    long secondsSteady() {
        return steadySince.map(it -> Duration.between(it, pair.now()).toSeconds()).orElse(0L);
    }

    /** What it is resumed from. */
    Optional<String> lastState() {
        return lastState;
    }

    Optional<String> mark() {
        return mark;
    }

    String jobId() {
        return uid + "-" + attempt;
    }

    /** Remembers how far it is now; a time that is named again stays the first one. */
    void note(String time) {
        positions.putIfAbsent(time, position);
    }

    void delete() {
        deleting = true;
    }

    void apply(ObjectNode next, String with) {
        mark = Optional.of(with);
        if (!next.equals(spec)) {
            spec = next;
            generation++;
            wasSteady = false;
        }
    }

    /** Whether nothing is left of it. */
    boolean isGone() {
        return deleting && !isLive();
    }

    /** Its own operator and Flink take a turn. */
    void step() {
        if (isLive() && job != Job.STARTING) {
            position = Math.max(position, pair.seconds());
        }
        if (deleting) {
            job = job == Job.STOPPING || !isLive() ? Job.NONE : Job.STOPPING;
        } else if (job == Job.STOPPING) {
            stopped();
        } else if (observed < generation) {
            reconcile();
        } else {
            go();
        }
        wasSteady |= isSteady();
        steadySince = steadySince.or(() -> Optional.of(pair.now()).filter(_ -> isSteady()));
    }

    private void reconcile() {
        observed = generation;
        String next = spec.path("image").asText();
        if (!wantsToRun()) {
            if (isLive()) {
                job = Job.STOPPING;
            } else if (job == Job.NONE || job == Job.FAILED) {
                lastState = state();
                job = Job.SUSPENDED;
            }
        } else if (job == Job.NONE) {
            first();
        } else if (job == Job.SUSPENDED) {
            resume();
        } else if (!next.equals(image)) {
            start(keepsState() ? position : 0);
        }
    }

    private void first() {
        String path = spec.at("/job/initialSavepointPath").asText("");
        if (path.isEmpty()) {
            pair.startsFromNothing(this);
            start(0);
        } else {
            startFrom(path);
        }
    }

    private void startFrom(String path) {
        if (pair.snapshots().isDisposed(path)) {
            pair.violated("a half starts from " + path + ", which is disposed of");
        }
        start(pair.positionOf(path));
    }

    private void resume() {
        if (mark.filter(it -> it.endsWith("-aborted")).isPresent() || wasAborted) {
            pair.violated("an aborted half goes on from its own state");
        }
        if (lastState.isPresent()) {
            startFrom(lastState.get());
        } else if (keepsState() && hasRun) {
            job = Job.FAILED;
        } else {
            first();
        }
    }

    /** Where the state is that it was stopped with, or is yet to start from. */
    private Optional<String> state() {
        return keepsState() && (hasRun || base > 0)
                ? Optional.of(pair.stored(position))
                : Optional.empty();
    }

    private void stopped() {
        wasAborted |= mark.filter(it -> it.endsWith("-aborted")).isPresent();
        lastState = state();
        lastState.ifPresent(path -> pair.stopped(uid + "-savepoint-" + generation, path));
        observed = generation;
        job = Job.SUSPENDED;
        if (wantsToRun()) {
            resume();
        }
    }

    private void start(long from) {
        attempt++;
        image = spec.path("image").asText();
        base = from;
        position = from;
        positions.replaceAll((_, before) -> Math.min(before, from));
        restarts = 0;
        steadySince = Optional.empty();
        pending = pair.pending(image);
        job = Job.STARTING;
    }

    private void go() {
        switch (job) {
            case STARTING -> {
                if (image.startsWith("broken")) {
                    job = Job.FAILED;
                } else if (!image.startsWith("bad")
                        && !pair.lacksRoom(this)
                        && pair.dice().chance(60)) {
                    job = Job.RUNNING;
                    hasRun = true;
                }
            }
            case RUNNING -> {
                if (pair.faults().strikes(10)) {
                    job = Job.RESTARTING;
                    restarts++;
                    pair.losesTriggers(jobId());
                }
            }
            case RESTARTING -> job = Job.RUNNING;
            case NONE, STOPPING, SUSPENDED, FAILED -> {}
        }
    }

    private boolean keepsState() {
        return !spec.at("/job/upgradeMode").asText("").equals("stateless");
    }

    /** As the operator of the pair sees it. */
    HalfView view(Set<PairFlaws> flaws) {
        if (!isOurs && !flaws.contains(PairFlaws.FOREIGN_IS_OURS)) {
            return new HalfView.Foreign(uid);
        }
        if (deleting) {
            return flaws.contains(PairFlaws.END_NOT_AWAITED)
                    ? new HalfView.Absent()
                    : new HalfView.Leaving(uid);
        }
        return new HalfView.Half(
                uid,
                condition(flaws),
                job.name(),
                mark,
                wantsToRun(),
                hasRun,
                attempt == 0 ? Optional.empty() : Optional.of(jobId()),
                isLive() ? Optional.of(URI.create("http://" + uid)) : Optional.empty(),
                flaws.contains(PairFlaws.STOP_NOT_AWAITED) && !wantsToRun()
                        ? lastState.or(() -> Optional.of(pair.stored(position)))
                        : lastState,
                spec);
    }

    private Condition condition(Set<PairFlaws> flaws) {
        if (observed < generation) {
            return flaws.contains(PairFlaws.STOP_NOT_AWAITED) && !wantsToRun()
                    ? Condition.SUSPENDED
                    : Condition.WORKING;
        }
        return switch (job) {
            case RUNNING -> wantsToRun() ? Condition.STEADY : Condition.WORKING;
            case FAILED -> Condition.BROKEN;
            case SUSPENDED -> wantsToRun() ? Condition.WORKING : Condition.SUSPENDED;
            case STARTING ->
                    flaws.contains(PairFlaws.WORKING_IS_STEADY)
                            ? Condition.STEADY
                            : Condition.WORKING;
            case STOPPING ->
                    flaws.contains(PairFlaws.STOP_NOT_AWAITED) && !wantsToRun()
                            ? Condition.SUSPENDED
                            : Condition.WORKING;
            case NONE, RESTARTING -> Condition.WORKING;
        };
    }
}
