// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * A session cluster with the jobs of one resource, and what is known of it: its process may restart
 * or be replaced at any time, keeps jars on its own disk, and runs a {@code main()} to its end even
 * if nobody waits for the answer any more.
 */
public final class SessionCluster {
    /**
     * The cluster as its resource reports it; read late by whoever watches.
     *
     * @param beingReplaced whether it waits for its jobs to leave, to be replaced then, or is being
     *     replaced
     */
    public record View(boolean ready, boolean beingReplaced) {}

    /** What it says to a request to run a jar. */
    public enum Answer {
        SUBMITTED,
        KNOWN_ALREADY,
        NO_SUCH_JAR
    }

    /** A real one lists a job as soon as it has accepted it. */
    private static final Duration LISTED = Duration.ofSeconds(15);

    /** The longest that a {@code main()} takes; ADR 12 says what comes of one that takes longer. */
    private static final Duration MAIN = Duration.ofSeconds(90);

    private final Environment environment;
    private final FlinkStorage storage = new FlinkStorage();
    private final boolean highlyAvailable;
    private final History<View> view = new History<>(new View(true, false));
    private final Set<String> jars = new HashSet<>();
    private final Map<String, Instant> accepted = new HashMap<>();
    private final Map<String, Instant> asked = new HashMap<>();
    private final Map<String, Launch> coming = new LinkedHashMap<>();
    private Map<String, FlinkProcess> jobs = new LinkedHashMap<>();
    private Optional<String> doubleRun = Optional.empty();
    private int uploads;

    /**
     * @param highlyAvailable whether its jobs come back after its process was lost
     */
    public SessionCluster(Environment environment, boolean highlyAvailable) {
        this.environment = environment;
        this.highlyAvailable = highlyAvailable;
    }

    public History<View> view() {
        return view;
    }

    public boolean isHighlyAvailable() {
        return highlyAvailable;
    }

    public FlinkStorage storage() {
        return storage;
    }

    /** Set once two jobs have run at the same time, and never cleared. */
    public Optional<String> doubleRun() {
        return doubleRun;
    }

    public boolean answers() {
        return view.latest().ready();
    }

    /** A job it lists. */
    public Optional<FlinkProcess> job(String id) {
        return Optional.ofNullable(jobs.get(id)).filter(job -> job.state().isPresent());
    }

    /** Jobs that run or are about to. */
    public List<String> live() {
        return jobs.entrySet().stream()
                .filter(entry -> !entry.getValue().hasEnded())
                .filter(entry -> !entry.getValue().comesTooLate())
                .map(Map.Entry::getKey)
                .toList();
    }

    /** Jars on its disk. */
    public int jarCount() {
        return jars.size();
    }

    public String upload() {
        String id = "jar-" + ++uploads;
        jars.add(id);
        return id;
    }

    public void deleteJar(String id) {
        jars.remove(id);
    }

    /** Runs the jar, unless the id is known; Flink 2 knows it for as long as the process lives. */
    public Answer run(String jar, Launch launch) {
        if (!jars.contains(jar)) {
            return Answer.NO_SUCH_JAR;
        }
        if (jobs.containsKey(launch.jobId())) {
            return Answer.KNOWN_ALREADY;
        }
        start(launch);
        return Answer.SUBMITTED;
    }

    /**
     * Whether the job was submitted, listed or not, or a {@code main()} is at work that will submit
     * it; or whether it has ended, and its result was kept.
     */
    public boolean knows(Launch launch) {
        return jobs.containsKey(launch.jobId())
                || coming.containsKey(launch.jobId())
                || storage.hasEnded(launch);
    }

    /** The same, but its {@code main()} takes its time, and nobody hears the answer. */
    public void runLater(String jar, Launch launch) {
        if (jars.contains(jar) && !coming.containsKey(launch.jobId())) {
            asked.put(launch.jobId(), environment.clock().instant());
            coming.put(launch.jobId(), launch);
        }
    }

    private void start(Launch launch) {
        accepted.put(launch.jobId(), environment.clock().instant());
        jobs.put(
                launch.jobId(),
                new FlinkProcess(environment, storage, launch, false, Optional.empty()));
    }

    /** The job ends by itself. */
    public void endJobs(String state) {
        jobs.values().forEach(job -> job.end(state));
    }

    /** Its process dies and starts again at once. */
    public void restart() {
        if (answers()) {
            die();
        }
    }

    /** It is gone for a while, with its Deployment. */
    public void goAway() {
        if (answers()) {
            die();
            view.add(new View(false, false));
        }
    }

    /** Its spec has changed: it is to be replaced once nothing is lost by that. */
    public void announceReplacement() {
        if (answers()) {
            view.add(new View(true, true));
        }
    }

    /** What it had to run is listed with the first answer of the next process, as by a real one. */
    private void die() {
        Instant now = environment.clock().instant();
        Map<String, FlinkProcess> recovered = new LinkedHashMap<>();
        if (highlyAvailable) {
            jobs.forEach(
                    (id, job) -> {
                        if (!job.hasEnded()) {
                            var again =
                                    new FlinkProcess(
                                            environment,
                                            storage,
                                            job.launch(),
                                            false,
                                            job.lastThatRan());
                            again.advance(now);
                            recovered.put(id, again);
                        }
                    });
        }
        jobs = recovered;
        jars.clear();
        coming.clear();
    }

    /**
     * Time passes.
     *
     * @param keepsState whether the resource's job has to take its state along
     */
    public void tick(boolean keepsState) {
        View now = view.latest();
        if (!now.ready()) {
            if (environment.dice().chance(40)) {
                view.add(new View(true, false));
            }
            return;
        }
        if (now.beingReplaced() && (highlyAvailable || !keepsState || listed().isEmpty())) {
            die();
            view.add(new View(false, true));
            return;
        }
        new LinkedHashMap<>(coming)
                .forEach(
                        (id, launch) -> {
                            if (environment.dice().chance(50) || isOver(asked, id, MAIN)) {
                                coming.remove(id);
                                if (!jobs.containsKey(id)) {
                                    start(launch);
                                }
                            }
                        });
        Instant time = environment.clock().instant();
        for (FlinkProcess job : List.copyOf(jobs.values())) {
            boolean overdue = job.state().isEmpty() && isOver(accepted, job.jobId(), LISTED);
            if (environment.dice().chance(60) || overdue) {
                job.advance(time);
            }
        }
        check();
    }

    private boolean isOver(Map<String, Instant> since, String id, Duration limit) {
        Instant now = environment.clock().instant();
        return !now.isBefore(since.getOrDefault(id, now).plus(limit));
    }

    private Set<String> listed() {
        return jobs.entrySet().stream()
                .filter(entry -> entry.getValue().isLive())
                .map(Map.Entry::getKey)
                .collect(Collectors.toSet());
    }

    private void check() {
        Set<String> running = listed();
        if (running.size() > 1 && doubleRun.isEmpty()) {
            doubleRun = Optional.of("two jobs run for one resource: " + running);
        }
    }

    @Override
    public String toString() {
        return view.latest() + " " + jobs + " coming " + coming.keySet() + " " + storage;
    }
}
