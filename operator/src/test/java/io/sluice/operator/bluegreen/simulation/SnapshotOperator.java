// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen.simulation;

import io.sluice.api.FlinkStateSnapshot;
import io.sluice.operator.deployment.simulation.SimulatedFramework;
import io.sluice.operator.deployment.simulation.SimulatedJobManagers;
import io.sluice.operator.leadership.LeadershipGuard;
import io.sluice.operator.observe.JobManagerAddress;
import io.sluice.operator.reconcile.Presence;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.operator.reconcile.StatusStore.Saved;
import io.sluice.operator.statesnapshot.StateSnapshots;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.rules.config.RestEndpoint;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** In a process of the operator: production's reconciler of FlinkStateSnapshots. */
final class SnapshotOperator
        implements SimulatedFramework.Hooks<FlinkStateSnapshot>, PairOperator.Part {
    private final PairOperator process;
    private final SimulatedFramework<FlinkStateSnapshot> framework;
    private final StateSnapshots production;
    private final ResourceReconciler<FlinkStateSnapshot, Presence> reconciler;
    private final BooleanSupplier leads;

    /**
     * @param rest the JobManagers, as the process reaches them
     * @param leads whether the process does
     */
    SnapshotOperator(
            PairWorld world,
            SimulatedJobManagers rest,
            PairOperator process,
            Set<PairFlaws> flaws,
            BooleanSupplier leads) {
        this.process = process;
        this.leads = leads;
        framework =
                new SimulatedFramework<>(
                        world,
                        new SimulatedFramework.Kind<>(
                                FlinkStateSnapshot.class, List.of(), "", FlinkStateSnapshot::new),
                        this);
        production =
                new StateSnapshots(
                        world.client(),
                        rest,
                        new JobManagerAddress(RestEndpoint.IN_CLUSTER, world::defaults),
                        (_, _) -> Optional.empty(),
                        !flaws.contains(PairFlaws.PAIR_NEEDS_NOTHING),
                        world::defaults,
                        SpecValidators.NONE,
                        (_, notes) ->
                                notes.forEach(each -> world.trace("event: " + each.message())),
                        world::now);
        reconciler = new LeadershipGuard(leads).guarded(production);
        framework.watchResources();
    }

    @Override
    public SimulatedFramework<?> framework() {
        return framework;
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
    public Outcome reconcile(FlinkStateSnapshot resource) {
        return reconciler.reconcile(
                resource,
                Presence.PRESENT,
                (read, status) -> framework.store(read, status, () -> {}));
    }

    @Override
    public void gone(FlinkStateSnapshot resource) {
        production.gone(resource);
        if (leads.getAsBoolean()) {
            reconciler.reconcile(resource, Presence.GONE, (_, _) -> Saved.KEPT);
        }
    }
}
