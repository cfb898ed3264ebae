// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkDeploymentStatus;
import io.sluice.api.FlinkVersion;
import io.sluice.api.JobSpec;
import io.sluice.api.JobState;
import io.sluice.api.JobStatus;
import io.sluice.api.ReconciledSpec;
import io.sluice.api.UpgradeMode;
import io.sluice.operator.act.HighAvailabilityMetadata;
import io.sluice.operator.decide.Decider;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.decide.step.CancelBeforeRemoval;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.RestorableState;
import io.sluice.operator.deployment.FlinkDeploymentReconciliation;
import io.sluice.operator.manifest.ClusterPlan;
import io.sluice.operator.manifest.StartFrom;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.observe.ChildResources;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.reconcile.Reconciliation;
import io.sluice.operator.reconcile.StatusStore;
import io.sluice.operator.simulation.flaw.Flaws;
import io.sluice.operator.simulation.flaw.LeadershipFlaws;
import io.sluice.operator.system.LastOf;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.FlinkOptions;
import io.sluice.rules.config.option.LifecycleOptions;
import io.sluice.testkit.sim.Cluster;
import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.FlinkProcess;
import io.sluice.testkit.sim.FlinkStorage;
import io.sluice.testkit.sim.History;
import io.sluice.testkit.sim.Launch;
import io.sluice.testkit.sim.World;
import io.sluice.testkit.sim.World.Resource;
import io.sluice.testkit.sim.World.Written;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * The operator's process in a simulated world: the production pass, with ports that fail. A crash
 * starts a new process, which remembers nothing.
 */
final class SimulatedOperator {
    static final String NAMESPACE = "shop";
    private static final String LAST_SPEC = "/reconciliationStatus/lastReconciledSpec";
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What is read is simulated another way. */
    private static final ChildResources NO_CHILDREN =
            new ChildResources(Optional.empty(), List.of(), Optional.empty());

    private final SimulatedAutoscaler autoscaler;
    private final SimulatedDefaults defaults;
    private final World world;
    private final Environment environment;
    private final Set<Flaws> flaws;
    private final SimulatedLeadership leadership;
    private final Map<Integer, Replica> processes = new HashMap<>();

    /** The one whose pass is under way. */
    private Replica process;

    private final SimulatedSavings savings;
    private Optional<Long> redeployed = Optional.empty();
    private String redeployedBy = "";
    private final SimulatedRedeployments redeployments;
    private final LastOf<Resource, FlinkDeployment> read = new LastOf<>();
    private final Set<String> told = new HashSet<>();
    private final Map<String, Instant> recordedAt = new HashMap<>();

    /** Since when the job of the last attempt is being stopped. */
    private Optional<Instant> stoppedAt = Optional.empty();

    /** Attempts that the user's own word lets begin from nothing. */
    private final Set<String> fresh = new HashSet<>();

    /** Whether what is on record may be another's doing. */
    private boolean isTampered;

    private int tamperedAt;

    private Instant warnedAt = Instant.EPOCH;
    private int statusWrites;
    private Optional<String> wrong = Optional.empty();

    /** What a process has read and remembers. */
    private final class Replica {
        private final History.LateReader<Optional<Resource>> resources = world.resource().watch();
        private final Map<String, String> refusals = new HashMap<>();
        private final ObservationMemory memory = new ObservationMemory(environment.clock()::nanos);
        private final SimulatedObserver observer =
                new SimulatedObserver(world, autoscaler, defaults, flaws, refusals, memory);
        private final SimulatedSteady steady = new SimulatedSteady();
        private Optional<ObservedState> found = Optional.empty();
        private boolean acted;
        private long ownWrite;
    }

    SimulatedOperator(
            World world,
            SimulatedAutoscaler autoscaler,
            SimulatedDefaults defaults,
            Set<Flaws> flaws,
            SimulatedLeadership leadership) {
        this.world = world;
        this.autoscaler = autoscaler;
        this.defaults = defaults;
        this.environment = world.environment();
        this.flaws = flaws;
        savings = new SimulatedSavings(world, _ -> world.cluster().answering(), flaws);
        redeployments = new SimulatedRedeployments(world.cluster().storage());
        this.leadership = leadership;
        leadership.start(this::start, _ -> {});
        process = processes.get(leadership.leader());
    }

