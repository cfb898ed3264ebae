// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.reconcile;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.cache.ItemStore;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.RegisteredController;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.sluice.operator.config.Watched;
import io.sluice.operator.pace.Recheck;
import io.sluice.operator.pace.Spread;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;

/**
 * What the controllers of all kinds have in common: how the operator framework's calls become
 * reconciliations, where statuses are stored, and which namespaces are watched.
 *
 * @param <R> the kind
 * @param <C> what the caches hold of the objects that belong to a resource
 */
public final class Controller<R extends CustomResource<ObjectNode, ObjectNode>, C> {
    /** So many resources are listed at a time, as all of them may not fit. */
    public static final long PAGE = 200;

    private static final Duration WHILE_DELETING = Duration.ofSeconds(2);

    private final ResourceReconciler<R, C> resourceReconciler;
    private final Watched watched;
    private final BiFunction<R, Context<R>, C> cached;
    private final Spread spread = new Spread(RandomGenerator.getDefault());
    private final Recheck<R> recheck = new Recheck<>();
    private volatile Optional<Function<ResourceID, Optional<R>>> cache = Optional.empty();

    /**
     * @param watched where resources are looked for
     * @param cached reads from the caches what belongs to a resource
     */
    public Controller(
            ResourceReconciler<R, C> resourceReconciler,
            Watched watched,
            BiFunction<R, Context<R>, C> cached) {
        this.resourceReconciler = resourceReconciler;
        this.watched = watched;
        this.cached = cached;
    }

    /**
     * Registers {@code reconciler}, which hands its calls on to this controller.
     *
     * @param more sets what is the same for all kinds
     * @param stores makes a store for one list of the kind
     */
    public RegisteredController<R> register(
            Operator operator,
            Reconciler<R> reconciler,
            Consumer<ControllerConfigurationOverrider<R>> more,
            Supplier<? extends ItemStore<R>> stores) {
        var overrider =
                ControllerConfigurationOverrider.override(
                        operator.getConfigurationService().getConfigurationFor(reconciler));
        overrider.withInformerListLimit(PAGE);
        if (!watched.isAll()) {
            overrider.settingNamespaces(watched.namespaces());
        }
        more.accept(overrider);
        return operator.register(reconciler, StorePerList.of(overrider.build(), stores));
    }

    /**
     * How the objects are watched that belong to the resources.
     *
     * @param stores makes a store for one list of them
     */
    public <S extends HasMetadata> InformerEventSourceConfiguration<S> configured(
            InformerEventSourceConfiguration.Builder<S> builder,
            Supplier<? extends ItemStore<S>> stores) {
        builder.withInformerListLimit(PAGE);
        if (!watched.isAll()) {
            builder.withNamespaces(watched.namespaces())
                    .withFollowControllerNamespacesChanges(true);
        }
        return StorePerList.of(builder.build(), stores);
    }

    /** To be called before any reconciliation; the source is one of the controller's. */
    public EventSource<?, R> start(EventSourceContext<R> context) {
        cache = Optional.of(id -> context.getPrimaryCache().get(id));
        return recheck.source(context);
    }

    /** Reconciles each resource soon, as the configuration is another one. */
    public void recheck() {
        recheck.all();
    }

    /** Reconciles those resources soon that do not match. */
    public void recheckUnless(Predicate<R> which) {
        recheck.all(id -> cached(id).filter(which).isEmpty());
    }

    /** Reconciles these soon. */
    public void recheck(Stream<ResourceID> which) {
        recheck.each(which);
    }

    /** Whether the cache has this resource; it is taken to be there until there is a cache. */
    public boolean isKnown(ResourceID id) {
        return cache.map(it -> it.apply(id).isPresent()).orElse(true);
    }

    /** The resource as the cache has it; empty also until there is a cache. */
    public Optional<R> cached(ResourceID id) {
        return cache.flatMap(it -> it.apply(id));
    }

    public UpdateControl<R> reconcile(R resource, Context<R> context) {
        UpdateControl<R> control = UpdateControl.noUpdate();
        run(resource, context).checkAgain().map(spread::around).ifPresent(control::rescheduleAfter);
        return control;
    }

    public DeleteControl cleanup(R resource, Context<R> context) {
        Outcome outcome = run(resource, context);
        return outcome.released()
                ? DeleteControl.defaultDelete()
                : DeleteControl.noFinalizerRemoval()
                        .rescheduleAfter(outcome.checkAgain().orElse(WHILE_DELETING));
    }

    private Outcome run(R resource, Context<R> context) {
        return resourceReconciler.reconcile(
                resource,
                cached.apply(resource, context),
                (read, status) -> save(read, status, context));
    }

    private static <R extends CustomResource<ObjectNode, ObjectNode>> StatusStore.Saved save(
            R read, ObjectNode status, Context<R> context) {
        if (read.getStatus() != null && Reconciliation.isSame(status, read.getStatus())) {
            return Freshness.confirm(context.getClient(), read);
        }
        read.setStatus(status);
        try {
            ObjectNode asked = status.deepCopy();
            R stored = context.resourceOperations().updatePrimaryStatus(read);
            read.getMetadata().setResourceVersion(stored.getMetadata().getResourceVersion());
            return StatusStore.compare(
                    asked, Optional.ofNullable(stored.getStatus()).orElseGet(asked::objectNode));
        } catch (KubernetesClientException fault) {
            if (fault.getCode() == HttpURLConnection.HTTP_CONFLICT) {
                return StatusStore.Saved.CONFLICT;
            }
            throw fault;
        }
    }
}
