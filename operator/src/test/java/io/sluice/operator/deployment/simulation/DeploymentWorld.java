// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.deployment.simulation.habits.Hangs;
import io.sluice.operator.deployment.simulation.habits.Platform;
import io.sluice.operator.deployment.simulation.habits.PodTroubles;
import io.sluice.operator.deployment.simulation.hands.Clocks;
import io.sluice.operator.deployment.simulation.hands.Losses;
import io.sluice.operator.deployment.simulation.hands.MetadataRecords;
import io.sluice.operator.deployment.simulation.hands.Refusals;
import io.sluice.operator.deployment.simulation.hands.ZooKeeper;
import io.sluice.operator.deployment.simulation.savings.JobPromises;
import io.sluice.operator.deployment.simulation.savings.SavedStates;
import io.sluice.operator.deployment.simulation.scaling.OptionDice;
import io.sluice.operator.deployment.simulation.scaling.SimulatedDefaults;
import io.sluice.operator.world.Disturbances;
import io.sluice.operator.world.DurableStates;
import io.sluice.operator.world.DurableStates.State;
import io.sluice.operator.world.OperatorProcesses;
import io.sluice.rules.canary.CanaryResources;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.testkit.apiserver.InMemoryApiServer;
import io.sluice.testkit.sim.Dice;
import io.sluice.testkit.sim.Environment;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/** An API server with one FlinkDeployment, a node, Flink, the operator's processes and users. */
final class DeploymentWorld implements FlinkProcess.World, JobPromises.World, Losses.World {
    static final String NAME = "app";

    /** The folder to which Flink writes savepoints. */
    static final String SAVEPOINTS = "s3://s";

    private final Environment environment;
    private final Disturbances disturbances;
    private final InMemoryApiServer api;
    private final String namespace;
    private final DurableStates states = new DurableStates();
    private final StateOracle oracle = new StateOracle(states);
    private final SimulatedNode<FlinkProcess> node;
    private final SavedStates saved;
    private final JobPromises promises;
    private final PodTroubles troubles;
    private final Hangs hangs = new Hangs(this);
    private final Platform platform;
    private final Refusals refusals = new Refusals(this::now, oracle::violated);
    private final Clocks clocks = new Clocks();
    private final ZooKeeper zooKeeper = new ZooKeeper();
    private final Losses losses = new Losses(this, oracle, NAME + "-rest");
    private final Set<String> results = new HashSet<>();
    private final Set<Integer> seen = new HashSet<>();

    /** The Deployments that calls have created whose senders had given up. */
    private final Set<String> late = new HashSet<>();

    private final SimulatedDefaults defaults;
    private final ScaledRun scaled;
    private final OperatorProcesses<SimulatedOperator> operators;
    private boolean haveOthersActed;
    private boolean isNamespaceEnding;
    private boolean isTakenOver;
    private boolean wasHighlyAvailable;
    private Optional<FlinkLaunch> lastLaunch = Optional.empty();

    private String version = "";
    private Instant stalled = Instant.EPOCH;
    private int questions;
    private int names;
    private int lines;

    DeploymentWorld(
            Environment environment,
            Disturbances disturbances,
            Set<DeploymentFlaws> flaws,
            boolean isScaled) {
        this.environment = environment;
        this.disturbances = disturbances;
        api = new InMemoryApiServer(dice().below(Integer.MAX_VALUE), environment.clock());
        api.hideManagers(FlinkDeployment.class);
        api.hideManagers(Pod.class);
        namespace = api.newNamespace();
        defaults =
                new SimulatedDefaults(
                        isScaled
                                ? Map.of(
                                        "execution.checkpointing.savepoint-dir",
                                        SAVEPOINTS,
                                        OptionDice.DEADLINE,
                                        "8 min")
                                : Map.of());
        saved = new SavedStates(this::now, oracle::violated, defaults::ever);
        promises = new JobPromises(this, oracle, saved);
        operators =
                new OperatorProcesses<>(
                        this,
                        environment.clock(),
                        () -> new SimulatedOperator(this, flaws),
                        this::goOnBesides);
        troubles = new PodTroubles(this, environment.diceOf("pods"));
        platform =
                new Platform(
                        this, environment.diceOf("platform"), environment.diceOf("typos"), NAME);
        node = new SimulatedNode<>(this, launch -> new FlinkProcess(this, launch));
        scaled = new ScaledRun(this, environment.diceOf("scaling"), isScaled);
        api.faults(operators::fault);
        api.admit(new FlawedWrites(flaws));
        api.admit(refusals);
        operators.begin();
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
        return defaults.now();
    }

