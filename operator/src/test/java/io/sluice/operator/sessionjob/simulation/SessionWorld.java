// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.flink.rest.request.RunRequest;
import io.sluice.operator.deployment.simulation.SavepointRequests.Kind;
import io.sluice.operator.deployment.simulation.SimulatedNode;
import io.sluice.operator.deployment.simulation.habits.PodTroubles;
import io.sluice.operator.world.Disturbances;
import io.sluice.operator.world.DurableStates;
import io.sluice.operator.world.DurableStates.State;
import io.sluice.operator.world.OperatorProcesses;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.testkit.apiserver.ApiCall;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import io.sluice.testkit.sim.Dice;
import io.sluice.testkit.sim.Environment;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.function.Supplier;

/** An API server with FlinkSessionJobs, their session cluster, the operator's processes, users. */
final class SessionWorld implements SimulatedNode.World {
    private final Environment environment;
    private final PodTroubles troubles;
    private final Disturbances disturbances;
    private final InMemoryApiServer api;
    private final String namespace;
    private final DurableStates states = new DurableStates();
    private final Map<String, ObservedJob> jobs = new TreeMap<>();
    private final SessionCluster cluster;
    private final Optional<DeployedCluster> deployed;
    private final DefaultConfiguration defaults;
    private final OperatorProcesses<SessionOperator> operators;

    /** By ids of jobs. */
    private final Map<String, ObservedJob.Attempt> attempts = new HashMap<>();

    /** The ids of jobs of which an operator was told before it stored a status. */
    private final Set<String> seen = new HashSet<>();

    /** The uids of resources of which it was told that their jobs may run on. */
    private final Set<String> abandoned = new HashSet<>();

    private int numbers;
    private int lines;

    /**
     * @param kind of the session cluster that it begins with
     * @param shape of all else
     */
    SessionWorld(
            Environment environment,
            Disturbances disturbances,
            Set<SessionFlaws> flaws,
            SessionMetadata.Kind kind,
            SessionShape shape) {
        this.environment = environment;
        this.disturbances = disturbances;
        troubles = new PodTroubles(this, environment.diceOf("pods"));
        api = new InMemoryApiServer(dice().below(Integer.MAX_VALUE), environment.clock());
        api.hideManagers(FlinkDeployment.class);
        api.hideManagers(FlinkSessionJob.class);
        api.hideManagers(Pod.class);
        namespace = api.newNamespace();
        defaults = new DefaultConfiguration(new FlinkConfiguration(Map.of()));
        shape.names().forEach(name -> jobs.put(name, new ObservedJob(this, name)));
        operators =
                new OperatorProcesses<>(
                        this,
                        environment.clock(),
                        () -> new SessionOperator(this, flaws),
                        this::goOnBesides);
        api.faults(operators::fault);
        api.admit(this::review);
        deployed =
                Optional.of(shape)
                        .filter(SessionShape::isDeployed)
                        .map(
                                _ ->
                                        new DeployedCluster(
                                                this,
                                                environment.diceOf("user of the cluster"),
                                                kind));
        cluster =
                deployed.<SessionCluster>map(Function.identity())
                        .orElseGet(() -> new GivenCluster(this, kind));
        operators.begin();
    }

    @Override
    public Dice dice() {
        return environment.dice();
    }

