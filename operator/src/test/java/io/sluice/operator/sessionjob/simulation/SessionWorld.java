// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.flink.rest.request.RunRequest;
import io.sluice.operator.deployment.simulation.Disturbances;
import io.sluice.operator.deployment.simulation.DurableStates;
import io.sluice.operator.deployment.simulation.DurableStates.State;
import io.sluice.operator.deployment.simulation.SimulatedFramework;
import io.sluice.operator.deployment.simulation.StateOracle;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.testkit.apiserver.ApiCall;
import io.sluice.testkit.apiserver.CallFault;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import io.sluice.testkit.sim.Dice;
import io.sluice.testkit.sim.Environment;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;

/** An API server with one FlinkSessionJob, its session cluster, the operator's processes, users. */
final class SessionWorld implements SimulatedFramework.World {
    static final String NAME = "report";

    /**
     * An attempt as it was first stored.
     *
     * @param owner the uid of the resource
     * @param generation the last one that the operator had seen
     */
    private record Attempt(String owner, long generation) {}

    private final Environment environment;
    private final Set<SessionFlaws> flaws;
    private final Disturbances disturbances;
    private final InMemoryApiServer api;
    private final String namespace;
    private final DurableStates states = new DurableStates();
    private final StateOracle oracle = new StateOracle(states);
    private final SessionCluster cluster;
    private final DefaultConfiguration defaults;

    /** What users have asked for, by the generations of the resource that is there. */
    private final TreeMap<Long, ObjectNode> specs = new TreeMap<>();

    /** By ids of jobs. */
    private final Map<String, Attempt> attempts = new HashMap<>();

    /** How jobs have ended that nobody has cancelled, by their ids. */
    private final Map<String, String> ends = new HashMap<>();

    /** The ids of jobs of which an operator was told before it stored a status. */
    private final Set<String> seen = new HashSet<>();

    /** The uids of resources of which it was told that their jobs may run on. */
    private final Set<String> abandoned = new HashSet<>();

    private String uid = "";

    /** The id of the job that the JobManager was asked for last, whether it could begin or not. */
    private String submitted = "";

    private SessionOperator operator;
    private Optional<SessionOperator> acting = Optional.empty();
    private Optional<Runnable> besides = Optional.empty();
    private boolean isBesides;
    private boolean hasStoodStill;
    private int names;
    private int lines;
    private int writesBefore;

    SessionWorld(
            Environment environment,
            Disturbances disturbances,
            Set<SessionFlaws> flaws,
            SessionMetadata.Kind kind) {
        this.environment = environment;
        this.disturbances = disturbances;
        this.flaws = flaws;
        api = new InMemoryApiServer(dice().below(Integer.MAX_VALUE), environment.clock());
        namespace = api.newNamespace();
        defaults = new DefaultConfiguration(new FlinkConfiguration(Map.of()));
        api.faults(this::fault);
        api.admit(this::review);
        cluster = new SessionCluster(this, kind);
        operator = new SessionOperator(this, flaws);
    }

    @Override
    public Dice dice() {
        return environment.dice();
    }

    @Override
    public boolean strikes(int percent) {
        return disturbances.strikes(percent);
    }

    @Override
    public Instant now() {
        return environment.clock().instant();
    }

    long nanos() {
        return environment.clock().nanos();
    }

    @Override
    public void trace(String line) {
        environment.trace().add("      " + line);
    }

    @Override
    public InMemoryApiServer api() {
        return api;
    }

    @Override
    public KubernetesClient client() {
        return api.client();
    }

    @Override
    public String namespace() {
        return namespace;
    }

    DefaultConfiguration defaults() {
        return defaults;
    }

    DurableStates states() {
        return states;
    }

    StateOracle oracle() {
        return oracle;
    }

    SessionCluster cluster() {
        return cluster;
    }

    /** The process that leads. */
    SessionOperator operator() {
        return operator;
    }

    int writes() {
        return writesBefore + operator.writes();
    }

    /** A number that nothing else has. */
    int newNumber() {
        return ++names;
    }

    String newName() {
        return "%012x".formatted(newNumber());
    }

    /** A run from nothing. */
    int newLine() {
        return ++lines;
    }

    /** Whether a job was made for the resource that is there, or for a former one. */
    boolean isOwn(String jobId) {
        return attempts.containsKey(jobId);
    }

    private boolean isOfResource(SubmittedJob job) {
        return job.owner().equals(uid);
    }

    /** The job that was started last, if the JobManager lists it. */
    Optional<SessionRun> lastRun() {
        return oracle.job().flatMap(id -> cluster.answering().flatMap(process -> process.run(id)));
    }