    SimulatedDefaults administration() {
        return defaults;
    }

    ScaledRun scaled() {
        return scaled;
    }

    @Override
    public DurableStates states() {
        return states;
    }

    @Override
    public StateOracle oracle() {
        return oracle;
    }

    /** The operator asks a JobManager, or the API server, more than whether all is as it was. */
    void asked() {
        questions++;
    }

    /** How often it has done that so far. */
    int questions() {
        return questions;
    }

    SavedStates saved() {
        return saved;
    }

    @Override
    public Platform platform() {
        return platform;
    }

    @Override
    public PodTroubles troubles() {
        return troubles;
    }

    Hangs hangs() {
        return hangs;
    }

    /** Until then no checkpoint completes. */
    void stallsUntil(Instant time) {
        stalled = time;
    }

    @Override
    public boolean isStalled() {
        return now().isBefore(stalled);
    }

    @Override
    public State writes(String path, int line, long position) {
        saved.wrote(path, line);
        return states.write(path, line, position);
    }

    /** The operator is about to end the job of the process that answers. */
    void endsJob() {
        if (operators.hasStoodStill() || haveOthersActed) {
            saved.excuse();
        }
        node.answering(false)
                .filter(FlinkProcess::isLive)
                .ifPresent(
                        it -> {
                            saved.ends(it.run(hasSeen(it.line())));
                            promises.ends(it);
                        });
    }

    @Override
    public Optional<Deployment> standing() {
        return api.find(Deployment.class, namespace, NAME);
    }

    /** What must hold of what the operator does and says. */
    JobPromises promises() {
        return promises;
    }

    @Override
    public SimulatedNode<FlinkProcess> node() {
        return node;
    }

    OperatorProcesses<SimulatedOperator> operators() {
        return operators;
    }

    /** The process that leads. */
    SimulatedOperator operator() {
        return operators.leading();
    }

    @Override
    public String newName() {
        return "%012x".formatted(++names);
    }

    @Override
    public int newLine() {
        return ++lines;
    }

    /**
     * Whether anybody could tell the operator what to go on from. That a job began with nothing
     * stands nowhere once another operator has had it.
     */
    boolean tellsState() {
        boolean beganUnderTheOther =
                isTakenOver && oracle.best().filter(it -> it.path().isEmpty()).isPresent();
        return !beganUnderTheOther && isStateTold();
    }

    /** Neither metadata nor an answer about one job tells whether the next one has begun. */
    private boolean isStateTold() {
        Optional<String> next = losses.unbegunJob();
        if (next.isPresent()) {
            return oracle.isNamed(FlinkMetadata.named(this, next.get()));
        }
        List<State> named =
                oracle.job().map(id -> FlinkMetadata.named(this, id)).orElseGet(List::of);
        Optional<FlinkProcess> answering = node.answering(false);
        return oracle.isTold(
                named, state -> answering.filter(it -> it.goesOnFrom(state)).isPresent());
    }

    /** Whether the metadata of any job names a state, which a job from nothing must not replace. */
    boolean keepsMetadata() {
        return !FlinkMetadata.named(this, "").isEmpty();
    }

    @Override
    public void tries(FlinkLaunch launch) {
        lastLaunch
                .filter(former -> !isTakenOver && launch.isAgain(former))
                .filter(former -> former.history().line().filter(oracle::toldEndOf).isPresent())
                .ifPresent(_ -> oracle.violated("a job that was done is started again"));
        lastLaunch = Optional.of(launch);
    }

    /** What has become of the job that Flink has tried to run last. */
    Optional<FlinkLaunch.History> lastTried() {
        return lastLaunch.map(FlinkLaunch::history);
    }

    /** What an operator has stored is of this run. */
    void sees(int line) {
        seen.add(line);
    }

    @Override
    public boolean hasSeen(int line) {
        return seen.contains(line);
    }

    @Override
    public void restoresLastState(FlinkLaunch launch) {
        if (launch.history().isFirst() && ranOnOther(launch.version()) && !isTakenOver) {
            oracle.violated("the last state is restored on another Flink: " + launch);
        }
    }

    @Override
    public Duration mainTakes() {
        return platform.mainTakes();
    }

    @Override
    public void began(FlinkProcess process) {
        FlinkLaunch launch = process.launch();
        Optional.ofNullable(oracle.spec(launch.generation()))
                .filter(_ -> launch.history().isFirst() && !isTakenOver)
                .filter(spec -> !platform.validators().haveAccepted(spec))
                .ifPresent(_ -> oracle.violated("no validator has accepted " + launch));
        promises.begun(process);
        losses.began();
        version = launch.version();
        wasHighlyAvailable = launch.isHighlyAvailable();
    }