    private void start(int number) {
        processes.put(number, new Replica());
    }

    /** What no reconciliation may ever do, once one has done it. */
    Optional<String> wrong() {
        return wrong.or(savings::wrong);
    }

    boolean isDeleting(String path) {
        return savings.isDeleting(path);
    }

    int statusWrites() {
        return statusWrites;
    }

    /** All its processes start anew, with what an administrator has configured. */
    void restart() {
        List.copyOf(processes.keySet()).forEach(this::start);
        process = processes.get(leadership.leader());
    }

    /** Somebody else has written the status: what was on record may not be any more. */
    void tampered() {
        isTampered = true;
        tamperedAt = statusWrites;
        told.clear();
        world.cluster().answering().ifPresent(FlinkProcess::forgetWhoAsked);
    }

    /** Whether the status is as somebody else has written it. */
    boolean hasNotWrittenSince() {
        return isTampered && tamperedAt == statusWrites;
    }

    /** When somebody was warned last, of whatever it was. */
    Instant warnedAt() {
        return warnedAt;
    }

    /** One pass of the process that leads, however it ends. */
    void pass() {
        Replica interrupted = process;
        leadership.pass(
                number -> {
                    process = processes.get(number);
                    process.resources
                            .read(environment.faults(), environment.dice(), 25)
                            .filter(read -> read.version() >= process.ownWrite)
                            .ifPresent(this::pass);
                });
        process = interrupted;
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
        FlinkDeployment resource = this.read.get(read, SimulatedOperator::resource);
        savings.begin(read);
        if (flaws.contains(Flaws.STATUS_AFTER_EFFECT)) {
            process.ownWrite = read.version();
            Decision decision = Decider.decide(process.observer.observe(resource));
            decision.actions().forEach(action -> perform(resource, action));
            save(read, decision.status().onto(resource.getStatus()));
            return;
        }
        process.acted = false;
        var outcome =
                leadership
                        .fence()
                        .<FlinkDeployment, ChildResources>guarded(this::run)
                        .reconcile(
                                resource,
                                NO_CHILDREN,
                                (_, status) ->
                                        save(read, status)
                                                ? StatusStore.Saved.KEPT
                                                : StatusStore.Saved.CONFLICT);
        environment.trace().add("      " + outcome.reason() + " " + outcome.checkAgain());
        process.found
                .flatMap(
                        observed ->
                                process.steady.passed(
                                        read, observed, outcome, process.acted, process.memory))
                .ifPresent(broken -> wrong = Optional.of(broken));
        if (outcome.released()) {
            release(read);
        }
    }

    private Reconciliation.Outcome run(
            FlinkDeployment resource,
            ChildResources childResources,
            StatusStore<FlinkDeployment> store) {
        return new FlinkDeploymentReconciliation(
                        this::observed,
                        store,
                        this::perform,
                        (_, notes) -> tell(notes),
                        process.memory)
                .run(resource);
    }

    private ObservedState observed(FlinkDeployment resource) {
        ObservedState observed = process.observer.observe(resource);
        process.found = Optional.of(observed);
        return observed;
    }

    private void tell(List<ResourceEvent> notes) {
        notes.forEach(event -> environment.trace().digest(event.reason() + event.message()));
        if (notes.stream().anyMatch(event -> event.kind() == ResourceEvent.Kind.WARNING)) {
            warnedAt = environment.clock().instant();
        }
        notes.stream()
                .filter(event -> event.reason().equals("JobException"))
                .filter(event -> !told.add(event.key()))
                .forEach(event -> wrong = Optional.of("told twice: " + event));
    }

