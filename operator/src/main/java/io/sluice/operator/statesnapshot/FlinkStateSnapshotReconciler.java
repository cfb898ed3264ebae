// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.RegisteredController;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.operator.cache.ResourcePacking;
import io.sluice.operator.config.Watched;
import io.sluice.operator.reconcile.Controller;
import io.sluice.operator.reconcile.Presence;
import io.sluice.operator.reconcile.ResourceReconciler;
import java.util.List;
import java.util.function.Consumer;

/**
 * Receives the framework's calls. The framework is told to call for every event and to leave
 * finalizers alone: only a savepoint that is deleted with its resource has one, and a decision puts
 * it there.
 */
@ControllerConfiguration(name = "flinkstatesnapshots", triggerReconcilerOnAllEvents = true)
public final class FlinkStateSnapshotReconciler implements Reconciler<FlinkStateSnapshot> {
    private final Controller<FlinkStateSnapshot, Presence> controller;

    /**
     * @param watched where resources are looked for
     */
    public FlinkStateSnapshotReconciler(
            ResourceReconciler<FlinkStateSnapshot, Presence> resourceReconciler, Watched watched) {
        controller =
                new Controller<>(resourceReconciler, watched, (_, context) -> Presence.of(context));
    }

    /** See {@link Controller#register}. */
    public RegisteredController<FlinkStateSnapshot> register(
            Operator operator,
            Consumer<ControllerConfigurationOverrider<FlinkStateSnapshot>> more) {
        return controller.register(
                operator, this, more, () -> ResourcePacking.store(FlinkStateSnapshot::new));
    }

    /** See {@link Controller#recheck}. */
    public void recheck() {
        controller.recheck();
    }

    @Override
    public List<EventSource<?, FlinkStateSnapshot>> prepareEventSources(
            EventSourceContext<FlinkStateSnapshot> context) {
        return List.of(controller.start(context));
    }

    @Override
    public UpdateControl<FlinkStateSnapshot> reconcile(
            FlinkStateSnapshot resource, Context<FlinkStateSnapshot> context) {
        return controller.reconcile(resource, context);
    }
}