    /** Whether the job that was asked for last has ended like that, and by itself. */
    boolean hasEndedItself(String how) {
        return how.equals(ends.get(submitted));
    }

    /** Whether anybody could tell the operator what to go on from. */
    boolean tellsState() {
        return oracle.isTold(
                List.of(),
                state -> lastRun().filter(run -> run.line() == state.line()).isPresent());
    }

    /** Jobs of any FlinkSessionJob that run and should not, as no resource is there. */
    boolean hasLeftovers() {
        return cluster.process().stream()
                .flatMap(SessionProcess::live)
                .anyMatch(run -> !abandoned.contains(run.job().owner()));
    }

    /**
     * What the operator asks to be run; empty if no user has asked for that.
     *
     * @param path that it is to begin with
     */
    Optional<SubmittedJob> submitted(RunRequest request, String jarId, Optional<String> path) {
        Optional<Attempt> attempt = Optional.ofNullable(attempts.get(request.jobId()));
        String content =
                String.join(" ", request.arguments()) + jarId.substring(jarId.indexOf('_'));
        Map<String, String> options = cluster.options();
        options.putAll(request.configuration());
        Optional<SubmittedJob> job =
                attempt.flatMap(
                        it ->
                                generation(it, content)
                                        .map(
                                                generation ->
                                                        new SubmittedJob(
                                                                request.jobId(),
                                                                it.owner(),
                                                                generation,
                                                                content,
                                                                path,
                                                                options)));
        if (job.isEmpty()) {
            oracle.violated("a job is to run that nobody has asked for: " + content);
        }
        return job;
    }

    /** The last generation that it can have been made for; any of a resource that is gone. */
    private Optional<Long> generation(Attempt attempt, String content) {
        if (!attempt.owner().equals(uid)) {
            return Optional.of(attempt.generation());
        }
        return specs.headMap(attempt.generation(), true).descendingMap().entrySet().stream()
                .filter(each -> content(each.getValue()).equals(content))
                .filter(each -> each.getValue().at("/job/state").asText().equals("running"))
                .map(Map.Entry::getKey)
                .findFirst();
    }

    /** What tells one spec from another. */
    static String content(ObjectNode spec) {
        String jar = spec.at("/job/jarURI").asText();
        return spec.at("/job/args/0").asText() + "_" + jar.substring(jar.lastIndexOf('/') + 1);
    }

    void starts(SubmittedJob job, State from, boolean isFresh) {
        if (isOfResource(job)) {
            submitted = job.id();
            oracle.starts(job.generation(), job.id(), from, isFresh);
        } else if (!abandoned.contains(job.owner())) {
            oracle.violated("a job begins whose resource is gone: " + job);
        }
    }

    void startsFromNowhere(SubmittedJob job) {
        if (isOfResource(job)) {
            submitted = job.id();
            oracle.startsFromNowhere(job.generation(), job.path().orElse(""));
        }
    }

    private boolean isCounted(SubmittedJob job) {
        return isOfResource(job) && oracle.job().filter(job.id()::equals).isPresent();
    }

    void recovers(SubmittedJob job, State from) {
        if (isCounted(job)) {
            oracle.recovers(from);
        }
    }

    /** What an operator has stored may name these jobs. */
    void seen(Set<String> jobIds) {
        seen.addAll(jobIds);
    }

    /**
     * Its JobManager is gone, and nobody is left who knows of the run. If no operator has seen it,
     * it counts as one that never was: ADR 12.
     */
    void lost(SessionRun run) {
        if (!seen.contains(run.job().id())) {
            recovers(run.job(), run.restored());
        }
    }

    void durable(SubmittedJob job, State state) {
        if (isCounted(job)) {
            oracle.durable(state);
        }
    }

    void ended(SessionRun run, String how, boolean byItself) {
        if (byItself) {
            ends.put(run.job().id(), how);
        }
        if (isCounted(run.job())) {
            oracle.ended(how);
        }
    }

    void dispose(String path) {
        trace("Flink deletes " + path);
        oracle.disposed(path);
        states.delete(path);
    }

    /** Somebody has asked to stop a job that is being stopped, under another name. */
    void secondStop() {
        if (!hasStoodStill) {
            oracle.violated("a second stop under another name ends the first");
        }
    }

    /** It is told that a job may run on. */
    void abandoned(FlinkSessionJob resource) {
        abandoned.add(resource.getMetadata().getUid());
    }

    /** Nothing holds the resource any more. */
    void released(FlinkSessionJob resource) {
        String owner = resource.getMetadata().getUid();
        cluster.process().stream()
                .flatMap(SessionProcess::live)
                .filter(run -> run.job().owner().equals(owner) && !abandoned.contains(owner))
                .forEach(run -> oracle.violated("released while it runs: " + run));
    }

