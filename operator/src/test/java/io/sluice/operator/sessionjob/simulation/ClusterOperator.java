// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob.simulation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.flink.rest.JobManagerRest;
import io.sluice.operator.child.ChildObjects;
import io.sluice.operator.deployment.FlinkDeploymentReconciler;
import io.sluice.operator.deployment.FlinkDeployments;
import io.sluice.operator.deployment.NewResources;
import io.sluice.operator.deployment.simulation.SimulatedFramework;
import io.sluice.operator.deployment.simulation.hands.SameThread;
import io.sluice.operator.leadership.LeadershipGuard;
import io.sluice.operator.observe.ChildResources;
import io.sluice.operator.observe.JobManagerAddress;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.observe.SessionClusterLinks;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.operator.reconcile.StatusStore.Saved;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.config.RestEndpoint;
import io.sluice.testkit.apiserver.ApiCall;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/** In a process of the operator: production's reconciler of FlinkDeployments, for the cluster. */
final class ClusterOperator implements SimulatedFramework.Hooks<FlinkDeployment> {
    private final SessionOperator process;
    private final Set<SessionFlaws> flaws;
    private final SimulatedFramework<FlinkDeployment> framework;
    private final ResourceReconciler<FlinkDeployment, ChildResources> reconciler;
    private final NewResources newResources;
    private final ClusterPromises promises;
    private final Map<String, Deployment> deployments = new TreeMap<>();
    private final Map<String, Pod> pods = new TreeMap<>();
    private final Map<String, FlinkSessionJob> jobs = new TreeMap<>();

    /**
     * @param leads whether the process does
     */
    ClusterOperator(
            SessionWorld world,
            DeployedCluster cluster,
            SessionOperator process,
            Set<SessionFlaws> flaws,
            JobManagerRest rest,
            BooleanSupplier leads) {
        this.process = process;
        this.flaws = flaws;
        promises = cluster.promises();
        newResources = new NewResources(world::nanos);
        framework =
                new SimulatedFramework<>(
                        world,
                        new SimulatedFramework.Kind<>(
                                FlinkDeployment.class,
                                List.of(SessionCluster.NAME),
                                FlinkDeploymentReconciler.FINALIZER,
                                FlinkDeployment::new),
                        this);
        var guard = new LeadershipGuard(leads);
        var production =
                new FlinkDeployments(
                        world.client(),
                        rest,
                        new JobManagerAddress(RestEndpoint.IN_CLUSTER, world::defaults),
                        world::defaults,
                        SpecValidators.NONE,
                        (_, notes) ->
                                notes.forEach(each -> world.trace("event: " + each.message())),
                        false,
                        new ObservationMemory(world::nanos),
                        new ChildObjects(world.client(), SameThread::new, guard::check),
                        world::now);
        reconciler = guard.guarded(production.reconciler(UnaryOperator.identity()));
        framework.watchResources();
        framework.watchClusters(deployments, pods);
        framework.watch(
                FlinkSessionJob.class, "", (isThere, it) -> framework.keep(jobs, isThere, it));
    }

    /** What befalls a call of the process has been decided. */
    void calls(ApiCall call) {
        if (call.verb() == ApiCall.Verb.DELETE && call.type().plural().equals("deployments")) {
            promises.deletes(jobs.values());
        }
    }

    void fillCaches() {
        framework.fillCaches();
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
        process.act(turn);
    }

    @Override
    public void meanwhile() {
        process.meanwhile();
    }

    void pass() {
        framework.pass();
    }

    boolean isBusy() {
        return framework.isBusy();
    }

    void close() {
        framework.close();
    }

    void resign() {
        framework.resign();
    }

    @Override
    public Outcome reconcile(FlinkDeployment resource) {
        process.looksAtCluster();
        return reconciler.reconcile(resource, children(resource), this::store);
    }

    private ChildResources children(FlinkDeployment resource) {
        String name = resource.getMetadata().getName();
        return new ChildResources(
                Optional.ofNullable(deployments.get(name)),
                Optional.ofNullable(deployments.get(ChildResources.taskManagersOf(name))),
                List.copyOf(pods.values()),
                Optional.empty(),
                flaws.contains(SessionFlaws.CLUSTER_FORGETS_ITS_JOBS)
                        ? List.of()
                        : jobs.values().stream()
                                .filter(job -> SessionClusterLinks.isOn(name, job))
                                .toList(),
                Optional.empty(),
                List.of(),
                newResources.contains(resource));
    }

    private Saved store(FlinkDeployment read, ObjectNode status) {
        return framework.store(read, status, () -> {});
    }
}