    private boolean save(Resource read, ObjectNode decided) {
        ObjectNode status = decided;
        if (flaws.contains(Flaws.PATH_NOT_RECORDED)
                && status.get("jobStatus") instanceof ObjectNode job) {
            job.remove("upgradeSavepointPath");
        }
        if (flaws.contains(Flaws.EXCEPTIONS_NOT_RECORDED)
                && status.get("jobStatus") instanceof ObjectNode job) {
            job.remove("lastExceptionTimestamp");
        }
        if (flaws.contains(Flaws.ROLLBACK_NOT_REMEMBERED)
                && status.at("/reconciliationStatus/state").asText().equals("ROLLED_BACK")) {
            status.withObject("/reconciliationStatus").put("state", "DEPLOYED");
            status.withObject("/attempt").remove("rolledBack");
        }
        return store(read, status);
    }

    /** Only what has run may be gone back to. */
    private void checkStable(ObjectNode status) {
        Optional<ReconciledSpec> stable =
                Optional.of(status.at("/reconciliationStatus/lastStableSpec").asText())
                        .flatMap(ReconciledSpec::decode)
                        .filter(spec -> Specs.isBad(spec.spec()))
                        .filter(spec -> spec.spec().at("/job/state").asText().equals("running"));
        if (stable.isPresent()) {
            wrong = Optional.of("a spec that never ran is taken for stable");
        }
    }

    private boolean store(Resource read, ObjectNode status) {
        leadership.pause();
        Written written =
                environment
                        .faults()
                        .effect(
                                "save status " + status.at("/conditions/1/reason").asText(),
                                () -> replace(read, status));
        if (written == Written.DONE && !Reconciliation.isSame(status, read.status())) {
            if (Boolean.getBoolean("sim.statuses")) {
                environment.trace().add("        " + status);
            }
            environment.trace().digest(status.toString());
            statusWrites++;
            savings.stored(read.status(), status, process.observer.sawJobUp());
        }
        return written == Written.DONE;
    }

    /** What the user agreed to holds from then on, though the operator should never hear of it. */
    private Written replace(Resource read, ObjectNode status) {
        boolean agrees = isToBeRedeployed(read);
        Resource base =
                leadership.has(LeadershipFlaws.STATUS_WITHOUT_VERSION)
                        ? world.resource().latest().orElse(read)
                        : read;
        Written written = own(world.replaceStatus(base, asStored(status)));
        if (written == Written.DONE && agrees) {
            redeployments.stored(read, status);
        }
        if (written == Written.DONE) {
            checkStable(status);
            agree(read, base.status(), status);
            forgetNonce(read, status);
            noteSeen(base.status(), status);
            recordedAt.putIfAbsent(
                    status.at("/attempt/id").asText(), environment.clock().instant());
            if (status.path("attempt").has("stop") && stoppedAt.isEmpty()) {
                stoppedAt = Optional.of(environment.clock().instant());
            }
        }
        return written;
    }

    /**
     * The user's own word, not what is on record of it: an attempt, or a rest, that is begun while
     * the user asks for a stateless job, be it in a broken spec, may go without the state that was
     * there.
     */
    private void agree(Resource read, ObjectNode before, ObjectNode status) {
        String attempt = status.at("/attempt/id").asText();
        boolean begins = !attempt.isEmpty() && !attempt.equals(before.at("/attempt/id").asText());
        boolean rests =
                Specs.isSuspended(read)
                        && !status.at(LAST_SPEC).equals(before.at(LAST_SPEC))
                        && status.at(LAST_SPEC).asText().contains("\"state\":\"suspended\"");
        boolean wantsNoState = !Specs.isStateful(read);
        boolean isYetToBegin =
                !attempt.isEmpty()
                        && !world.cluster().storage().hasBegun(attempt)
                        && !status.at(LAST_SPEC).equals(before.at(LAST_SPEC));
        if (wantsNoState && (begins || rests || isYetToBegin)) {
            world.cluster().storage().renounce();
            fresh.add(attempt);
        }
    }

    /** A nonce that the user took back, and that is off the record, may be asked for again. */
    private void forgetNonce(Resource read, ObjectNode status) {
        boolean isTakenBack =
                !Specs.isBroken(read)
                        && !read.spec().path("job").has("savepointRedeployNonce")
                        && !status.at(LAST_SPEC).asText().contains("savepointRedeployNonce");
        if (isTakenBack) {
            redeployed = Optional.empty();
        }
    }

