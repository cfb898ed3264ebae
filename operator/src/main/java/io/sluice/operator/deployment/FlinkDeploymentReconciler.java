// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.javaoperatorsdk.operator.api.config.ControllerConfigurationOverrider;
import io.javaoperatorsdk.operator.api.config.informer.InformerEventSourceConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.Cleaner;
import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.ControllerConfiguration;
import io.javaoperatorsdk.operator.api.reconciler.DeleteControl;
import io.javaoperatorsdk.operator.api.reconciler.EventSourceContext;
import io.javaoperatorsdk.operator.api.reconciler.Reconciler;
import io.javaoperatorsdk.operator.api.reconciler.UpdateControl;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.javaoperatorsdk.operator.processing.event.source.EventSource;
import io.javaoperatorsdk.operator.processing.event.source.SecondaryToPrimaryMapper;
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.operator.cache.PackedStore;
import io.sluice.operator.cache.Recheck;
import io.sluice.operator.cache.Shared;
import io.sluice.operator.cache.Spread;
import io.sluice.operator.cache.Trimmed;
import io.sluice.operator.cache.TrimmedStore;
import io.sluice.operator.config.Watched;
import io.sluice.operator.deployment.ResourcePass.Outcome;
import io.sluice.operator.manifest.Entrance;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Where the framework calls in: caches become children, a pass becomes an answer. Nothing is
 * decided here.
 */
@ControllerConfiguration(
        name = "flinkdeployments",
        finalizerName = FlinkDeploymentReconciler.FINALIZER)