    /** The world itself looks or acts, and nobody disturbs it. */
    <T> T quietly(Supplier<T> look) {
        Optional<SessionOperator> before = act(Optional.empty());
        try {
            return look.get();
        } finally {
            act(before);
        }
    }

    /** Whose calls are made from now on; returns whose were before. */
    Optional<SessionOperator> act(Optional<SessionOperator> next) {
        Optional<SessionOperator> before = acting;
        acting = next;
        return before;
    }

    private CallFault fault(ApiCall call) {
        return acting.map(it -> it.fault(call)).orElse(CallFault.NONE);
    }

    /** Sees what is written before it is stored. */
    private void review(ApiCall call, ObjectNode object) {
        String jobId = object.at("/status/jobStatus/jobId").asText();
        if (call.type().plural().equals("flinksessionjobs") && !jobId.isEmpty()) {
            attempts.putIfAbsent(
                    jobId,
                    new Attempt(
                            object.at("/metadata/uid").asText(),
                            object.at("/status/observedGeneration").asLong()));
        }
    }

    /** What may happen between two calls of the operator. */
    void besides(Runnable move) {
        besides = Optional.of(move);
    }

    /** Others act between two calls of a process, or another process takes over. */
    void meanwhile(SessionOperator process) {
        if (isBesides) {
            return;
        }
        isBesides = true;
        try {
            if (strikes(6)) {
                quietly(
                        () -> {
                            besides.ifPresent(Runnable::run);
                            return true;
                        });
            }
            process.goOnBesides();
            if (process == operator && strikes(1)) {
                takeOver(process);
            }
        } finally {
            isBesides = false;
        }
    }

    /** A process stands still for longer than its lease, and goes on when another has acted. */
    private void takeOver(SessionOperator still) {
        trace("! the operator stands still, and another takes over");
        hasStoodStill = true;
        quietly(
                () -> {
                    writesBefore += still.writes();
                    still.resign();
                    operator = new SessionOperator(this, flaws);
                    for (int turn = dice().below(12); turn >= 0; turn--) {
                        environment.clock().advance(Duration.ofSeconds(2));
                        operator.pass();
                        operator.work();
                        restartIfDead();
                        cluster.step();
                        look();
                    }
                    still.workWithoutLeading();
                    return true;
                });
        trace("! the one that stood still goes on");
    }

    /** A process that has ended is started again, and knows nothing. */
    void restartIfDead() {
        if (operator.isDead()) {
            writesBefore += operator.writes();
            operator.close();
            operator = new SessionOperator(this, flaws);
        }
    }

    /** At no time may two jobs run for one resource. */
    void look() {
        var live =
                cluster.process().stream()
                        .flatMap(SessionProcess::live)
                        .filter(run -> isOfResource(run.job()))
                        .toList();
        if (live.size() > 1) {
            oracle.violated("two jobs run for one resource: " + live);
        }
    }

    Optional<FlinkSessionJob> resource() {
        return quietly(
                () ->
                        Optional.ofNullable(
                                client().resources(FlinkSessionJob.class)
                                        .inNamespace(namespace)
                                        .withName(NAME)
                                        .get()));
    }

    void create(ObjectNode spec) {
        var resource = new FlinkSessionJob();
        resource.getMetadata().setNamespace(namespace);
        resource.getMetadata().setName(NAME);
        resource.setSpec(spec.deepCopy());
        oracle.begins();
        specs.clear();
        var created = quietly(() -> client().resource(resource).create());
        uid = created.getMetadata().getUid();
        wrote(created, spec);
        trace("a user creates " + spec);
    }

    private void wrote(FlinkSessionJob stored, ObjectNode spec) {
        long generation = stored.getMetadata().getGeneration();
        specs.put(generation, spec.deepCopy());
        oracle.wrote(generation, spec);
    }

    void edit(ObjectNode spec) {
        resource()
                .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
                .filter(it -> !it.getSpec().equals(spec))
                .ifPresent(
                        it -> {
                            it.setSpec(spec.deepCopy());
                            it.getMetadata().setResourceVersion(null);
                            var stored = quietly(() -> client().resource(it).update());
                            wrote(stored, spec);
                            trace(
                                    "a user writes generation "
                                            + stored.getMetadata().getGeneration()
                                            + " "
                                            + spec.path("job"));
                        });
    }

    void delete() {
        oracle.deleted();
        quietly(
                () ->
                        client().resources(FlinkSessionJob.class)
                                .inNamespace(namespace)
                                .withName(NAME)
                                .delete());
        trace("a user deletes it");
    }
}