    private Written own(Written written) {
        if (written == Written.DONE) {
            process.ownWrite = world.resource().latest().map(Resource::version).orElse(0L);
        }
        return written;
    }

    private void perform(FlinkDeployment resource, Action action) {
        leadership.pause();
        process.acted = true;
        switch (action) {
            case Action.CreateCluster(var plan) -> create(plan);
            case Action.DeleteCluster(var uid, _) -> delete(resource, uid);
            case Action.StopJobManager(var uid) ->
                    remove(resource, uid, "stop", world.cluster()::stopJobManager);
            case Action.StopWithSavepoint(var jobId, var request) ->
                    effect(
                            "stop " + request.triggerId().substring(0, 6),
                            process ->
                                    process.askToStop(
                                            jobId,
                                            trigger(request.triggerId()),
                                            leadership.hasStood() || isTampered,
                                            request.folder().isPresent()));
            case Action.CancelJob _
                    when flaws.contains(Flaws.REMOVED_UNCANCELLED) && isStateless(resource) ->
                    world.cluster()
                            .objects()
                            .latest()
                            .deployment()
                            .ifPresent(standing -> delete(resource, standing.uid()));
            case Action.CancelJob(var jobId) -> {
                checkCancellation(resource, jobId);
                effect("cancel", process -> process.cancel(jobId));
            }
            case Action.ScaleInPlace(_, var bounds) ->
                    effect(
                            "scale",
                            process -> process.rescale(bounds.values().iterator().next().upper()));
            case Action.TriggerSavepoint asked -> savings.savepoint(asked, leadership.leads());
            case Action.TriggerCheckpoint asked -> savings.checkpoint(asked, leadership.leads());
            case Action.DisposeSavepoint(var location) ->
                    savings.dispose(resource.getMetadata().getUid(), location, process.memory);
            case Action.ProvideTaskManagers _, Action.DeleteTaskManagers _, Action.Release _ -> {}
            case Action.UploadJar _, Action.RunJar _, Action.DeleteJar _ ->
                    throw new IllegalStateException("an application has no jar to hand over");
        }
    }

    private void checkCancellation(FlinkDeployment resource, String jobId) {
        boolean isLoss =
                world.cluster()
                        .answering()
                        .filter(process -> process.jobId().equals(jobId))
                        .filter(this::isLossOf)
                        .isPresent();
        if (isLoss && isKept(resource)) {
            wrong = Optional.of("a running job that makes no checkpoints was cancelled");
        }
    }

    private boolean isLossOf(FlinkProcess process) {
        return process.holdsAllItself()
                && !world.cluster().storage().isRenounced(process.attempt());
    }

    /** Whether the resource is there still, and its user asks for no other state. */
    private boolean isKept(FlinkDeployment resource) {
        return world.resource()
                .latest()
                .filter(now -> now.uid().equals(resource.getMetadata().getUid()))
                .filter(now -> !now.deleting() && !isToBeRedeployed(now))
                .filter(Specs::isStateful)
                .isPresent();
    }

    private void effect(String name, Consumer<FlinkProcess> effect) {
        environment.faults().effect(name, () -> world.cluster().answering().ifPresent(effect));
    }

    private String trigger(String recorded) {
        return flaws.contains(Flaws.RANDOM_TRIGGER)
                ? recorded + environment.dice().below(1000)
                : recorded;
    }

