// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.javaoperatorsdk.operator.Operator;
import io.javaoperatorsdk.operator.RegisteredController;
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
import io.sluice.manifest.IngressSpecView;
import io.sluice.operator.cache.ResourcePacking;
import io.sluice.operator.cache.ResourceSizes;
import io.sluice.operator.cache.Shared;
import io.sluice.operator.cache.Trimmed;
import io.sluice.operator.cache.TrimmedStore;
import io.sluice.operator.config.Watched;
import io.sluice.operator.model.AutoscalerOverrides;
import io.sluice.operator.observe.ChildResources;
import io.sluice.operator.observe.SessionClusterLinks;
import io.sluice.operator.observe.pod.ImagePullReader;
import io.sluice.operator.reconcile.Controller;
import io.sluice.operator.reconcile.ResourceReconciler;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * Receives the framework's calls, and hands over each FlinkDeployment with its children from the
 * caches. It decides nothing.
 */
@ControllerConfiguration(
        name = "flinkdeployments",
        finalizerName = FlinkDeploymentReconciler.FINALIZER)
public final class FlinkDeploymentReconciler
        implements Reconciler<FlinkDeployment>, Cleaner<FlinkDeployment> {
    public static final String FINALIZER = "flinkdeployments.flink.apache.org/finalizer";

    private final Controller<FlinkDeployment, ChildResources> controller;
    private final Watched watched;
    private final NewResources newResources = new NewResources(System::nanoTime);
    private final ResourceSizes sizes = new ResourceSizes();
    private final Shared<FlinkDeployment> shared =
            new Shared<>(FlinkDeployment.class, ResourcePacking.store(FlinkDeployment::new, sizes));
    private final Optional<Class<? extends HasMetadata>> ingress;

    /**
     * @param watched where resources are looked for
     */
    public FlinkDeploymentReconciler(
            ResourceReconciler<FlinkDeployment, ChildResources> resourceReconciler,
            Watched watched) {
        this(resourceReconciler, watched, Optional.of(Ingress.class));
    }

    /**
     * @param ingress the kind that is made of {@code spec.ingress}; empty for none
     */
    public FlinkDeploymentReconciler(
            ResourceReconciler<FlinkDeployment, ChildResources> resourceReconciler,
            Watched watched,
            Optional<Class<? extends HasMetadata>> ingress) {
        controller = new Controller<>(resourceReconciler, watched, this::children);
        this.watched = watched;
        this.ingress = ingress;
    }

    /** See {@link Controller#register}. */
    public RegisteredController<FlinkDeployment> register(
            Operator operator, Consumer<ControllerConfigurationOverrider<FlinkDeployment>> more) {
        return controller.register(
                operator,
                this,
                more.andThen(this::noticeNewResources),
                () ->
                        watched.isOneList()
                                ? shared.store()
                                : ResourcePacking.store(FlinkDeployment::new, sizes));
    }

    /** Filters nothing: a filter is told of each event that a watch brings. */
    private void noticeNewResources(ControllerConfigurationOverrider<FlinkDeployment> overrider) {
        overrider
                .withGenericFilter(
                        resource -> {
                            newResources.told(resource);
                            return true;
                        })
                .withOnAddFilter(
                        resource -> {
                            newResources.added(resource);
                            return true;
                        });
    }

    /** How large each resource is that is watched. */
    public ResourceSizes sizes() {
        return sizes;
    }

    /** What this controller sees, for others; only where it watches by one list. */
    public Optional<Shared<FlinkDeployment>> shared() {
        return Optional.of(shared).filter(_ -> watched.isOneList());
    }

    public void recheck() {
        controller.recheck();
    }

    /** See {@link Controller#isKnown}. */
    public boolean isKnown(ResourceID id) {
        return controller.isKnown(id);
    }

    @Override
    public List<EventSource<?, FlinkDeployment>> prepareEventSources(
            EventSourceContext<FlinkDeployment> context) {
        List<EventSource<?, FlinkDeployment>> sources = new ArrayList<>();
        sources.add(watch(context, Deployment.class, ChildResources.SELECTOR, Trimmed::deployment));
        sources.add(
                watch(
                        context,
                        Pod.class,
                        ChildResources.POD_SELECTOR,
                        Trimmed::pod,
                        FlinkDeploymentReconciler::podOwner));
        sources.add(watch(context, ConfigMap.class, "component=autoscaler", Trimmed::overrides));
        sources.add(sessionJobs(context));
        sources.add(controller.start(context));
        sources.add(shared.listed());
        ingress.ifPresent(kind -> sources.add(ingresses(context, kind)));
        return sources;
    }

    @Override
    public UpdateControl<FlinkDeployment> reconcile(
            FlinkDeployment resource, Context<FlinkDeployment> context) {
        return controller.reconcile(resource, context);
    }

    @Override
    public DeleteControl cleanup(FlinkDeployment resource, Context<FlinkDeployment> context) {
        return controller.cleanup(resource, context);
    }

    private ChildResources children(FlinkDeployment resource, Context<FlinkDeployment> context) {
        String name = resource.getMetadata().getName();
        return new ChildResources(
                deployment(context, name),
                deployment(context, ChildResources.taskManagersOf(name)),
                pods(context, pod -> !ImagePullReader.pullsImages(pod)),
                context.getSecondaryResourcesAsStream(ConfigMap.class)
                        .filter(map -> isOverridesOf(map, resource))
                        .findFirst(),
                context.getSecondaryResourcesAsStream(FlinkSessionJob.class)
                        .filter(job -> SessionClusterLinks.isOn(name, job))
                        .toList(),
                ingress.flatMap(kind -> context.getSecondaryResourcesAsStream(kind).findFirst()),
                pods(context, ImagePullReader::pullsImages),
                newResources.contains(resource));
    }

    private static List<Pod> pods(Context<FlinkDeployment> context, Predicate<Pod> wanted) {
        return context.getSecondaryResourcesAsStream(Pod.class).filter(wanted).toList();
    }

    private static Optional<Deployment> deployment(Context<FlinkDeployment> context, String name) {
        return context.getSecondaryResourcesAsStream(Deployment.class)
                .filter(found -> found.getMetadata().getName().equals(name))
                .findFirst();
    }

    private static boolean isOverridesOf(ConfigMap map, FlinkDeployment resource) {
        return map.getMetadata()
                .getName()
                .equals(AutoscalerOverrides.PREFIX + resource.getMetadata().getName());
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
                        .withSecondaryToPrimaryMapper(primary);
        return new InformerEventSource<>(
                controller.configured(configuration, () -> new TrimmedStore<>(trimming)), context);
    }

    private EventSource<?, FlinkDeployment> sessionJobs(
            EventSourceContext<FlinkDeployment> context) {
        var configuration =
                InformerEventSourceConfiguration.from(FlinkSessionJob.class, FlinkDeployment.class)
                        .withName("FlinkSessionJob")
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
        return new InformerEventSource<>(
                controller.configured(
                        configuration, () -> ResourcePacking.store(FlinkSessionJob::new)),
                context);
    }

    /** One that another operator made has no label that says whose it is. */
    private <R extends HasMetadata> EventSource<?, FlinkDeployment> ingresses(
            EventSourceContext<FlinkDeployment> context, Class<R> kind) {
        return watch(
                context,
                kind,
                IngressSpecView.SELECTOR,
                UnaryOperator.identity(),
                ingress -> Set.of(ResourceID.fromResource(ingress)));
    }

    /** One that pulls images is no part of a cluster, and is not labelled as one. */
    private static Set<ResourceID> podOwner(Pod pod) {
        return ImagePullReader.owner(pod)
                .map(name -> Set.of(new ResourceID(name, pod.getMetadata().getNamespace())))
                .orElseGet(() -> owner(pod));
    }

    /** Flink labels everything of a cluster with the cluster's id, which is the resource's name. */
    private static <R extends HasMetadata> Set<ResourceID> owner(R child) {
        return Optional.ofNullable(child.getMetadata().getLabels())
                .flatMap(labels -> Optional.ofNullable(labels.get("app")))
                .map(name -> Set.of(new ResourceID(name, child.getMetadata().getNamespace())))
                .orElseGet(Set::of);
    }
}
