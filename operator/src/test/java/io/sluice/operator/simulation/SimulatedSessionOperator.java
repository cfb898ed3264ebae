// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.spec.JobSpec;
import io.sluice.api.status.FlinkSessionJobStatus;
import io.sluice.api.status.ReconciledSpec;
import io.sluice.flink.rest.request.RunRequest;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.Target.SubmissionView;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.reconcile.Reconciliation;
import io.sluice.operator.reconcile.StatusStore;
import io.sluice.operator.sessionjob.SessionJobObserver.RelatedResources;
import io.sluice.operator.simulation.flaw.LeadershipFlaws;
import io.sluice.operator.simulation.flaw.SessionFlaws;
import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.FlinkProcess;
import io.sluice.testkit.sim.History;
import io.sluice.testkit.sim.Launch;
import io.sluice.testkit.sim.SessionCluster;
import io.sluice.testkit.sim.World;
import io.sluice.testkit.sim.World.Resource;
import io.sluice.testkit.sim.World.Written;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * The operator's process for session jobs: the production pass, with ports that fail and threads
 * that take their time. A crash ends the threads; what they had asked of Flink goes on.
 */
final class SimulatedSessionOperator {
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What is read is simulated another way. */
    private static final RelatedResources NOTHING_AROUND =
            new RelatedResources(Optional.empty(), Optional.empty());

    /** Something a thread of the operator is about to do. */
    private record Task(String attempt, Optional<Action.RunJar> run) {}

    private final World world;
    private final SessionCluster sessionCluster;
    private final Environment environment;
    private final Set<SessionFlaws> flaws;
    private final Map<String, Launch> launches = new HashMap<>();
    private final SimulatedLeadership leadership;
    private final Map<Integer, Replica> processes = new TreeMap<>();

    /** The one whose pass is under way. */
    private Replica process;

    private Optional<Long> redeployed = Optional.empty();
    private final Map<String, Long> redeployedBy = new HashMap<>();
    private final SimulatedRedeployments redeployments;
    private final SimulatedSavings savings;
    private final Set<String> told = new HashSet<>();
    private int statusWrites;
    private Optional<String> wrong = Optional.empty();

    /** What a process has read, remembers, and is about to do. */
    private final class Replica {
        private final History.LateReader<Optional<Resource>> resources = world.resource().watch();
        private final Map<String, SubmissionView> submissions = new HashMap<>();
        private final Map<String, Task> tasks = new HashMap<>();
        private final ObservationMemory memory = new ObservationMemory(environment.clock()::nanos);
        private final SimulatedSessionObserver observer =
                new SimulatedSessionObserver(
                        environment,
                        sessionCluster,
                        flaws,
                        !leadership.has(LeadershipFlaws.RELEASED_BY_A_CACHE),
                        memory,
                        this::submission);
        private long ownWrite;

        /** Whether it stands still, or has. */
        private boolean detached;

        private SubmissionView submission(String attempt) {
            return tasks.containsKey(attempt)
                    ? new SubmissionView.UnderWay()
                    : submissions.getOrDefault(attempt, new SubmissionView.None());
        }
    }

    SimulatedSessionOperator(
            World world,
            SessionCluster sessionCluster,
            Set<SessionFlaws> flaws,
            SimulatedLeadership leadership) {
        this.world = world;
        this.sessionCluster = sessionCluster;
        this.environment = world.environment();
        this.flaws = flaws;
        this.leadership = leadership;
        redeployments = new SimulatedRedeployments(sessionCluster.storage());
        savings =
                new SimulatedSavings(
                        world,
                        job -> sessionCluster.job(job).filter(_ -> sessionCluster.answers()),
                        flaws.stream()
                                .flatMap(flaw -> flaw.ofSavings().stream())
                                .collect(Collectors.toSet()));
        leadership.start(this::start, number -> detach(processes.get(number)));
        process = processes.get(leadership.leader());
    }

    boolean isDeleting(String path) {
        return savings.isDeleting(path);
    }

    Optional<String> wrong() {
        return wrong.or(savings::wrong);
    }

    private void tell(List<ResourceEvent> notes) {
        notes.forEach(event -> environment.trace().digest(event.reason() + event.message()));
        notes.stream()
                .filter(event -> event.reason().equals("JobException"))
                .filter(event -> !told.add(event.key()))
                .forEach(event -> wrong = Optional.of("told twice: " + event));
    }

    int statusWrites() {
        return statusWrites;
    }

    /** One pass of the process that leads, however it ends. */
    void pass() {
        Replica interrupted = process;
        leadership.pass(
                number -> {
                    process = processes.get(number);
                    process.detached = false;
                    process.resources
                            .read(environment.faults(), environment.dice(), 25)
                            .filter(read -> read.version() >= process.ownWrite)
                            .ifPresent(this::pass);
                });
        process = interrupted;
    }

    /** A process that was of this number ends, and what its threads had asked for goes on. */
    private void start(int number) {
        Optional.ofNullable(processes.get(number))
                .filter(ended -> !ended.detached)
                .ifPresent(this::detach);
        processes.put(number, new Replica());
    }