    private void create(ClusterPlan plan) {
        String attempt = plan.attempt();
        if (environment.faults().strikes(5)) {
            process.refusals.put(attempt, "quota exceeded");
            return;
        }
        if (!isCurrent(plan.uid()) && !leadership.has(LeadershipFlaws.SUPERSEDED_IS_CREATED)) {
            return;
        }
        if (world.cluster().objects().latest().deployment().isEmpty()) {
            Optional<String> objection = prepare(plan);
            if (objection.isPresent()) {
                process.refusals.put(attempt, objection.get());
                return;
            }
        }
        process.refusals.remove(attempt);
        String content = Specs.content(plan.spec());
        checkEnd(plan, content);
        Launch launch = launch(plan);
        environment
                .faults()
                .effect(
                        "create " + attempt.substring(0, 6) + " from " + plan.from(),
                        () -> {
                            Written written =
                                    world.cluster().create(launch, plan.generation(), content);
                            if (written == Written.DONE) {
                                stoppedAt = Optional.empty();
                                redeployedBy = launch.mayLoseState() ? attempt : redeployedBy;
                                redeployed =
                                        plan.spec()
                                                .job()
                                                .flatMap(JobSpec::savepointRedeployNonce)
                                                .or(() -> redeployed);
                            }
                        });
    }

    /**
     * A job that has ended is started again for a changed spec, or because an option asks. What was
     * reconciled last the last edit may be started after it, and then be of its generation. A
     * restart that was on record before the end is carried out, as one whose stop was, if the job
     * failed: that may be the stop's doing.
     */
    private void checkEnd(ClusterPlan plan, String content) {
        Options options = new Options(plan.effective());
        boolean again =
                options.get(LifecycleOptions.RESTART_FAILED)
                        || options.get(LifecycleOptions.ROLLBACK);
        boolean stands = world.cluster().objects().latest().deployment().isPresent();
        world.cluster()
                .former()
                .filter(_ -> !stands && !isTampered)
                .filter(former -> former.generation() == plan.generation())
                .filter(former -> former.content().equals(content))
                .filter(
                        former ->
                                former.at()
                                        .isBefore(
                                                recordedAt.getOrDefault(
                                                        plan.attempt(), Instant.MAX)))
                .filter(
                        former ->
                                !former.end().equals("FAILED")
                                        || !(again
                                                || stoppedAt
                                                        .filter(stop -> !former.at().isBefore(stop))
                                                        .isPresent()))
                .ifPresent(
                        former ->
                                wrong =
                                        Optional.of(
                                                "a job that was "
                                                        + former.end()
                                                        + " is started again"));
    }

    /** Whether the resource is as this pass stored it. */
    private boolean isCurrent(String uid) {
        return world.resource()
                .latest()
                .filter(now -> now.uid().equals(uid) && now.version() == process.ownWrite)
                .isPresent();
    }

    /** What {@link HighAvailabilityMetadata} does in a real cluster. */
    private Optional<String> prepare(ClusterPlan plan) {
        FlinkStorage storage = world.cluster().storage();
        if (plan.from() instanceof StartFrom.LastState
                && !storage.recoverable().contains(plan.jobId())) {
            return Optional.of("no metadata");
        }
        boolean isPrecious =
                plan.from() instanceof StartFrom.Nothing
                        && !isStateless(plan)
                        && storage.recoverable().stream().anyMatch(it -> !it.equals(plan.jobId()));
        if (isPrecious) {
            return Optional.of("metadata of an earlier job");
        }
        environment
                .faults()
                .effect(
                        "prepare metadata",
                        () -> {
                            if (!(plan.from() instanceof StartFrom.LastState)) {
                                storage.clearMetadata(
                                        isStateless(plan)
                                                ? Optional.empty()
                                                : Optional.of(plan.jobId()));
                            }
                            if (!flaws.contains(Flaws.JOB_GRAPH_KEPT)) {
                                storage.clearGraphs();
                            }
                        });
        return Optional.empty();
    }

    private Launch launch(ClusterPlan plan) {
        boolean lossy =
                flaws.contains(Flaws.ROLLBACK_WITHOUT_STATE) && isRollingBack(plan.attempt());
        Optional<String> path = lossy ? Optional.empty() : RestorableState.recorded(plan.from());
        Optional<Long> nonce = plan.spec().job().flatMap(JobSpec::savepointRedeployNonce);
        boolean asked =
                nonce.isPresent()
                        && (!nonce.equals(redeployed) || plan.attempt().equals(redeployedBy))
                        && path.equals(plan.spec().job().flatMap(JobSpec::initialSavepointPath));
        return new Launch(
                plan.attempt(),
                plan.jobId(),
                path,
                new Options(plan.effective()).isHighlyAvailable(),
                fresh.contains(plan.attempt())
                        || asked
                        || redeployments.allow(plan.attempt(), path),
                plan.spec().flinkVersion().map(FlinkVersion::wire).orElse(""),
                saving(plan));
    }

