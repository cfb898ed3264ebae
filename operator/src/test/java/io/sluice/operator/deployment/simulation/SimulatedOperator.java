// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.request.StopRequest;
import io.sluice.operator.cache.Trimmed;
import io.sluice.operator.canary.Canaries;
import io.sluice.operator.child.ChildObjects;
import io.sluice.operator.config.HealthOptions;
import io.sluice.operator.deployment.FlinkDeploymentReconciler;
import io.sluice.operator.deployment.FlinkDeployments;
import io.sluice.operator.deployment.NewResources;
import io.sluice.operator.deployment.simulation.flaw.FlawedReads;
import io.sluice.operator.deployment.simulation.habits.Platform;
import io.sluice.operator.deployment.simulation.hands.ImagePulls;
import io.sluice.operator.deployment.simulation.hands.SameThread;
import io.sluice.operator.deployment.simulation.savings.SavedStates;
import io.sluice.operator.deployment.simulation.scaling.OptionDice;
import io.sluice.operator.leadership.LeadershipGuard;
import io.sluice.operator.model.AutoscalerOverrides;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.observe.ChildResources;
import io.sluice.operator.observe.JobManagerAddress;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.operator.reconcile.StatusStore.Saved;
import io.sluice.operator.world.DurableStates.State;
import io.sluice.operator.world.OperatorProcesses;
import io.sluice.operator.world.ToldEnd;
import io.sluice.rules.canary.CanaryResources;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.RestEndpoint;
import io.sluice.testkit.apiserver.ApiCall;
import io.sluice.testkit.apiserver.CallFault;
import java.net.URI;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;

