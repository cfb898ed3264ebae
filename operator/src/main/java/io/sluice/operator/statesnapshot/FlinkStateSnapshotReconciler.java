// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import io.fabric8.kubernetes.client.informers.cache.Cache;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.RegisteredController;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.MaxReconciliationInterval;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.operator.cache.SnapshotPacking;
import io.sluice.operator.config.Watched;
import io.sluice.operator.reconcile.Controller;
import io.sluice.operator.reconcile.Presence;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.process.cache.PackedStore;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Receives the framework's calls. The framework is told to call for every event and to leave
 * finalizers alone: only a savepoint that is deleted with its resource has one, and a decision puts
 * it there. There may be ten snapshots of each job, nearly all of them at rest: those are not
 * reconciled when the operator starts, and none has a timer that it has not asked for.
 */
@ControllerConfiguration(
        name = "flinkstatesnapshots",
        triggerReconcilerOnAllEvents = true,
        maxReconciliationInterval =
                @MaxReconciliationInterval(interval = FlinkStateSnapshotReconciler.NEVER))
public final class FlinkStateSnapshotReconciler implements Reconciler<FlinkStateSnapshot> {
    static final long NEVER = -1;

    /** Some 3 KiB each: so many are no more than a page of other kinds. */
    private static final long PAGE = 500;

    private final Controller<FlinkStateSnapshot, Presence> controller;
    private final Unreconciled unreconciled;

    /** What is known of snapshots beside what their reconciliations tell. Asks nobody. */
    public interface Unreconciled {
        /**
         * The cache has this now.
         *
         * @return whether nothing is to be done about it, but for the others of its job
         */
        boolean saw(FlinkStateSnapshot resource);

        /** The same, of one that the cache has had. */
        boolean rests(FlinkStateSnapshot resource);

        /** Of each job that has several: the one that decides which of them are deleted. */
        Stream<ResourceID> deciding();

        /** Nothing is left of it. */
        void gone(FlinkStateSnapshot resource);
    }

    /**
     * @param watched where resources are looked for
     * @param unreconciled is told of those that are not reconciled
     */
    public FlinkStateSnapshotReconciler(
            ResourceReconciler<FlinkStateSnapshot, Presence> resourceReconciler,
            Watched watched,
            Unreconciled unreconciled) {
        this.unreconciled = unreconciled;
        controller =
                new Controller<>(resourceReconciler, watched, (_, context) -> Presence.of(context));
    }

    /** See {@link Controller#register}. */
    public RegisteredController<FlinkStateSnapshot> register(
            Operator operator,
            Consumer<ControllerConfigurationOverrider<FlinkStateSnapshot>> more) {
        return controller.register(
                operator,
                this,
                more.andThen(overrider -> overrider.withInformerListLimit(PAGE)),
                this::store);
    }

    /** What goes while this replica does not lead is reconciled no more. */
    private PackedStore<FlinkStateSnapshot, ?> store() {
        PackedStore<FlinkStateSnapshot, ?> store = SnapshotPacking.store();
        store.listenToRemovals(unreconciled::gone);
        store.askOfFirstList(
                new PackedStore.FirstList<>() {
                    @Override
                    public boolean isSettled(FlinkStateSnapshot resource) {
                        return unreconciled.saw(resource);
                    }

                    @Override
                    public void isComplete(Predicate<String> has) {
                        controller.recheck(unreconciled.deciding().filter(id -> has.test(key(id))));
                    }
                });
        return store;
    }

    private static String key(ResourceID id) {
        return Cache.namespaceKeyFunc(id.getNamespace().orElse(""), id.getName());
    }

    /** See {@link Controller#recheck}. Those at rest stay so with any configuration. */
    public void recheck() {
        controller.recheckUnless(unreconciled::rests);
        controller.recheck(unreconciled.deciding());
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