    private static Launch.Saving saving(ClusterPlan plan) {
        Options effective = new Options(plan.effective());
        return new Launch.Saving(
                !effective.value(FlinkOptions.DELETES_RESULTS).orElse(false),
                Specs.makesCheckpoints(plan.spec(), effective),
                !effective.text(Specs.RETENTION).equals(Optional.of(Specs.DELETE)),
                effective.text(Specs.FOLDER).isPresent());
    }

    private boolean isRollingBack(String attempt) {
        return world.resource()
                .latest()
                .filter(now -> now.status().at("/attempt/id").asText().equals(attempt))
                .filter(now -> now.status().at("/attempt/rolledBack").asBoolean())
                .isPresent();
    }

    private static boolean isStateless(ClusterPlan plan) {
        return plan.spec().job().map(JobSpec::upgradeMode).orElse(UpgradeMode.STATELESS)
                == UpgradeMode.STATELESS;
    }

    /**
     * Once an attempt's job is on record as seen, what becomes of its state is known; once its end
     * is, or another attempt in its place, it is over.
     */
    private void noteSeen(ObjectNode before, ObjectNode status) {
        FlinkStorage storage = world.cluster().storage();
        String attempt = status.at("/attempt/id").asText();
        String former = before.at("/attempt/id").asText();
        if (!status.at("/jobStatus/startTime").isMissingNode()) {
            storage.observe(attempt);
        }
        if (FlinkDeploymentStatus.of(status)
                .jobStatus()
                .state()
                .filter(JobState::isTerminal)
                .isPresent()) {
            storage.settle(attempt);
        }
        if (!former.equals(attempt)) {
            storage.settle(former);
        }
    }

    private static boolean isStateless(FlinkDeployment resource) {
        return resource.getSpec().at("/job/upgradeMode").asText().equals("stateless");
    }

    /** A stateless job that was seen to run is cancelled first, unless that has taken too long. */
    private void checkCancelled(FlinkDeployment resource) {
        FlinkDeploymentStatus stored =
                world.resource()
                        .latest()
                        .map(Resource::status)
                        .map(FlinkDeploymentStatus::of)
                        .orElse(FlinkDeploymentStatus.NEW);
        JobStatus job = stored.jobStatus();
        boolean isExempt =
                !isStateless(resource)
                        || stored.reconciliationStatus()
                                .lastReconciledSpec()
                                .flatMap(ReconciledSpec::decode)
                                .filter(spec -> Specs.mode(spec.spec()).equals("stateless"))
                                .isEmpty()
                        || job.state().filter(JobState::isTerminal).isPresent()
                        || job.upgradeSavepointPath().isPresent();
        boolean isPatient =
                job.updateTime()
                        .map(since -> since.plus(CancelBeforeRemoval.LIMIT))
                        .filter(environment.clock().instant()::isBefore)
                        .isPresent();
        boolean wasSeen =
                process.found.stream()
                        .flatMap(it -> Stream.of(it.job(), it.run().former()))
                        .filter(JobView.Seen.class::isInstance)
                        .map(JobView.Seen.class::cast)
                        .anyMatch(
                                seen ->
                                        world.cluster()
                                                .answering()
                                                .filter(FlinkProcess::isUncancelled)
                                                .filter(it -> it.launch().mayLoseState())
                                                .map(FlinkProcess::jobId)
                                                .equals(Optional.of(seen.overview().id())));
        if (!isExempt && isPatient && wasSeen) {
            wrong = Optional.of("a stateless job was removed that nobody had cancelled");
        }
    }

    private void delete(FlinkDeployment resource, String uid) {
        remove(resource, uid, "delete", world.cluster()::delete);
    }