    /** Such a run counts as one that never was: ADR 12. */
    @Override
    public boolean wasUnseen() {
        return !wasHighlyAvailable
                && oracle.best().filter(state -> !hasSeen(state.line())).isPresent();
    }

    /** Whether the job that ran last was run by another version of Flink. */
    boolean ranOnOther(String version) {
        return !this.version.isEmpty() && !this.version.equals(version);
    }

    @Override
    public boolean hasResult(String path) {
        return results.contains(path);
    }

    @Override
    public void keepResult(String path) {
        results.add(path);
    }

    void dispose(String path, Optional<String> startedFrom) {
        trace("Flink deletes " + path);
        if (operators.hasStoodStill()) {
            saved.excuse();
        }
        saved.disposed(path, startedFrom);
        oracle.disposed(path);
        states.delete(path);
    }

    @Override
    public void secondStop() {
        if (!operators.hasStoodStill() && !haveOthersActed) {
            oracle.violated("a second stop under another name ends the first");
        }
    }

    @Override
    public <T> T quietly(Supplier<T> look) {
        return operators.quietly(look);
    }

    void deleteMetadata() {
        quietly(
                () -> {
                    client().configMaps().inNamespace(namespace).list().getItems().stream()
                            .filter(it -> it.getMetadata().getName().endsWith("-config-map"))
                            .forEach(it -> client().resource(it).delete());
                    return true;
                });
    }

    /** Another operator had the resource up to now. */
    void leftBy(FormerOperator former) {
        resource()
                .filter(it -> it.getMetadata().getDeletionTimestamp() == null)
                .flatMap(it -> quietly(() -> former.leaves(it)).map(left -> Map.entry(it, left)))
                .ifPresent(
                        left -> {
                            trace("Sluice takes over " + left.getValue());
                            label(false);
                            isTakenOver = true;
                            platform.objects().remove();
                            node.answering(false)
                                    .filter(FlinkProcess::isLive)
                                    .ifPresent(it -> oracle.handsOver(it.line()));
                            operator().close();
                            operators.restartIfDead();
                            quietly(
                                    () -> {
                                        former.write(left.getKey(), left.getValue());
                                        return true;
                                    });
                        });
    }

    @Override
    public boolean isScaled() {
        return scaled.isOn();
    }

    @Override
    public boolean isTakenOver() {
        return isTakenOver;
    }

    @Override
    public boolean hasStoodStill() {
        return operators.hasStoodStill();
    }

    @Override
    public boolean haveOthersActed() {
        return haveOthersActed;
    }

    /** Others than this operator ask Flink for something, and need not know of each other. */
    void othersAct() {
        haveOthersActed = true;
    }

    /**
     * Gives the resource the label of a canary, if its job has run, or takes it away. Without its
     * record nobody knows that it has.
     */
    void label(boolean asCanary) {
        resource()
                .filter(_ -> platform.labelsCanaries())
                .filter(_ -> !asCanary || (oracle.started().isPresent() && !hasLostStatus()))
                .ifPresent(
                        it -> {
                            trace("the label of a canary is " + asCanary);
                            it.getMetadata()
                                    .setLabels(
                                            asCanary
                                                    ? Map.of(CanaryResources.LABEL, "true")
                                                    : Map.of());
                            it.getMetadata().setResourceVersion(null);
                            quietly(() -> client().resource(it).update());
                        });
    }

    /** Somebody has removed what is on record of the resource. */
    void losesStatus() {
        label(false);
        saved.excuse();
        losses.ofStatus();
    }

    @Override
    public boolean hasLostStatus() {
        return losses.hasLostStatus();
    }

    @Override
    public Optional<String> jobOf(Deployment deployment) {
        return quietly(() -> node.launch(deployment)).map(FlinkLaunch::jobId);
    }

    Losses losses() {
        return losses;
    }

    /**
     * Carries out the calls whose senders have given up, and notes what Deployments they create.
     */
    void carryOutLateCalls() {
        Set<String> before = deployments();
        quietly(
                () -> {
                    api.carryOutLateCalls();
                    return true;
                });
        deployments().stream().filter(it -> !before.contains(it)).forEach(late::add);
    }

    private Set<String> deployments() {
        return api.list(Deployment.class, namespace).stream()
                .map(it -> it.getMetadata().getUid())
                .collect(Collectors.toSet());
    }

