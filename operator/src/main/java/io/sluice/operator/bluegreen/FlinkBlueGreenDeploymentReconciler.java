// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.RegisteredController;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.cache.ResourcePacking;
import io.sluice.operator.config.Watched;
import io.sluice.operator.reconcile.Controller;
import io.sluice.operator.reconcile.Presence;
import io.sluice.operator.reconcile.ResourceReconciler;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Receives the framework's calls. The framework is told to call for every event and to leave
 * finalizers alone: the garbage collector removes the halves of a deleted pair, and nothing else is
 * left of it.
 */
@ControllerConfiguration(name = "flinkbluegreendeployments", triggerReconcilerOnAllEvents = true)
public final class FlinkBlueGreenDeploymentReconciler
        implements Reconciler<FlinkBlueGreenDeployment> {
    private final Controller<FlinkBlueGreenDeployment, Presence> controller;

    /**
     * @param watched where resources are looked for
     */
    public FlinkBlueGreenDeploymentReconciler(
            ResourceReconciler<FlinkBlueGreenDeployment, Presence> resourceReconciler,
            Watched watched) {
        controller =
                new Controller<>(resourceReconciler, watched, (_, context) -> Presence.of(context));
    }

    /** See {@link Controller#register}. */
    public RegisteredController<FlinkBlueGreenDeployment> register(
            Operator operator,
            Consumer<ControllerConfigurationOverrider<FlinkBlueGreenDeployment>> more) {
        return controller.register(
                operator, this, more, () -> ResourcePacking.store(FlinkBlueGreenDeployment::new));
    }

    /** See {@link Controller#recheck}. */
    public void recheck() {
        controller.recheck();
    }

    @Override
    public List<EventSource<?, FlinkBlueGreenDeployment>> prepareEventSources(
            EventSourceContext<FlinkBlueGreenDeployment> context) {
        return List.of(halves(context), controller.start(context));
    }

    @Override
    public UpdateControl<FlinkBlueGreenDeployment> reconcile(
            FlinkBlueGreenDeployment resource, Context<FlinkBlueGreenDeployment> context) {
        return controller.reconcile(resource, context);
    }

    /** A half wakes its pair; what it is, is read when it matters. */
    private EventSource<?, FlinkBlueGreenDeployment> halves(
            EventSourceContext<FlinkBlueGreenDeployment> context) {
        var configuration =
                InformerEventSourceConfiguration.from(
                                FlinkDeployment.class, FlinkBlueGreenDeployment.class)
                        .withName("FlinkDeployment")
                        .withLabelSelector(HalfManifest.COLOR_LABEL)
                        .withSecondaryToPrimaryMapper(FlinkBlueGreenDeploymentReconciler::pair);
        return new InformerEventSource<>(
                controller.configured(
                        configuration,
                        () ->
                                ResourcePacking.store(
                                        FlinkDeployment::new,
                                        FlinkBlueGreenDeploymentReconciler::named)),
                context);
    }

    /** Nothing is kept of a half but its metadata. */
    private static FlinkDeployment named(FlinkDeployment whole) {
        var kept = new FlinkDeployment();
        kept.setMetadata(whole.getMetadata());
        return kept;
    }

    private static Set<ResourceID> pair(FlinkDeployment half) {
        return half.getMetadata().getOwnerReferences().stream()
                .filter(owner -> owner.getKind().equals("FlinkBlueGreenDeployment"))
                .map(OwnerReference::getName)
                .map(name -> new ResourceID(name, half.getMetadata().getNamespace()))
                .collect(Collectors.toSet());
    }
}
