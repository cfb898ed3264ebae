// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.sim;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A native application cluster as Kubernetes runs it: a Deployment, its pods, and a Flink process
 * in each JobManager's.
 */
public final class Cluster {
    /** One state of everything there is; read late by whoever watches. */
    public record Objects(Optional<JobManagerDeployment> deployment, List<SimulatedPod> pods) {
        public Objects {
            pods = List.copyOf(pods);
        }

        public boolean isEmpty() {
            return deployment.isEmpty() && pods.isEmpty();
        }
    }

    /**
     * The JobManager's Deployment.
     *
     * @param launch what its {@code main()} is told
     * @param content what was rendered into it, so that a test can tell specs apart
     * @param isMarked whether it carries the annotation of one that is being removed
     * @param isScaledDown whether it has no replicas
     */
    @RecordBuilder
    public record JobManagerDeployment(
            String uid,
            Launch launch,
            long generation,
            String content,
            boolean terminating,
            boolean everAvailable,
            boolean isMarked,
            boolean isScaledDown)
            implements ClusterJobManagerDeploymentBuilder.With {
        public String attempt() {
            return launch.attempt();
        }

        private JobManagerDeployment with(boolean nowTerminating, boolean nowAvailable) {
            return with().terminating(terminating || nowTerminating)
                    .everAvailable(everAvailable || nowAvailable)
                    .build();
        }

        private JobManagerDeployment scaled(boolean down, boolean marks) {
            return with().isMarked(isMarked || marks).isScaledDown(down).build();
        }
    }

    /** What a job is made of that never gets its tasks up. */
    public static final String BAD = "bad-";

    private final Environment environment;
    private final History<Objects> objects =
            new History<>(new Objects(Optional.empty(), List.of()));
    private final FlinkStorage storage = new FlinkStorage();
    private final Map<String, FlinkProcess> processes = new HashMap<>();
    private final Map<String, FlinkProcess> started = new HashMap<>();
    private final Hang hang;
    private Optional<JobManagerDeployment> latest = Optional.empty();
    private boolean latestTaken;
    private int names;
    private int starts;
    private Optional<String> doubleRun = Optional.empty();

    Cluster(Environment environment) {
        this.environment = environment;
        hang = new Hang(environment.dice());
    }

    public History<Objects> objects() {
        return objects;
    }

    /** What outlives the cluster. */
    public FlinkStorage storage() {
        return storage;
    }

    /** How many clusters were ever created. */
    public int starts() {
        return starts;
    }

    /** Set once two jobs have run at the same time, and never cleared. */
    public Optional<String> doubleRun() {
        return doubleRun;
    }

    /**
     * How the last Deployment's job came to its end, if it did so by itself and nobody but the
     * operator has removed it since.
     *
     * @param generation of the resource, when the Deployment was made
     * @param content what was rendered into it
     */
    public record Former(long generation, String content, String end, Instant at) {}

    /** A new resource: what was before is another's. */
    void begin() {
        storage.begin();
        latestTaken = true;
    }

    /** See {@link Former}. */
    public Optional<Former> former() {
        return latest.filter(_ -> !latestTaken)
                .flatMap(
                        deployment ->
                                Optional.ofNullable(started.get(deployment.uid()))
                                        .flatMap(process -> former(deployment, process)));
    }

    private static Optional<Former> former(JobManagerDeployment deployment, FlinkProcess process) {
        return process.endedByItself()
                .map(
                        end ->
                                new Former(
                                        deployment.generation(),
                                        deployment.content(),
                                        end,
                                        process.endTime().orElseThrow()));
    }

    /** The job runs on and does not get on: it restarts all the time. */
    public void fallIll() {
        answering().ifPresent(FlinkProcess::fallIll);
    }

    /** Creates the Deployment; refused while one stands, whatever it is. */
    public World.Written create(Launch launch, long generation, String content) {
        if (now().deployment().isPresent()) {
            return World.Written.CONFLICT;
        }
        starts++;
        change(
                Optional.of(
                        new JobManagerDeployment(
                                "deployment-" + ++names,
                                launch,
                                generation,
                                content,
                                false,
                                false,
                                false,
                                false)),
                now().pods());
        latest = now().deployment();
        latestTaken = false;
        return World.Written.DONE;
    }

