// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.manifest.ImagePullPod;
import io.sluice.operator.child.ChildObjects;
import io.sluice.operator.deployment.FlinkDeploymentReconciler;
import io.sluice.operator.deployment.FlinkDeployments;
import io.sluice.operator.deployment.NewResources;
import io.sluice.operator.deployment.simulation.FlinkProcess;
import io.sluice.operator.deployment.simulation.SimulatedFramework;
import io.sluice.operator.deployment.simulation.SimulatedJobManagers;
import io.sluice.operator.deployment.simulation.SimulatedNode;
import io.sluice.operator.deployment.simulation.hands.ImagePulls;
import io.sluice.operator.deployment.simulation.hands.SameThread;
import io.sluice.operator.leadership.LeadershipGuard;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.observe.ChildResources;
import io.sluice.operator.observe.JobManagerAddress;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.operator.reconcile.StatusStore.Saved;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.config.RestEndpoint;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** In a process of the operator: production's reconciler of FlinkDeployments, for the halves. */
final class HalfOperator
        implements SimulatedFramework.Hooks<FlinkDeployment>,
                SimulatedJobManagers.Asking,
                PairOperator.Part {
    private final PairWorld world;
    private final PairHalves halves;
    private final PairOperator process;
    private final Set<PairFlaws> flaws;
    private final SimulatedFramework<FlinkDeployment> framework;
    private final ResourceReconciler<FlinkDeployment, ChildResources> reconciler;
    private final NewResources newResources;
    private final Map<String, Deployment> deployments = new TreeMap<>();
    private final Map<String, Pod> pods = new TreeMap<>();
    private Optional<Integer> seen = Optional.empty();

    /**
     * @param leads whether the process does
     */
    HalfOperator(
            PairWorld world, PairOperator process, Set<PairFlaws> flaws, BooleanSupplier leads) {
        this.world = world;
        this.flaws = flaws;
        halves = world.deployed();
        this.process = process;
        newResources = new NewResources(world::nanos);
        framework =
                new SimulatedFramework<>(
                        world,
                        new SimulatedFramework.Kind<>(
                                FlinkDeployment.class,
                                halves.names(),
                                FlinkDeploymentReconciler.FINALIZER,
                                FlinkDeployment::new),
                        this);
        var guard = new LeadershipGuard(leads);
        var production =
                new FlinkDeployments(
                        world.client(),
                        new SimulatedJobManagers(this),
                        new JobManagerAddress(RestEndpoint.IN_CLUSTER, world::defaults),
                        world::defaults,
                        SpecValidators.NONE,
                        this::tell,
                        true,
                        new ObservationMemory(world::nanos),
                        new ChildObjects(world.client(), SameThread::new, guard::check),
                        world::now);
        reconciler = guard.guarded(production.reconciler(UnaryOperator.identity()));
        framework.watchResources();
        framework.watchClusters(deployments, pods);
    }

    private void tell(FlinkDeployment resource, List<ResourceEvent> notes) {
        if (!process.isDead()) {
            notes.forEach(each -> world.trace("event: " + each.message()));
            halves.flink(resource).oracle().told(notes);
        }
    }

    @Override
    public SimulatedFramework<?> framework() {
        return framework;
    }

    @Override
    public void told(FlinkDeployment resource, boolean isNew) {
        newResources.told(resource);
        if (isNew) {
            newResources.added(resource);
        }
    }

    @Override
    public void act(Runnable turn) {
        process.actForPart(turn);
    }

    @Override
    public void meanwhile() {
        process.meanwhile();
    }

    @Override
    public Outcome reconcile(FlinkDeployment resource) {
        seen = Optional.empty();
        return reconciler.reconcile(resource, children(resource), this::store);
    }

    private ChildResources children(FlinkDeployment resource) {
        String name = resource.getMetadata().getName();
        return new ChildResources(
                Optional.ofNullable(deployments.get(name)),
                Optional.ofNullable(deployments.get(ChildResources.taskManagersOf(name))),
                pods(name, false),
                Optional.empty(),
                List.of(),
                Optional.empty(),
                pods(name, true),
                newResources.contains(resource));
    }

    private List<Pod> pods(String cluster, boolean pullImages) {
        return pods.values().stream()
                .filter(
                        pod ->
                                cluster.equals(
                                        pod.getMetadata()
                                                .getLabels()
                                                .get(
                                                        pullImages
                                                                ? ImagePullPod.OWNER_LABEL
                                                                : "app")))
                .filter(pod -> ImagePulls.isOne(pod) == pullImages)
                .toList();
    }

    private Saved store(FlinkDeployment read, ObjectNode status) {
        return framework.store(
                read, flawed(read, status), () -> seen.ifPresent(halves.flink(read)::sees));
    }

    /** What it says of a half: the operator of pairs believes it. */
    private ObjectNode flawed(FlinkDeployment read, ObjectNode status) {
        ObjectNode told = status.deepCopy();
        String lifecycle = status.path("lifecycleState").asText();
        if (flaws.contains(PairFlaws.WORKING_IS_STEADY) && lifecycle.equals("DEPLOYED")) {
            told.put("lifecycleState", "STABLE").withObject("/jobStatus").put("state", "RUNNING");
        }
        boolean isToStop = read.getSpec().at("/job/state").asText().equals("suspended");
        if (flaws.contains(PairFlaws.STOP_NOT_AWAITED)
                && isToStop
                && lifecycle.equals("UPGRADING")) {
            told.withObject("/jobStatus").put("upgradeSavepointPath", "s3://s/savepoint-to-be");
            told.path("conditions")
                    .forEach(each -> ((ObjectNode) each).put("reason", Reason.SUSPENDED.wire()));
        }
        return told;
    }

    @Override
    public SimulatedNode.World world() {
        return world;
    }

    @Override
    public boolean isCutOff(String what) {
        return process.isCutOff(what);
    }

    @Override
    public Optional<FlinkProcess> answering(URI at, boolean isLate) {
        return halves.answering(at, isLate);
    }

    @Override
    public void sees(FlinkProcess told) {
        seen = Optional.of(told.line());
    }

    @Override
    public void disposes(String path, Optional<String> startedFrom) {
        world.trace("Flink deletes " + path);
        halves.states().delete(path);
    }
}