public final class FlinkDeploymentReconciler
        implements Reconciler<FlinkDeployment>, Cleaner<FlinkDeployment> {
    public static final String FINALIZER = "flinkdeployments.flink.apache.org/finalizer";

    /** So many resources are listed at a time, as all of them may not fit. */
    public static final long PAGE = 200;

    private final Passes passes;
    private final Watched watched;
    private final Spread spread = new Spread(RandomGenerator.getDefault());
    private final Recheck<FlinkDeployment> recheck = new Recheck<>();
    private volatile Predicate<ResourceID> known = _ -> true;
    private final Shared<FlinkDeployment> shared =
            new Shared<>(FlinkDeployment.class, new PackedStore<>(FlinkDeployment::new));
    private final Optional<Class<? extends HasMetadata>> entrances;

    /** Runs one pass with the children the caches hold and the place where the status goes. */
    @FunctionalInterface
    public interface Passes {
        Outcome run(FlinkDeployment resource, Children children, StatusStore store);
    }

    /**
     * @param watched where resources are looked for
     */
    public FlinkDeploymentReconciler(Passes passes, Watched watched) {
        this(passes, watched, Optional.of(Ingress.class));
    }

    /**
     * @param entrances the kind that is made of {@code spec.ingress}; empty for none
     */
    public FlinkDeploymentReconciler(
            Passes passes, Watched watched, Optional<Class<? extends HasMetadata>> entrances) {
        this.passes = passes;
        this.watched = watched;
        this.entrances = entrances;
    }

    /**
     * Which namespaces are watched, and how what is watched is kept. A store of ours holds one
     * list: each of several namespaces has its own.
     */
    public void configure(ControllerConfigurationOverrider<FlinkDeployment> overrider) {
        overrider.withInformerListLimit(PAGE);
        if (!watched.isAll()) {
            overrider.settingNamespaces(watched.namespaces());
        }
        if (watched.isOneList()) {
            overrider.withItemStore(shared.store());
        }
    }

    /** What this controller sees, for others; only where it watches by one list. */
    public Optional<Shared<FlinkDeployment>> shared() {
        return Optional.of(shared).filter(_ -> watched.isOneList());
    }

    /** Each resource has a pass soon, as the configuration is another one. */
    public void recheck() {
        recheck.all();
    }

    /** Whether the cache has this resource; it is taken to be there until there is a cache. */
    public boolean isKnown(ResourceID id) {
        return known.test(id);
    }

    @Override
    public List<EventSource<?, FlinkDeployment>> prepareEventSources(
            EventSourceContext<FlinkDeployment> context) {
        known = id -> context.getPrimaryCache().get(id).isPresent();
        List<EventSource<?, FlinkDeployment>> sources = new ArrayList<>();
        sources.add(watch(context, Deployment.class, Children.SELECTOR, Trimmed::deployment));
        sources.add(watch(context, Pod.class, Children.SELECTOR, Trimmed::pod));
        sources.add(watch(context, ConfigMap.class, "component=autoscaler", Trimmed::overrides));
        sources.add(sessionJobs(context));
        sources.add(recheck.source(context));
        sources.add(shared.listed());
        entrances.ifPresent(kind -> sources.add(entrances(context, kind)));
        return sources;
    }

    @Override
    public UpdateControl<FlinkDeployment> reconcile(
            FlinkDeployment resource, Context<FlinkDeployment> context) {
        Outcome outcome = pass(resource, context);
        UpdateControl<FlinkDeployment> control = UpdateControl.noUpdate();
        outcome.checkAgain().map(spread::around).ifPresent(control::rescheduleAfter);
        return control;
    }

    @Override
    public DeleteControl cleanup(FlinkDeployment resource, Context<FlinkDeployment> context) {
        Outcome outcome = pass(resource, context);
        return outcome.released()
                ? DeleteControl.defaultDelete()
                : DeleteControl.noFinalizerRemoval()
                        .rescheduleAfter(outcome.checkAgain().orElse(Duration.ofSeconds(2)));
    }

    private Outcome pass(FlinkDeployment resource, Context<FlinkDeployment> context) {
        String name = resource.getMetadata().getName();
        Children children =
                new Children(
                        deployment(context, name),
                        deployment(context, Children.taskManagersOf(name)),
                        context.getSecondaryResourcesAsStream(Pod.class).toList(),
                        context.getSecondaryResourcesAsStream(ConfigMap.class)
                                .filter(map -> isOverridesOf(map, resource))
                                .findFirst(),
                        context.getSecondaryResourcesAsStream(FlinkSessionJob.class)
                                .filter(job -> Hosts.isOn(name, job))
                                .toList(),
                        entrances.flatMap(
                                kind -> context.getSecondaryResourcesAsStream(kind).findFirst()));
        return passes.run(resource, children, (read, status) -> save(read, status, context));
    }

    private static Optional<Deployment> deployment(Context<FlinkDeployment> context, String name) {
        return context.getSecondaryResourcesAsStream(Deployment.class)
                .filter(found -> found.getMetadata().getName().equals(name))
                .findFirst();
    }

    private static StatusStore.Saved save(
            FlinkDeployment read, ObjectNode status, Context<FlinkDeployment> context) {
        if (read.getStatus() != null && ResourcePass.isSame(status, read.getStatus())) {
            return Latest.confirm(context.getClient(), read);
        }
        read.setStatus(status);
        try {
            ObjectNode asked = status.deepCopy();
            FlinkDeployment stored = context.resourceOperations().updatePrimaryStatus(read);
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

    private static boolean isOverridesOf(ConfigMap map, FlinkDeployment resource) {
        return map.getMetadata()
                .getName()
                .equals(Overrides.PREFIX + resource.getMetadata().getName());
    }

    private <R extends HasMetadata> EventSource<?, FlinkDeployment> watch(
            EventSourceContext<FlinkDeployment> context,
            Class<R> kind,
            String selector,
            UnaryOperator<R> trimming) {
        return watch(context, kind, selector, trimming, FlinkDeploymentReconciler::owner);
    }

    private <R extends HasMetadata> EventSource<?, FlinkDeployment> watch(
            EventSourceContext<FlinkDeployment> context,
            Class<R> kind,
            String selector,
            UnaryOperator<R> trimming,
            SecondaryToPrimaryMapper<R> primary) {
        var configuration =
                InformerEventSourceConfiguration.from(kind, FlinkDeployment.class)
                        .withName(kind.getSimpleName())
                        .withLabelSelector(selector)
                        .withInformerListLimit(PAGE)
                        .withSecondaryToPrimaryMapper(primary);
        if (watched.isOneList()) {
            configuration.withItemStore(new TrimmedStore<>(trimming));
        }
        if (!watched.isAll()) {
            configuration
                    .withNamespaces(watched.namespaces())
                    .withFollowControllerNamespacesChanges(true);
        }
        return new InformerEventSource<>(configuration.build(), context);
    }

    private EventSource<?, FlinkDeployment> sessionJobs(
            EventSourceContext<FlinkDeployment> context) {
        var configuration =
                InformerEventSourceConfiguration.from(FlinkSessionJob.class, FlinkDeployment.class)
                        .withName("FlinkSessionJob")
                        .withInformerListLimit(PAGE)
                        .withSecondaryToPrimaryMapper(
                                job ->
                                        job.cluster()
                                                .map(
                                                        name ->
                                                                Set.of(
                                                                        new ResourceID(
                                                                                name,
                                                                                job.getMetadata()
                                                                                        .getNamespace())))
                                                .orElseGet(Set::of));
        if (watched.isOneList()) {
            configuration.withItemStore(new PackedStore<>(FlinkSessionJob::new));
        }
        if (!watched.isAll()) {
            configuration
                    .withNamespaces(watched.namespaces())
                    .withFollowControllerNamespacesChanges(true);
        }
        return new InformerEventSource<>(configuration.build(), context);
    }

    /** One that another operator made has no label that says whose it is. */
    private <R extends HasMetadata> EventSource<?, FlinkDeployment> entrances(
            EventSourceContext<FlinkDeployment> context, Class<R> kind) {
        return watch(
                context,
                kind,
                Entrance.SELECTOR,
                UnaryOperator.identity(),
                entrance -> Set.of(ResourceID.fromResource(entrance)));
    }

    /** Flink labels everything of a cluster with the cluster's id, which is the resource's name. */
    private static <R extends HasMetadata> Set<ResourceID> owner(R child) {
        return Optional.ofNullable(child.getMetadata().getLabels())
                .flatMap(labels -> Optional.ofNullable(labels.get("app")))
                .map(name -> Set.of(new ResourceID(name, child.getMetadata().getNamespace())))
                .orElseGet(Set::of);
    }
}