    /** What a process has asked Flink for by now goes on without it. */
    private void detach(Replica from) {
        from.detached = true;
        from.tasks.values().stream()
                .flatMap(task -> task.run().stream())
                .filter(_ -> environment.dice().chance(50))
                .forEach(run -> sessionCluster.runLater(run.jarId(), launches.get(run.attempt())));
    }

    /** The operator's threads go on. */
    void tick() {
        processes.forEach(
                (number, running) -> {
                    if (!leadership.isStanding(number)) {
                        tick(running);
                    }
                });
    }

    private void tick(Replica running) {
        for (Task task : List.copyOf(running.tasks.values())) {
            if (environment.dice().chance(50)) {
                running.tasks.remove(task.attempt());
                SubmissionView result = task.run().map(this::run).orElseGet(this::upload);
                environment.trace().add("      " + task.attempt().substring(0, 6) + ": " + result);
                running.submissions.put(task.attempt(), result);
            }
        }
    }

    private SubmissionView upload() {
        if (!sessionCluster.answers()) {
            return new SubmissionView.None();
        }
        return environment.faults().strikes(10)
                ? new SubmissionView.NotUploaded("refused", environment.clock().instant())
                : new SubmissionView.Uploaded(sessionCluster.upload());
    }

    private SubmissionView refused() {
        return new SubmissionView.Refused("refused", environment.clock().instant());
    }

    private SubmissionView run(Action.RunJar run) {
        Launch launch = launches.get(run.attempt());
        boolean current =
                world.resource()
                        .latest()
                        .filter(now -> !now.deleting())
                        .map(now -> now.status().path("attempt"))
                        .filter(recorded -> recorded.path("id").asText().equals(run.attempt()))
                        .filter(recorded -> recorded.path("jar").asText().equals(run.jarId()))
                        .isPresent();
        if (!current
                || !sessionCluster.answers()
                || sessionCluster.view().latest().beingReplaced()) {
            return new SubmissionView.None();
        }
        if (environment.faults().strikes(15)) {
            sessionCluster.runLater(run.jarId(), launch);
            return new SubmissionView.None();
        }
        if (environment.faults().strikes(10)) {
            // That Flink refuses what it is about to accept is not simulated, see ADR 0012.
            return sessionCluster.knows(launch) ? new SubmissionView.None() : refused();
        }
        return switch (sessionCluster.run(run.jarId(), launch)) {
            case SUBMITTED -> {
                accepted(run);
                yield new SubmissionView.None();
            }
            case KNOWN_ALREADY -> {
                accepted(run);
                yield new SubmissionView.KnownAlready(environment.clock().instant());
            }
            case NO_SUCH_JAR -> new SubmissionView.JarLost();
        };
    }

    private void accepted(Action.RunJar run) {
        redeployed = Optional.ofNullable(redeployedBy.get(run.attempt())).or(() -> redeployed);
    }

    private void pass(Resource read) {
        if (!read.finalizer()) {
            if (!read.deleting()) {
                environment
                        .faults()
                        .effect("add finalizer", () -> own(world.setFinalizer(read, true)));
            }
            return;
        }
        FlinkSessionJob resource = new FlinkSessionJob();
        resource.setSpec(read.spec());
        resource.setStatus(read.status());
        var outcome =
                leadership
                        .leadershipGuard()
                        .<FlinkSessionJob, RelatedResources>guarded(
                                (job, _, store) ->
                                        new Reconciliation<FlinkSessionJob>(
                                                        _ -> process.observer.observe(read),
                                                        store,
                                                        (_, action) -> perform(read.uid(), action),
                                                        (_, notes) -> tell(notes),
                                                        (decision, stored) ->
                                                                render(decision, stored),
                                                        process.memory,
                                                        "flinksessionjobs.flink.apache.org")
                                                .run(job))
                        .reconcile(resource, NOTHING_AROUND, (_, status) -> save(read, status));
        environment.trace().add("      " + outcome.reason() + " " + outcome.checkAgain());
        if (outcome.released()) {
            release(read);
        }
    }

    private static ObjectNode render(Decision decision, ObjectNode stored) {
        var status = decision.status();
        return new FlinkSessionJobStatus(
                        status.jobStatus(),
                        status.error(),
                        status.observedGeneration(),
                        status.lifecycleState(),
                        status.reconciliationStatus(),
                        status.attempt(),
                        status.lastUpgrade(),
                        status.conditions())
                .onto(stored);
    }

    private StatusStore.Saved save(Resource read, ObjectNode decided) {
        if (flaws.contains(SessionFlaws.PATH_NOT_RECORDED)
                && decided.get("jobStatus") instanceof ObjectNode job) {
            job.remove("upgradeSavepointPath");
        }
        if (flaws.contains(SessionFlaws.JAR_NOT_RECORDED)
                && decided.get("attempt") instanceof ObjectNode attempt) {
            attempt.remove("jar");
        }
        ObjectNode status = asStored(decided);
        leadership.pause();
        Written written =
                environment
                        .faults()
                        .effect(
                                "save status " + status.at("/conditions/1/reason").asText(),
                                () -> own(world.replaceStatus(base(read), status)));
        if (written == Written.DONE && !read.status().equals(status)) {
            environment.trace().digest(status.toString());
            statusWrites++;
            if (isToBeRedeployed(read)) {
                redeployments.stored(read, status);
            }
            if (!status.at("/jobStatus/startTime").isMissingNode()) {
                sessionCluster.storage().observe(status.at("/attempt/id").asText());
            }
        }
        return written == Written.DONE ? StatusStore.Saved.KEPT : StatusStore.Saved.CONFLICT;
    }