    /**
     * Deletes the Deployment of that uid in the foreground: it stays until its pods are gone.
     * Another one is left alone.
     */
    public World.Written delete(String uid) {
        Optional<JobManagerDeployment> meant = now().deployment().filter(d -> d.uid().equals(uid));
        meant.ifPresent(d -> change(Optional.of(d.with(true, false)), terminated(now().pods())));
        return meant.isPresent() ? World.Written.DONE : World.Written.CONFLICT;
    }

    /**
     * Marks the Deployment of that uid as one that is being removed, and scales it to zero. Another
     * one is left alone.
     */
    public World.Written stopJobManager(String uid) {
        Optional<JobManagerDeployment> meant = now().deployment().filter(d -> d.uid().equals(uid));
        meant.ifPresent(d -> change(Optional.of(d.scaled(true, true)), now().pods()));
        return meant.isPresent() ? World.Written.DONE : World.Written.CONFLICT;
    }

    /**
     * Somebody else gives a Deployment that was scaled to zero its replica back, once its
     * JobManager is gone. Before that, Kubernetes would start a second JobManager beside the one
     * that ends, and nothing that the operator does could prevent that.
     */
    public void scaleUpBehindTheBack() {
        now().deployment()
                .filter(JobManagerDeployment::isScaledDown)
                .filter(_ -> now().pods().stream().noneMatch(SimulatedPod::isJobManager))
                .ifPresent(d -> change(Optional.of(d.scaled(false, false)), now().pods()));
    }

    /**
     * Somebody else deletes the Deployment in the background: it is gone while its pods still end.
     */
    public void deleteBehindTheBack() {
        answering()
                .filter(process -> process.hasEnded() || process.comesTooLate())
                .ifPresent(process -> storage.forget(process.launch()));
        latestTaken = true;
        change(Optional.empty(), terminated(now().pods()));
    }

    /** The JobManager's process dies and starts again: {@code main()} runs once more. */
    public void restartJobManager() {
        now().pods().stream().filter(SimulatedPod::isRunningJobManager).forEach(this::startProcess);
    }

    /** The job ends in {@code state}. */
    public void endJob(String state) {
        answering().ifPresent(process -> process.end(state));
    }

    /**
     * The next process that is asked to stop its job answers nobody any more. It goes on with its
     * work, or stands still.
     */
    public void hangWhenStopped() {
        hang.await();
    }

    /** A process that hung answers again. */
    public void wake() {
        hang.end();
    }

    /** The one JobManager that answers, if one does. */
    public Optional<FlinkProcess> answering() {
        return process().filter(it -> !hang.isOf(it));
    }

    /** The one JobManager that runs, whether it answers or not. */
    public Optional<FlinkProcess> process() {
        return now().pods().stream()
                .filter(SimulatedPod::isRunningJobManager)
                .findFirst()
                .flatMap(pod -> Optional.ofNullable(processes.get(pod.name())));
    }

    /** The Deployment's first process, or one after another that is gone. */
    private void startProcess(SimulatedPod pod) {
        now().deployment()
                .filter(deployment -> deployment.attempt().equals(pod.attempt()))
                .ifPresentOrElse(
                        deployment -> processes.put(pod.name(), process(deployment)),
                        () -> processes.remove(pod.name()));
    }

    private FlinkProcess process(JobManagerDeployment deployment) {
        FlinkProcess next =
                new FlinkProcess(
                        environment,
                        storage,
                        deployment.launch(),
                        deployment.content().startsWith(BAD),
                        Optional.ofNullable(started.get(deployment.uid()))
                                .flatMap(FlinkProcess::lastThatRan));
        started.put(deployment.uid(), next);
        return next;
    }

