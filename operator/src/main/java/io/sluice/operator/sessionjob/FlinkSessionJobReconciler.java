// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob;

import io.fabric8.kubernetes.api.model.ConfigMap;
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
import io.javaoperatorsdk.operator.processing.event.source.informer.InformerEventSource;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.operator.cache.ResourcePacking;
import io.sluice.operator.cache.ResourceSizes;
import io.sluice.operator.cache.Shared;
import io.sluice.operator.cache.Trimmed;
import io.sluice.operator.cache.TrimmedStore;
import io.sluice.operator.config.Watched;
import io.sluice.operator.model.AutoscalerOverrides;
import io.sluice.operator.reconcile.Controller;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.operator.sessionjob.SessionJobObserver.RelatedResources;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * Receives the framework's calls, and hands over each session job with what the caches hold of its
 * cluster. It decides nothing.
 */
@ControllerConfiguration(
        name = "flinksessionjobs",
        finalizerName = FlinkSessionJobReconciler.FINALIZER)
public final class FlinkSessionJobReconciler
        implements Reconciler<FlinkSessionJob>, Cleaner<FlinkSessionJob> {
    public static final String FINALIZER = "flinksessionjobs.flink.apache.org/finalizer";
    private static final String BY_CLUSTER = "cluster";

    private final Controller<FlinkSessionJob, RelatedResources> controller;
    private final Optional<Shared<FlinkDeployment>> shared;
    private final ResourceSizes sizes = new ResourceSizes();

    /**
     * @param watched where resources are looked for
     * @param shared clusters that another controller watches, if it watches all that there are
     */
    public FlinkSessionJobReconciler(
            ResourceReconciler<FlinkSessionJob, RelatedResources> resourceReconciler,
            Watched watched,
            Optional<Shared<FlinkDeployment>> shared) {
        controller =
                new Controller<>(resourceReconciler, watched, FlinkSessionJobReconciler::around);
        this.shared = shared;
    }

    /** See {@link Controller#register}. */
    public RegisteredController<FlinkSessionJob> register(
            Operator operator, Consumer<ControllerConfigurationOverrider<FlinkSessionJob>> more) {
        return controller.register(
                operator, this, more, () -> ResourcePacking.store(FlinkSessionJob::new, sizes));
    }

    /** How large each resource is that is watched. */
    public ResourceSizes sizes() {
        return sizes;
    }

    public void recheck() {
        controller.recheck();
    }

    /** See {@link Controller#isKnown}. */
    public boolean isKnown(ResourceID id) {
        return controller.isKnown(id);
    }

    @Override
    public List<EventSource<?, FlinkSessionJob>> prepareEventSources(
            EventSourceContext<FlinkSessionJob> context) {
        context.getPrimaryCache()
                .addIndexer(
                        BY_CLUSTER,
                        job ->
                                cluster(job)
                                        .map(FlinkSessionJobReconciler::key)
                                        .map(List::of)
                                        .orElseGet(List::of));
        EventSource<?, FlinkSessionJob> clusters =
                shared.<EventSource<?, FlinkSessionJob>>map(
                                all ->
                                        all.source(
                                                FlinkSessionJobReconciler::cluster,
                                                cluster -> sessionJobs(context, cluster)))
                        .orElseGet(() -> clusters(context));
        return List.of(clusters, overrides(context), controller.start(context));
    }

    @Override
    public UpdateControl<FlinkSessionJob> reconcile(
            FlinkSessionJob resource, Context<FlinkSessionJob> context) {
        return controller.reconcile(resource, context);
    }

    @Override
    public DeleteControl cleanup(FlinkSessionJob resource, Context<FlinkSessionJob> context) {
        return controller.cleanup(resource, context);
    }

    private static RelatedResources around(
            FlinkSessionJob resource, Context<FlinkSessionJob> context) {
        String overrides = AutoscalerOverrides.PREFIX + resource.getMetadata().getName();
        return new RelatedResources(
                context.getSecondaryResourcesAsStream(FlinkDeployment.class).findFirst(),
                context.getSecondaryResourcesAsStream(ConfigMap.class)
                        .filter(map -> map.getMetadata().getName().equals(overrides))
                        .findFirst());
    }

    /** A cluster wakes the jobs that are on it, and they find it by its name. */
    private EventSource<?, FlinkSessionJob> clusters(EventSourceContext<FlinkSessionJob> context) {
        var configuration =
                InformerEventSourceConfiguration.from(FlinkDeployment.class, FlinkSessionJob.class)
                        .withName("FlinkDeployment")
                        .withPrimaryToSecondaryMapper(
                                (FlinkSessionJob job) ->
                                        cluster(job).map(Set::of).orElseGet(Set::of))
                        .withSecondaryToPrimaryMapper(cluster -> sessionJobs(context, cluster));
        return new InformerEventSource<>(
                controller.configured(
                        configuration,
                        () -> ResourcePacking.store(FlinkDeployment::new, Trimmed::cluster)),
                context);
    }

    private static Set<ResourceID> sessionJobs(
            EventSourceContext<FlinkSessionJob> context, FlinkDeployment cluster) {
        return context
                .getPrimaryCache()
                .byIndex(BY_CLUSTER, key(ResourceID.fromResource(cluster)))
                .stream()
                .map(ResourceID::fromResource)
                .collect(Collectors.toSet());
    }

    private static Optional<ResourceID> cluster(FlinkSessionJob job) {
        return job.cluster().map(name -> new ResourceID(name, job.getMetadata().getNamespace()));
    }

    private static String key(ResourceID id) {
        return id.getNamespace().orElse("") + "/" + id.getName();
    }

    private EventSource<?, FlinkSessionJob> overrides(EventSourceContext<FlinkSessionJob> context) {
        var configuration =
                InformerEventSourceConfiguration.from(ConfigMap.class, FlinkSessionJob.class)
                        .withName("ConfigMap")
                        .withLabelSelector("component=autoscaler")
                        .withSecondaryToPrimaryMapper(FlinkSessionJobReconciler::scaled);
        return new InformerEventSource<>(
                controller.configured(configuration, () -> new TrimmedStore<>(Trimmed::overrides)),
                context);
    }

    private static Set<ResourceID> scaled(ConfigMap map) {
        String name = map.getMetadata().getName();
        return name.startsWith(AutoscalerOverrides.PREFIX)
                ? Set.of(
                        new ResourceID(
                                name.substring(AutoscalerOverrides.PREFIX.length()),
                                map.getMetadata().getNamespace()))
                : Set.of();
    }
}
