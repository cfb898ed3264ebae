// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.CustomResource;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.prometheus.client.Counter;
import io.prometheus.client.hotspot.DefaultExports;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkStateSnapshot;
import io.sluice.api.spec.FlinkBlueGreenDeploymentSpec;
import io.sluice.api.spec.FlinkDeploymentSpec;
import io.sluice.api.status.LastUpgrade;
import io.sluice.operator.config.MetricOptions;
import io.sluice.operator.reconcile.IntentFirst;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.ResourceReconciler;
import io.sluice.process.metric.Series;
import io.sluice.rules.bluegreen.HalfSize;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** What is counted of the operator's work, at the levels that the configuration asks for. */
public final class OperatorMetrics {
    private final Counter passes;
    private final Counter statusWrites;
    private final ResourceMetrics resources;
    private final SnapshotMetrics snapshots;
    private final SavepointMetrics savepoints = new SavepointMetrics();
    private final List<Function<String, Optional<Long>>> stateSizes = new CopyOnWriteArrayList<>();
    private final PairMetrics pairs;
    private final boolean isTracked;
    private final Optional<PassMetrics> framework;

    /**
     * @param nanos a clock that only goes forward
     */
    public OperatorMetrics(
            Series series, MetricOptions options, InstantSource clock, LongSupplier nanos) {
        passes = series.counter("sluice_operator_passes");
        statusWrites = series.counter("sluice_operator_status_writes");
        isTracked = options.resources() || options.lifecycle();
        pairs = new PairMetrics(series);
        snapshots = new SnapshotMetrics(series);
        resources =
                new ResourceMetrics(
                        times(series, options),
                        new ResourceMetrics.Beside(
                                this::stateBytes, snapshots::lastSavepoint, pairs::flags),
                        clock);
        if (options.resources()) {
            series.registry().register(pairs);
            series.registry().register(resources);
            series.registry().register(snapshots);
            series.registry().register(savepoints);
        }
        framework =
                options.framework()
                        ? Optional.of(new PassMetrics(series, resources, nanos))
                        : Optional.empty();
        if (options.runtime()) {
            DefaultExports.register(series.registry());
        }
    }

    private static Optional<LifecycleTimes> times(Series series, MetricOptions options) {
        return options.lifecycle()
                ? Optional.of(new LifecycleTimes(series, options.lifecycleByNamespace()))
                : Optional.empty();
    }

    private Optional<Long> stateBytes(String uid) {
        return stateSizes.stream().flatMap(each -> each.apply(uid).stream()).findFirst();
    }

    /** What the framework is to tell of its work; empty if nobody asks. */
    public Optional<Metrics> ofFramework() {
        return framework.map(Metrics.class::cast);
    }

    /**
     * The same reconciliations, and what each left is counted.
     *
     * @param facts reads from a resource what metrics tell of it
     * @param stateBytes the size of the state of a job, by its resource's uid
     * @param acknowledged the share of the subtasks that have acknowledged the savepoint or
     *     checkpoint that Flink makes for a resource, by its uid
     */
    public <R extends CustomResource<ObjectNode, ObjectNode>, C> ResourceReconciler<R, C> counted(
            ResourceReconciler<R, C> inner,
            Function<R, ResourceFacts> facts,
            Function<String, Optional<Long>> stateBytes,
            Function<String, Optional<Double>> acknowledged) {
        stateSizes.add(stateBytes);
        return (resource, cached, store) -> {
            ObjectNode before = IntentFirst.statusOf(resource);
            Outcome outcome = inner.reconcile(resource, cached, store);
            passed(resource, outcome);
            savepoint(resource, outcome, acknowledged);
            if (!outcome.released() && isTracked) {
                resources.saw(resource, outcome.wroteStatus(), () -> facts.apply(resource));
                if (outcome.wroteStatus()) {
                    newUpgrade(before, IntentFirst.statusOf(resource))
                            .ifPresent(upgrade -> resources.upgraded(resource, upgrade));
                }
            }
            return outcome;
        };
    }