    @Override
    public boolean cameLate(String deployment) {
        return late.contains(deployment);
    }

    /** Somebody has deleted Flink's metadata: whoever leads ends by that. */
    void losesMetadata() {
        saved.excuse();
        oracle.letsGo();
        node.loseMetadata();
    }

    /** Somebody deletes the namespace, and all that is in it goes. */
    void endNamespace() {
        if (!isNamespaceEnding) {
            trace("hand: somebody deletes the namespace");
            platform.objects().forget();
            isNamespaceEnding = true;
            oracle.deleted();
            quietly(() -> client().namespaces().withName(namespace).delete());
        }
    }

    @Override
    public boolean isNamespaceEnding() {
        return isNamespaceEnding;
    }

    Refusals refusals() {
        return refusals;
    }

    @Override
    public MetadataRecords metadata(FlinkLaunch launch) {
        return launch.zooKeeperNode()
                .map(zooKeeper::below)
                .orElseGet(() -> FlinkProcess.World.super.metadata(launch));
    }

    @Override
    public boolean standsStill(FlinkProcess process) {
        return hangs.stops(process);
    }

    @Override
    public boolean releasesTaskManager() {
        return scaled.releases();
    }

    @Override
    public void stopping(FlinkProcess process) {
        scaled.removes(process);
    }

    Clocks clocks() {
        return clocks;
    }

    /** By the clock of the operator's node. */
    Instant operatorsNow() {
        return clocks.ofOperator(now());
    }

    @Override
    public Instant flinksNow() {
        return clocks.ofFlink(now());
    }

    void replaceStatus(FlinkDeployment of, ObjectNode status) {
        of.setStatus(status);
        of.getMetadata().setResourceVersion(null);
        quietly(() -> client().resource(of).updateStatus());
    }

    private void goOnBesides() {
        node.step();
        look();
    }

    /** At no time may two jobs run for one resource. */
    void look() {
        List<FlinkProcess> live = node.processes().filter(FlinkProcess::isLive).toList();
        if (live.stream().map(it -> it.launch().deployment()).distinct().count() > 1) {
            oracle.violated("two jobs run for one resource: " + live);
        }
        platform.objects().touched().ifPresent(oracle::violated);
        scaled.looked();
    }

    @Override
    public Optional<FlinkDeployment> resource() {
        return api.find(FlinkDeployment.class, namespace, NAME);
    }

    /** A user creates what was copied before, with the status that it had if that is kept. */
    void restore(Hands.Backup backup) {
        create(backup.spec());
        backup.status()
                .filter(_ -> !isNamespaceEnding)
                .ifPresent(
                        status -> {
                            trace("the status is restored");
                            oracle.restored(backup.past());
                            saved.excuse();
                            replaceStatus(resource().orElseThrow(), status);
                        });
    }

    void create(ObjectNode spec) {
        if (isNamespaceEnding) {
            return;
        }
        var resource = new FlinkDeployment();
        resource.getMetadata().setNamespace(namespace);
        resource.getMetadata().setName(NAME);
        resource.setSpec(spec.deepCopy());
        oracle.begins();
        saved.begins();
        promises.begins();
        version = "";
        lastLaunch = Optional.empty();
        losses.begins();
        isTakenOver = false;
        var created = quietly(() -> client().resource(resource).create());
        wrote(created, spec);
        trace("a user creates " + spec);
    }

    void edit(ObjectNode spec) {
        Optional<FlinkDeployment> there =
                resource().filter(it -> it.getMetadata().getDeletionTimestamp() == null);
        there.filter(it -> !it.getSpec().equals(spec))
                .ifPresent(
                        it -> {
                            var stored = api.edit(FlinkDeployment.class, it, spec);
                            wrote(stored, spec);
                            trace(
                                    "a user writes generation "
                                            + stored.getMetadata().getGeneration()
                                            + " "
                                            + spec.path("job")
                                            + spec.path("flinkConfiguration")
                                            + spec.path("image")
                                            + spec.at("/taskManager/replicas"));
                        });
    }

    private void wrote(FlinkDeployment stored, ObjectNode spec) {
        oracle.wrote(stored.getMetadata().getGeneration(), spec);
        saved.wrote(stored.getMetadata().getGeneration(), spec);
    }

    void delete(DeletionPropagation how) {
        oracle.deleted();
        saved.deleted();
        quietly(
                () ->
                        client().resources(FlinkDeployment.class)
                                .inNamespace(namespace)
                                .withName(NAME)
                                .withPropagationPolicy(how)
                                .delete());
        trace("a user deletes it, " + how);
    }
}