/** One process of the operator with production's reconciler of FlinkDeployments. */
final class SimulatedOperator
        implements SimulatedFramework.Hooks<FlinkDeployment>,
                OperatorProcesses.Replica,
                SimulatedJobManagers.Asking {
    private final DeploymentWorld world;
    private final Set<DeploymentFlaws> flaws;
    private final SimulatedFramework<FlinkDeployment> framework;
    private final ResourceReconciler<FlinkDeployment, ChildResources> reconciler;
    private final NewResources newResources;
    private final DefaultConfiguration begunWith;
    private final Map<String, ConfigMap> readOnce = new HashMap<>();
    private final Map<String, Deployment> deployments = new TreeMap<>();
    private final Map<String, Pod> pods = new TreeMap<>();
    private final Map<String, ConfigMap> overrides = new TreeMap<>();
    private Optional<Runnable> postponed = Optional.empty();
    private final ToldEnd toldEnd = new ToldEnd();
    private Optional<Integer> seen = Optional.empty();

    /** The best state when it began to look at the resource, and the job that was started last. */
    private Optional<State> before = Optional.empty();

    private Optional<String> jobBefore = Optional.empty();

    /** The job that was up then, unless its stop was on record. */
    private Optional<SavedStates.Run> up = Optional.empty();

    SimulatedOperator(DeploymentWorld world, Set<DeploymentFlaws> flaws) {
        this.world = world;
        this.flaws = flaws;
        this.begunWith = world.defaults();
        this.newResources = new NewResources(world::nanos);
        framework =
                new SimulatedFramework<>(
                        world,
                        new SimulatedFramework.Kind<>(
                                FlinkDeployment.class,
                                List.of(DeploymentWorld.NAME),
                                FlinkDeploymentReconciler.FINALIZER,
                                FlinkDeployment::new),
                        this);
        var guard = new LeadershipGuard(framework::leads);
        var production =
                new FlinkDeployments(
                        world.client(),
                        new SimulatedJobManagers(this, flaws),
                        new JobManagerAddress(RestEndpoint.IN_CLUSTER, this::defaults),
                        this::defaults,
                        world.platform().validators(),
                        (_, notes) -> tell(notes),
                        false,
                        new ObservationMemory(world::nanos),
                        new ChildObjects(world.client(), SameThread::new, guard::check),
                        world::operatorsNow);
        reconciler =
                guard.guarded(canaries().apart(production.reconciler(UnaryOperator.identity())));
        framework.watchResources();
        framework.watchClusters(deployments, pods);
        if (world.scaled().isOn()) {
            framework.watch(
                    ConfigMap.class,
                    "component=autoscaler",
                    (isThere, it) -> framework.keep(overrides, isThere, Trimmed.overrides(it)));
        }
    }

    private Canaries canaries() {
        return new Canaries(
                () -> new CanaryResources(Set.of(world.namespace())),
                () -> HealthOptions.of(defaults()),
                (_, _) -> {},
                world::operatorsNow);
    }

    private void tell(List<ResourceEvent> notes) {
        if (!isDead()) {
            notes.forEach(each -> world.trace("event: " + each.message()));
            // Once another process has had a job started, what was agreed to is carried out.
            world.promises()
                    .told(notes, before.filter(_ -> jobBefore.equals(world.oracle().job())));
            notes.stream()
                    .filter(each -> each.message().contains("they are left as they are."))
                    .forEach(_ -> world.losses().toldOfLeft());
        }
    }

    @Override
    public void told(FlinkDeployment resource, boolean isNew) {
        newResources.told(resource);
        if (isNew) {
            newResources.added(resource);
        }
    }

    @Override
    public SimulatedFramework<FlinkDeployment> framework() {
        return framework;
    }

    @Override
    public void released(FlinkDeployment resource) {
        world.promises().goesOn("a resource is let go");
    }

    @Override
    public void act(Runnable turn) {
        world.operators().act(this, turn);
    }

    @Override
    public void meanwhile() {
        world.operators().meanwhile(this);
    }

    @Override
    public Outcome reconcile(FlinkDeployment resource) {
        toldEnd.forget();
        seen = Optional.empty();
        world.losses().looks();
        before = world.oracle().best();
        jobBefore = world.oracle().job();
        boolean isStopping =
                resource.getStatus() != null && resource.getStatus().at("/attempt").has("stop");
        up = world.promises().up().filter(_ -> !isStopping);
        flawed(resource);
        if (resource.getStatus() != null) {
            FlawedReads.of(resource, flaws);
        }
        Outcome outcome = reconciled(resource);
        postponed.ifPresent(Runnable::run);
        postponed = Optional.empty();
        world.promises().looked();
        return outcome;
    }

    private Outcome reconciled(FlinkDeployment resource) {
        try {
            return reconciler.reconcile(resource, children(resource), this::save);
        } catch (RuntimeException fault) {
            world.promises().scalings().lost();
            throw fault;
        }
    }

    /** As a flawed operator reads a status that is not its own. */
    private void flawed(FlinkDeployment resource) {
        if (resource.getStatus() == null || resource.getStatus().has("attempt")) {
            return;
        }
        ObjectNode read = resource.getStatus().deepCopy();
        if (flaws.contains(DeploymentFlaws.THEIR_PATH_UNREAD)) {
            read.withObject("/jobStatus").remove(List.of("upgradeSavepointPath", "savepointInfo"));
        }
        if (flaws.contains(DeploymentFlaws.THEIR_SUSPENSION_UNREAD)) {
            ObjectNode of = read.withObject("/reconciliationStatus");
            of.put(
                    "lastReconciledSpec",
                    of.path("lastReconciledSpec")
                            .asText()
                            .replace("\"state\":\"suspended\"", "\"state\":\"running\""));
        }
        resource.setStatus(read);
    }

    /** The defaults as this process has read them. */
    private DefaultConfiguration defaults() {
        if (flaws.contains(DeploymentFlaws.DEFAULTS_READ_ONCE)) {
            return begunWith;
        }
        Map<String, String> untrue = new TreeMap<>(world.defaults().base().entries());
        if (flaws.contains(DeploymentFlaws.SCALES_BY_RESTART)) {
            untrue.put(OptionDice.IN_PLACE, "false");
        }
        if (flaws.contains(DeploymentFlaws.DEADLINE_IGNORED)) {
            untrue.put(OptionDice.DEADLINE, "1 s");
        }
        if (flaws.contains(DeploymentFlaws.SAVES_UNASKED)) {
            untrue.put(OptionDice.PERIODIC_SAVEPOINT, "90 s");
        }
        return untrue.equals(world.defaults().base().entries())
                ? world.defaults()
                : new DefaultConfiguration(new FlinkConfiguration(untrue));
    }

    private Optional<ConfigMap> overrides(FlinkDeployment resource) {
        Optional<ConfigMap> now =
                Optional.ofNullable(
                        overrides.get(
                                AutoscalerOverrides.PREFIX + resource.getMetadata().getName()));
        return flaws.contains(DeploymentFlaws.OVERRIDES_READ_ONCE)
                ? now.map(
                        map -> readOnce.computeIfAbsent(resource.getMetadata().getUid(), _ -> map))
                : now;
    }

    private ChildResources children(FlinkDeployment resource) {
        boolean isNew =
                flaws.contains(DeploymentFlaws.ERASED_STATUS_IS_NEW)
                        && (resource.getStatus() == null
                                || !resource.getStatus().has("reconciliationStatus"));
        if (isNew) {
            return new ChildResources(
                    Optional.empty(),
                    Optional.empty(),
                    List.of(),
                    Optional.empty(),
                    List.of(),
                    Optional.empty(),
                    List.of(),
                    false);
        }
        return new ChildResources(
                Optional.ofNullable(deployments.get(resource.getMetadata().getName())),
                Optional.ofNullable(
                        deployments.get(
                                ChildResources.taskManagersOf(resource.getMetadata().getName()))),
                pods(false),
                overrides(resource),
                List.of(),
                Optional.empty(),
                pods(true),
                newResources.contains(resource));
    }

    private List<Pod> pods(boolean pullImages) {
        return pods.values().stream()
                .filter(pod -> ImagePulls.isOne(pod) == pullImages)
                .map(this::flawed)
                .toList();
    }

    private Pod flawed(Pod pod) {
        return flaws.contains(DeploymentFlaws.NOTHING_REMEMBERED)
                ? new PodBuilder(pod)
                        .editMetadata()
                        .withResourceVersion(world.newName())
                        .endMetadata()
                        .build()
                : pod;
    }

    private Saved save(FlinkDeployment read, ObjectNode status) {
        if (flaws.contains(DeploymentFlaws.STATUS_AFTER_EFFECT)) {
            postponed = Optional.of(() -> store(read, status));
            return Saved.KEPT;
        }
        return store(read, status);
    }

    private Saved store(FlinkDeployment read, ObjectNode status) {
        if (flaws.contains(DeploymentFlaws.DOWNTIME_UNTRUE)
                && status.path("lastUpgrade") instanceof ObjectNode upgrade) {
            upgrade.set("runningTime", upgrade.path("stopRequestedTime"));
        }
        boolean isStored = SimulatedFramework.isStored(read, status);
        if (isStored && flaws.contains(DeploymentFlaws.REPEATS_UNASKED)) {
            return Saved.KEPT;
        }
        if (!isStored && flaws.contains(DeploymentFlaws.STATUS_WITHOUT_VERSION)) {
            world.resource()
                    .ifPresent(
                            now ->
                                    read.getMetadata()
                                            .setResourceVersion(
                                                    now.getMetadata().getResourceVersion()));
        }
        return framework.store(
                read,
                status,
                () -> {
                    toldEnd.stored(world.oracle());
                    seen.ifPresent(world::sees);
                    world.promises().tells(status, up);
                });
    }

    @Override
    public SimulatedNode.World world() {
        return world;
    }

    @Override
    public boolean isCutOff(String what) {
        return framework.isCutOff(what);
    }

    @Override
    public Optional<FlinkProcess> answering(URI at, boolean isLate) {
        return world.node()
                .answering(isLate)
                .filter(it -> world.losses().isReachable() && !world.hangs().silences(it));
    }

    @Override
    public void asks(String what) {
        if (!what.equals("jobs")) {
            world.asked();
        }
    }

    @Override
    public void sees(FlinkProcess process) {
        seen = Optional.of(process.line());
    }

    @Override
    public void looked(Reply<List<JobOverview>> told) {
        if (told instanceof Reply.Ok<List<JobOverview>>(var jobs)) {
            toldEnd.looked(jobs);
        } else {
            world.saved().unanswered();
            world.promises().unanswered();
        }
    }

    @Override
    public void toldEndOf(String jobId, FlinkProcess process) {
        toldEnd.of(jobId, process.line());
    }

    @Override
    public void untold() {
        toldEnd.untold();
    }

    @Override
    public void cancels(FlinkProcess process) {
        world.endsJob();
        world.scaled().asksForEnd(process);
    }

    @Override
    public void stops(FlinkProcess process, String jobId, StopRequest request) {
        world.scaled().asksForEnd(process);
        world.promises().ends(process);
        world.oracle()
                .asksForStop(
                        process.launch().generation(),
                        jobId,
                        spec -> Platform.asksFor(request.format().name(), spec));
        world.hangs().isToStop(process, world.dice());
    }

    @Override
    public void scales(FlinkProcess process, String bounds) {
        world.promises().scalings().asks(process.launch().deployment(), bounds);
    }

    @Override
    public void asksToSave(SavepointRequests.Kind kind) {
        world.saved().asked(kind);
    }

    @Override
    public void saves(SavepointRequests.Kind kind) {
        world.scaled().asksToSave(kind);
    }

    @Override
    public void disposes(String path, Optional<String> startedFrom) {
        world.dispose(path, startedFrom);
    }

    @Override
    public boolean measures() {
        return world.scaled().isOn();
    }

    /** Whether the JobManager goes by the call. */
    private static boolean endsJob(ApiCall call) {
        return call.type().plural().equals("deployments")
                && call.name().filter(DeploymentWorld.NAME::equals).isPresent()
                && (call.verb() == ApiCall.Verb.DELETE
                        || call.subresource().filter("scale"::equals).isPresent());
    }

    @Override
    public CallFault fault(ApiCall call) {
        world.asked();
        CallFault fault = framework.fault(call);
        if (endsJob(call) && !(fault instanceof CallFault.Answer)) {
            world.endsJob();
        }
        if (fault instanceof CallFault.None || fault instanceof CallFault.ReplyLost) {
            world.promises().writes(call);
        }
        if (call.verb().writes() && call.type().plural().equals("deployments")) {
            world.scaled().touchesDeployments();
        }
        if (fault.equals(CallFault.NONE)
                && flaws.contains(DeploymentFlaws.METADATA_DELETED_WITH_CLUSTER)
                && call.verb() == ApiCall.Verb.DELETE
                && call.type().plural().equals("deployments")) {
            world.deleteMetadata();
        }
        return fault;
    }
}