    /**
     * As {@link #counted}, of snapshots: they are counted by what they are, and not by name.
     *
     * @param acknowledged the share of the subtasks that have acknowledged it while Flink makes it,
     *     by its uid
     */
    public <C> ResourceReconciler<FlinkStateSnapshot, C> countedSnapshots(
            ResourceReconciler<FlinkStateSnapshot, C> inner,
            Function<String, Optional<Double>> acknowledged) {
        return (resource, cached, store) -> {
            Outcome outcome = inner.reconcile(resource, cached, store);
            passed(resource, outcome);
            savepoint(resource, outcome, acknowledged);
            if (outcome.released()) {
                snapshotGone(resource);
            } else {
                snapshots.saw(resource);
            }
            return outcome;
        };
    }

    /** A snapshot that needs no reconciliation. */
    public void sawSnapshot(FlinkStateSnapshot resource) {
        snapshots.saw(resource);
    }

    /** Nothing is left of a snapshot, whether it was reconciled or not. */
    public void snapshotGone(FlinkStateSnapshot resource) {
        snapshots.gone(resource, resources::has);
        savepoints.saw(ResourceKey.of(resource), Optional.empty());
    }

    /**
     * As {@link #counted}, of pairs: their halves are counted as what they are.
     *
     * @param defaults what halves run with, beside what their specs say
     * @param acknowledged the share of the subtasks that have acknowledged the savepoint that Flink
     *     makes for a pair, by its uid
     */
    public <C> ResourceReconciler<FlinkBlueGreenDeployment, C> countedPairs(
            ResourceReconciler<FlinkBlueGreenDeployment, C> inner,
            Supplier<DefaultConfiguration> defaults,
            Function<String, Optional<Double>> acknowledged) {
        return (resource, cached, store) -> {
            Outcome outcome = inner.reconcile(resource, cached, store);
            passed(resource, outcome);
            savepoint(resource, outcome, acknowledged);
            if (outcome.released()) {
                pairs.gone(resource);
            } else {
                pairs.saw(resource, () -> size(resource, defaults.get()));
            }
            return outcome;
        };
    }

    private static HalfSize size(FlinkBlueGreenDeployment resource, DefaultConfiguration defaults) {
        FlinkDeploymentSpec half =
                FlinkBlueGreenDeploymentSpec.parse(
                                Optional.ofNullable(resource.getSpec())
                                        .orElseGet(JsonNodeFactory.instance::objectNode),
                                "spec")
                        .value()
                        .template()
                        .spec();
        return HalfSize.of(
                half,
                new Options(
                        defaults.effective(
                                resource.getMetadata().getNamespace(),
                                half.flinkVersion(),
                                half.flinkConfiguration())));
    }

    /** What a status write tells of an upgrade that has just ended. */
    private static Optional<LastUpgrade> newUpgrade(ObjectNode before, ObjectNode after) {
        return LastUpgrade.of(after)
                .filter(upgrade -> !LastUpgrade.of(before).equals(Optional.of(upgrade)));
    }

    private void passed(HasMetadata resource, Outcome outcome) {
        passes.labels(resource.getKind(), outcome.reason().wire()).inc();
        if (outcome.wroteStatus()) {
            statusWrites.labels(resource.getKind()).inc();
        }
        if (outcome.released()) {
            resources.gone(ResourceKey.of(resource));
            snapshots.jobGone(ResourceKey.of(resource));
        }
    }

    private void savepoint(
            HasMetadata resource,
            Outcome outcome,
            Function<String, Optional<Double>> acknowledged) {
        savepoints.saw(
                ResourceKey.of(resource),
                Optional.ofNullable(resource.getMetadata().getUid())
                        .filter(_ -> !outcome.released())
                        .flatMap(acknowledged));
    }
}
