// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.scaling;

import io.sluice.api.spec.ParallelismOverrides;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.ParallelismBounds;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The vertices of a job: within which bounds they are to be parallel, and how parallel they run.
 * One slot holds a subtask of each.
 */
public final class JobVertices {
    /** Their ids, which are the same in every job. */
    public static final List<String> IDS = List.of("a0", "b1", "c2");

    /** For so long a job runs before the adaptive scheduler gives it more slots. */
    private static final Duration COOLDOWN = Duration.ofSeconds(30);

    private static final int MOST = 128;

    /** Who decides on how many slots they run. */
    public enum Scheduler {
        DEFAULT,
        ADAPTIVE,
        REACTIVE
    }

    private final Scheduler scheduler;
    private int slots;
    private final SortedMap<String, ParallelismBounds> bounds = new TreeMap<>();
    private final SortedMap<String, Integer> running = new TreeMap<>();

    /**
     * @param overrides those that the job is submitted with: of a vertex that it lacks, they are
     *     ignored
     */
    public JobVertices(Scheduler scheduler, int parallelism, ParallelismOverrides overrides) {
        this.scheduler = scheduler;
        for (String id : IDS) {
            int wanted = overrides.byVertex().getOrDefault(id, parallelism);
            bounds.put(id, new ParallelismBounds(1, Math.min(wanted, MOST)));
        }
        run(MOST);
    }

    /** How many TaskManagers, of one slot each, a native JobManager asks for. */
    public int wanted() {
        return scheduler == Scheduler.REACTIVE ? 1 : most();
    }

    private int most() {
        return bounds.values().stream().mapToInt(ParallelismBounds::upper).max().orElseThrow();
    }

    /** How many slots they can't begin to run without. */
    public int least() {
        return switch (scheduler) {
            case DEFAULT -> most();
            case ADAPTIVE ->
                    bounds.values().stream().mapToInt(ParallelismBounds::lower).max().orElseThrow();
            case REACTIVE -> 1;
        };
    }

    /** How many slots they can't go on without. */
    public int needed() {
        return switch (scheduler) {
            case DEFAULT -> most();
            case ADAPTIVE -> running.values().stream().max(Integer::compare).orElseThrow();
            case REACTIVE -> slots;
        };
    }

    private static int within(ParallelismBounds bounds, int slots) {
        return Math.min(bounds.upper(), slots);
    }

    /** They begin to run on so many slots. */
    public void run(int slots) {
        this.slots = slots;
        bounds.forEach((id, each) -> running.put(id, within(each, slots)));
    }

    /**
     * Whether Flink runs them anew on so many slots: on fewer at once, on more once they have run
     * for a while.
     */
    public boolean areToBeRescaled(int slots, Duration sinceStart) {
        return switch (scheduler) {
            case DEFAULT -> false;
            case ADAPTIVE ->
                    slots >= least()
                            && !areFit(slots)
                            && (!wouldGrow(slots) || sinceStart.compareTo(COOLDOWN) > 0);
            case REACTIVE -> slots > this.slots;
        };
    }

    private boolean areFit(int slots) {
        return bounds.entrySet().stream()
                .allMatch(each -> running.get(each.getKey()) == within(each.getValue(), slots));
    }

    private boolean wouldGrow(int slots) {
        return bounds.entrySet().stream()
                .anyMatch(each -> running.get(each.getKey()) < within(each.getValue(), slots));
    }

    /** How parallel they run, by id. */
    public SortedMap<String, Integer> running() {
        return Collections.unmodifiableSortedMap(running);
    }

    public SortedMap<String, ParallelismBounds> bounds() {
        return Collections.unmodifiableSortedMap(bounds);
    }

    /** Other bounds are wanted, which are not refused. */
    public void change(Map<String, ParallelismBounds> asked) {
        bounds.putAll(asked);
    }

    /** What Flink answers that refuses other bounds; empty if it takes them. */
    public Optional<String> refusal(Map<String, ParallelismBounds> asked) {
        if (!asked.keySet().containsAll(IDS)) {
            return Optional.of("The request is incomplete, missing job vertex");
        }
        if (!IDS.containsAll(asked.keySet())) {
            return Optional.of("was not found in the JobGraph");
        }
        return asked.values().stream().anyMatch(each -> each.upper() > MOST)
                ? Optional.of("exceeds its maximum parallelism " + MOST)
                : Optional.empty();
    }

    public List<JobVertex> told(String state) {
        return IDS.stream()
                .map(id -> new JobVertex(id, "vertex " + id, running.get(id), MOST, state))
                .toList();
    }

    @Override
    public String toString() {
        return running + " in " + bounds.values();
    }
}