    void tick() {
        environment.clock().advance(Duration.ofSeconds(1 + environment.dice().below(10)));
        hang.look(process());
        startJobManager();
        stopScaledDown();
        now().pods().forEach(this::advance);
        Objects after = now();
        if (after.deployment().filter(JobManagerDeployment::terminating).isPresent()
                && after.pods().isEmpty()) {
            change(Optional.empty(), List.of());
        }
        checkJobs();
    }

    /** What Kubernetes does once the owner is gone. */
    void collectGarbage() {
        now().deployment().ifPresent(deployment -> delete(deployment.uid()));
    }

    private void startJobManager() {
        boolean wanted =
                now().deployment().filter(d -> !d.terminating() && !d.isScaledDown()).isPresent();
        boolean there =
                now().pods().stream().anyMatch(pod -> pod.isJobManager() && !pod.isTerminating());
        if (wanted && !there) {
            add(
                    SimulatedPod.jobManager(
                            "jobmanager-" + ++names, now().deployment().orElseThrow().attempt()));
        }
    }

    /** What Kubernetes does in its own time for a Deployment without replicas. */
    private void stopScaledDown() {
        if (now().deployment().filter(JobManagerDeployment::isScaledDown).isPresent()
                && environment.dice().chance(70)) {
            replace(SimulatedPod::isJobManager, SimulatedPod::terminating);
        }
    }

    private void advance(SimulatedPod pod) {
        if (!environment.dice().chance(60)) {
            return;
        }
        switch (pod.phase()) {
            case PENDING -> start(pod);
            case RUNNING -> work(pod);
            case TERMINATING -> remove(pod);
        }
    }

    private void start(SimulatedPod pod) {
        if (environment.faults().strikes(15)) {
            replace(pod::equals, stuck -> stuck.stuck("ImagePullBackOff"));
            return;
        }
        replace(pod::equals, SimulatedPod::running);
        if (pod.isJobManager()) {
            startProcess(pod);
            now().deployment()
                    .filter(d -> d.attempt().equals(pod.attempt()))
                    .ifPresent(d -> change(Optional.of(d.with(false, true)), now().pods()));
        }
    }

    private void work(SimulatedPod pod) {
        if (!pod.isJobManager()) {
            return;
        }
        Optional.ofNullable(processes.get(pod.name()))
                .filter(process -> !hang.freezes(process))
                .ifPresent(process -> process.advance(environment.clock().instant()));
        boolean needsTaskManager =
                now().pods().stream()
                        .noneMatch(other -> !other.isJobManager() && !other.isTerminating());
        if (needsTaskManager && now().deployment().isPresent()) {
            add(SimulatedPod.taskManager("taskmanager-" + ++names, pod.attempt()));
        }
    }

    private void checkJobs() {
        List<String> running =
                now().pods().stream()
                        .map(SimulatedPod::name)
                        .filter(
                                pod ->
                                        Optional.ofNullable(processes.get(pod))
                                                .filter(FlinkProcess::isLive)
                                                .isPresent())
                        .toList();
        if (running.size() > 1 && doubleRun.isEmpty()) {
            doubleRun = Optional.of("two jobs run for one resource: " + running);
        }
    }

    @Override
    public String toString() {
        return now() + " " + processes + " " + storage;
    }

    private void add(SimulatedPod pod) {
        List<SimulatedPod> pods = new ArrayList<>(now().pods());
        pods.add(pod);
        change(now().deployment(), pods);
    }

    private void remove(SimulatedPod pod) {
        processes.remove(pod.name());
        change(
                now().deployment(),
                now().pods().stream().filter(other -> !other.equals(pod)).toList());
    }

    private void replace(Predicate<SimulatedPod> which, UnaryOperator<SimulatedPod> edit) {
        change(
                now().deployment(),
                now().pods().stream().map(pod -> which.test(pod) ? edit.apply(pod) : pod).toList());
    }

    private static List<SimulatedPod> terminated(List<SimulatedPod> pods) {
        return pods.stream().map(SimulatedPod::terminating).toList();
    }

    private void change(Optional<JobManagerDeployment> deployment, List<SimulatedPod> pods) {
        objects.add(new Objects(deployment, pods));
    }

    private Objects now() {
        return objects.latest();
    }
}