    /** None of them. */
    @Override
    public PodTroubles troubles() {
        return troubles;
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

    /** All FlinkSessionJobs that there may be. */
    List<ObservedJob> jobs() {
        return List.copyOf(jobs.values());
    }

    ObservedJob job(String name) {
        return jobs.get(name);
    }

    private ObservedJob of(SubmittedJob job) {
        return job(job.resource());
    }

    /** The first thing that must not have happened. */
    Optional<String> violation() {
        return jobs.values().stream().flatMap(job -> job.oracle().violation().stream()).findFirst();
    }

    /** Something must not have happened, whichever resource it is about. */
    void violated(String what) {
        jobs.values().iterator().next().oracle().violated(what);
    }

    SessionCluster cluster() {
        return cluster;
    }

    /** The cluster, if the operator deploys it. */
    Optional<DeployedCluster> deployed() {
        return deployed;
    }

    OperatorProcesses<SessionOperator> operators() {
        return operators;
    }

    /** The process that leads. */
    SessionOperator operator() {
        return operators.leading();
    }

    /** A number that nothing else has. */
    int newNumber() {
        return ++numbers;
    }

    @Override
    public String newName() {
        return "%012x".formatted(newNumber());
    }

    /** A run from nothing. */
    int newLine() {
        return ++lines;
    }

    /** The line of a job that begins with a state, or with nothing. */
    int line(SubmittedJob job, Optional<State> from) {
        return from.map(of(job)::lineAfter).orElseGet(of(job)::newLine);
    }

    /** For which resource a job was made; empty if for none, not for a former one either. */
    Optional<ObservedJob> owner(String jobId) {
        return Optional.ofNullable(attempts.get(jobId)).map(ObservedJob.Attempt::of);
    }

    /** Whether it was told that the jobs of a resource may run on. */
    boolean isAbandoned(String owner) {
        return abandoned.contains(owner);
    }

    /**
     * What the operator asks to be run; empty if no user has asked for that.
     *
     * @param process that is asked
     * @param path that it is to begin with
     */
    Optional<SubmittedJob> submitted(
            SessionProcess process, RunRequest request, String jarId, Optional<String> path) {
        String content =
                String.join(" ", request.arguments()) + jarId.substring(jarId.indexOf('_'));
        Map<String, String> options = new TreeMap<>(process.launch().options());
        options.putAll(request.configuration());
        Optional<SubmittedJob> job =
                Optional.ofNullable(attempts.get(request.jobId()))
                        .flatMap(
                                attempt ->
                                        attempt.of()
                                                .submitted(
                                                        attempt,
                                                        new SubmittedJob(
                                                                request.jobId(),
                                                                attempt.of().name(),
                                                                attempt.owner(),
                                                                0,
                                                                content,
                                                                path,
                                                                options)));
        if (job.isEmpty()) {
            violated("a job is to run that nobody has asked for: " + content);
        }
        return job;
    }

    void starts(SubmittedJob job, State from, boolean isFresh) {
        of(job).starts(job, from, isFresh);
    }

    void startsFromNowhere(SubmittedJob job) {
        of(job).startsFromNowhere(job);
    }

    void recovers(SubmittedJob job, State from) {
        of(job).recovers(job, from);
    }

    /** Whether an operator has stored a status when it had been told of that job. */
    boolean hasSeen(String jobId) {
        return seen.contains(jobId);
    }

    /** What an operator has stored of a resource may name those of these jobs that are its own. */
    void seen(ObservedJob stored, Set<String> jobIds) {
        jobIds.stream()
                .filter(id -> owner(id).filter(stored::equals).isPresent())
                .forEach(seen::add);
    }

    /** The jar of an attempt has gone with its JobManager, whose metadata are still there. */
    void lostJar(String attempt) {
        owner(attempt).ifPresent(job -> job.lostJar(attempt));
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

    void wrote(SubmittedJob job, State state) {
        of(job).wrote(job, state);
    }

    void durable(SubmittedJob job, State state) {
        of(job).durable(job, state);
    }

    void ended(SessionRun run, String how, boolean byItself) {
        of(run.job()).ended(run.job(), how, byItself);
    }

    /** The operator cancels a job. */
    void cancels(SessionRun run) {
        of(run.job()).saved().ends(run.run(hasSeen(run.job().id())));
    }

    /** The operator asks for a savepoint or a checkpoint of a job that goes on. */
    void asksToSave(String jobId, Kind kind) {
        owner(jobId).ifPresent(job -> job.saved().asked(kind));
    }

    /** Flink has failed to write what was asked for of a job under an id. */
    void failed(String jobId, String triggerId) {
        owner(jobId).ifPresent(job -> job.oracle().failed(triggerId));
    }

    /** A savepoint is deleted, which the operator has asked for as it looked at a resource. */
    void dispose(String path, Optional<ObservedJob> of) {
        trace("Flink deletes " + path);
        of.ifPresent(job -> job.disposed(path));
        states.delete(path);
    }

    /** Somebody has asked to stop a job that is being stopped, under another name. */
    void secondStop(SubmittedJob job) {
        if (!operators.hasStoodStill()) {
            of(job).oracle().violated("a second stop under another name ends the first");
        }
    }

    /** It is told that a job may run on. */
    void abandoned(FlinkSessionJob resource) {
        abandoned.add(resource.getMetadata().getUid());
    }

    @Override
    public <T> T quietly(Supplier<T> look) {
        return operators.quietly(look);
    }

    /** Sees what is written before it is stored. */
    private void review(ApiCall call, ObjectNode object) {
        String jobId = object.at("/status/jobStatus/jobId").asText();
        if (call.type().plural().equals("flinksessionjobs") && !jobId.isEmpty()) {
            ObservedJob job = job(object.at("/metadata/name").asText());
            attempts.putIfAbsent(
                    jobId,
                    new ObservedJob.Attempt(
                            job,
                            object.at("/metadata/uid").asText(),
                            object.at("/status/observedGeneration").asLong()));
            job.recorded(jobId);
            owner(jobId)
                    .filter(owner -> owner != job)
                    .ifPresent(_ -> job.oracle().violated("the id is another's: " + jobId));
        }
    }

    private void goOnBesides() {
        cluster.step();
        look();
    }

    /** At no time may two jobs run for one resource. */
    void look() {
        jobs.values().forEach(ObservedJob::look);
    }
}