    private Resource base(Resource read) {
        return leadership.has(LeadershipFlaws.STATUS_WITHOUT_VERSION)
                ? world.resource().latest().orElse(read)
                : read;
    }

    private Written own(Written written) {
        if (written == Written.DONE) {
            process.ownWrite = world.resource().latest().map(Resource::version).orElse(0L);
        }
        return written;
    }

    private void perform(String uid, Action action) {
        leadership.pause();
        switch (action) {
            case Action.CreateSnapshot _ ->
                    throw new IllegalArgumentException("FlinkStateSnapshots are not served");
            case Action.UploadJar upload -> begin(new Task(upload.attempt(), Optional.empty()));
            case Action.RunJar run -> {
                launches.computeIfAbsent(run.attempt(), attempt -> launch(attempt, run.request()));
                begin(new Task(run.attempt(), Optional.of(run)));
            }
            case Action.DeleteJar(var jarId) ->
                    environment
                            .faults()
                            .effect("delete " + jarId, () -> sessionCluster.deleteJar(jarId));
            case Action.CancelJob(var id) -> ask("cancel", id, job -> job.cancel(id));
            case Action.StopWithSavepoint(var id, var request) ->
                    ask(
                            "stop",
                            id,
                            job -> job.askToStop(id, request.triggerId(), leadership.hasStood()));
            case Action.TriggerSavepoint asked -> savings.savepoint(asked, leadership.leads());
            case Action.TriggerCheckpoint asked -> savings.checkpoint(asked, leadership.leads());
            case Action.DisposeSavepoint(var location) ->
                    savings.dispose(uid, location, process.memory);
            case Action.ReleaseResource() -> {}
            case Action.ScaleInPlace _,
                    Action.CreateCluster _,
                    Action.DeleteCluster _,
                    Action.StopJobManager _,
                    Action.DeleteTaskManagers _,
                    Action.ProvideTaskManagers _,
                    Action.ProvideServices _,
                    Action.PullImages _,
                    Action.DeletePullPod _,
                    Action.ReleaseUnbegun _ ->
                    throw new IllegalStateException("not of a session job: " + action);
        }
    }

    private void begin(Task task) {
        process.tasks.putIfAbsent(task.attempt(), task);
    }

    private void ask(String what, String jobId, Consumer<FlinkProcess> effect) {
        environment
                .faults()
                .effect(
                        what,
                        () -> {
                            if (sessionCluster.answers()) {
                                sessionCluster.job(jobId).ifPresent(effect);
                            }
                        });
    }

    private Launch launch(String attempt, RunRequest request) {
        Resource now = world.resource().latest().orElseThrow();
        Optional<JobSpec> job =
                ReconciledSpec.decode(
                                now.status()
                                        .at("/reconciliationStatus/lastReconciledSpec")
                                        .asText())
                        .map(taken -> FlinkDeploymentSpec.parse(taken.spec(), "spec").value())
                        .flatMap(FlinkDeploymentSpec::job);
        Optional<Long> asked =
                job.flatMap(JobSpec::savepointRedeployNonce)
                        .filter(nonce -> !redeployed.equals(Optional.of(nonce)))
                        .filter(
                                _ ->
                                        request.savepointPath()
                                                .equals(
                                                        job.flatMap(
                                                                JobSpec::initialSavepointPath)));
        asked.ifPresent(nonce -> redeployedBy.put(attempt, nonce));
        return new Launch(
                attempt,
                request.jobId(),
                request.savepointPath(),
                sessionCluster.isHighlyAvailable(),
                !Specs.isStateful(now)
                        || asked.isPresent()
                        || redeployments.allow(attempt, request.savepointPath()));
    }

    /** The user names another state to go on from. */
    private boolean isToBeRedeployed(Resource resource) {
        var nonce = resource.spec().at("/job/savepointRedeployNonce");
        return !nonce.isMissingNode() && !redeployed.equals(Optional.of(nonce.asLong()));
    }

    private void release(Resource read) {
        leadership.pause();
        if (world.resource().latest().filter(now -> now.uid().equals(read.uid())).isEmpty()) {
            return;
        }
        if (!sessionCluster.live().isEmpty()) {
            wrong = Optional.of("released while its job runs: " + sessionCluster);
        }
        world.resource()
                .latest()
                .filter(now -> now.uid().equals(read.uid()))
                .ifPresent(
                        now ->
                                environment
                                        .faults()
                                        .effect(
                                                "remove finalizer",
                                                () -> own(world.setFinalizer(now, false))));
    }

    private static ObjectNode asStored(ObjectNode status) {
        try {
            return (ObjectNode) JSON.readTree(status.toString());
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