    private void remove(
            FlinkDeployment resource, String uid, String how, Consumer<String> removal) {
        boolean stands =
                world.cluster().objects().latest().deployment().stream()
                        .anyMatch(deployment -> deployment.uid().equals(uid));
        if (!stands || !isCurrent(resource.getMetadata().getUid())) {
            return;
        }
        if (!leadership.hasStood()) {
            checkRemoval(resource, uid);
        }
        environment
                .faults()
                .effect(
                        how + " " + uid,
                        () -> {
                            if (flaws.contains(Flaws.DELETION_NOT_AWAITED)) {
                                world.cluster().deleteBehindTheBack();
                            } else {
                                removal.accept(uid);
                            }
                        });
    }

    private void checkRemoval(FlinkDeployment resource, String uid) {
        if (!isTampered) {
            savings.beforeRemoval();
            checkCancelled(resource);
        }
        Optional<Resource> latest = world.resource().latest();
        boolean isUnwanted =
                latest.isEmpty()
                        || latest.get().deleting()
                        || !latest.get().uid().equals(resource.getMetadata().getUid());
        boolean sparesIt =
                world.cluster().objects().latest().deployment().stream()
                        .filter(
                                deployment ->
                                        deployment.uid().equals(uid)
                                                && !deployment.terminating()
                                                && !deployment.isMarked())
                        .anyMatch(
                                deployment ->
                                        latest.filter(now -> Specs.isWhatRuns(now, deployment))
                                                .filter(_ -> runs())
                                                .isPresent());
        if (!isUnwanted && sparesIt) {
            wrong = Optional.of("a cluster that runs what the user wants was removed: " + uid);
        }
        boolean holdsState = world.cluster().process().filter(FlinkProcess::holdsState).isPresent();
        if (!isUnwanted && holdsState && !isToBeRedeployed(latest.orElseThrow())) {
            wrong = Optional.of("a cluster was removed before its job's state was safe: " + uid);
        }
        if (world.cluster().answering().filter(this::isLossOf).isPresent() && isKept(resource)) {
            wrong = Optional.of("a running job that makes no checkpoints was removed");
        }
    }

    /** The user names another state to go on from. */
    private boolean isToBeRedeployed(Resource resource) {
        var nonce = resource.spec().at("/job/savepointRedeployNonce");
        return !nonce.isMissingNode() && !redeployed.equals(Optional.of(nonce.asLong()));
    }

    /** An ended job's cluster may be removed at any time. */
    private boolean runs() {
        return world.cluster().process().filter(FlinkProcess::hasEnded).isEmpty();
    }

    private void release(Resource read) {
        leadership.pause();
        if (world.resource().latest().filter(now -> now.uid().equals(read.uid())).isEmpty()) {
            return;
        }
        if (isSomethingLeft()) {
            wrong = Optional.of("released while something was left: " + world.describe());
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
                                                () -> {
                                                    world.cluster()
                                                            .storage()
                                                            .clearMetadata(Optional.empty());
                                                    world.cluster().storage().clearGraphs();
                                                    own(world.setFinalizer(now, false));
                                                }));
    }

    /** Without a status nobody can tell whose pods are on their way out. */
    private boolean isSomethingLeft() {
        Cluster.Objects objects = world.cluster().objects().latest();
        return isTampered ? objects.deployment().isPresent() : !objects.isEmpty();
    }

    private static ObjectNode asStored(ObjectNode status) {
        try {
            return (ObjectNode) JSON.readTree(status.toString());
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static FlinkDeployment resource(Resource read) {
        var resource = new FlinkDeployment();
        resource.getMetadata().setNamespace(NAMESPACE);
        resource.getMetadata().setName("orders");
        resource.getMetadata().setUid(read.uid());
        resource.getMetadata().setGeneration(read.generation());
        resource.getMetadata().setResourceVersion(Long.toString(read.version()));
        if (read.deleting()) {
            resource.getMetadata().setDeletionTimestamp("2026-01-01T00:00:00Z");
        }
        resource.setSpec(read.spec());
        resource.setStatus(read.status());
        return resource;
    }
}
