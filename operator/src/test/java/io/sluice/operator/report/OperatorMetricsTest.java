// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.prometheus.client.Collector;
import io.prometheus.client.CollectorRegistry;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.flink.rest.http.Waiting;
import io.sluice.operator.canary.Canaries;
import io.sluice.operator.config.HealthOptions;
import io.sluice.operator.config.MetricOptions;
import io.sluice.operator.model.Reason;
import io.sluice.operator.observe.ChildResources;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.StatusStore;
import io.sluice.process.LiveConfiguration;
import io.sluice.process.Progress;
import io.sluice.process.management.PortMetrics;
import io.sluice.process.metric.Series;
import io.sluice.rules.canary.CanaryResources;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.metric.Metric;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class OperatorMetricsTest {
    private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private final CollectorRegistry registry = new CollectorRegistry(true);
    private final Series series = new Series(registry);
    private final AtomicReference<Instant> now = new AtomicReference<>(START);
    private final InstantSource clock = now::get;

    @Test
    void registersWhatIsListedAndNothingElse() {
        operatorMetrics(Map.of());
        ProcessMetrics.show(
                series, LiveConfiguration.awaited(Optional.empty(), _ -> {}), () -> true);
        new ClientMetrics(series, Duration.ofSeconds(5), () -> 0);
        new RestMetrics(series, Waiting.direct(), () -> 0);
        new CrdMetrics(series);
        new NamespaceMetrics(series);
        PortMetrics.of(series);
        new PassProgress(series, new Progress(Duration.ofMinutes(5), () -> 0, System::nanoTime));
        registry.register(
                new CanaryMetrics(
                        new Canaries(
                                () -> new CanaryResources(Set.of("shop")),
                                () -> HealthOptions.of(DefaultConfiguration.NONE),
                                (_, _) -> {},
                                clock)));

        Map<String, String> registered =
                Collections.list(registry.metricFamilySamples()).stream()
                        .filter(family -> family.name.startsWith("sluice_"))
                        .collect(
                                Collectors.toMap(family -> family.name, OperatorMetricsTest::type));
        Map<String, String> listed =
                Metric.shownBy("operator").stream()
                        .filter(metric -> !metric.isOfRuntime())
                        .collect(Collectors.toMap(Metric::name, each -> each.type().name()));

        assertThat(registered).isEqualTo(listed);
        assertThat(names())
                .containsAll(
                        Metric.shownBy("operator").stream()
                                .filter(Metric::isOfRuntime)
                                .flatMap(metric -> metric.series().stream())
                                .toList());
    }

    @Test
    void showsAResourceUntilNothingIsLeftOfIt() throws IOException {
        var metrics = operatorMetrics(Map.of());
        FlinkDeployment orders = deployment("orders", "DEPLOYED");

        pass(metrics, orders, false);

        assertThat(value("sluice_resource_lifecycle", "state", "DEPLOYED", "orders")).hasValue(1.0);
        assertThat(value("sluice_resource_ready", "orders")).hasValue(1.0);
        assertThat(value("sluice_resource_generations_behind", "orders")).hasValue(2.0);
        assertThat(value("sluice_resource_cpu_cores", "orders")).hasValue(1.5);
        assertThat(value("sluice_savepoint_acknowledged_ratio", "orders")).hasValue(0.75);
        assertThat(
                        registry.getSampleValue(
                                "sluice_flink_versions",
                                new String[] {"namespace", "version", "minor"},
                                new String[] {"shop", "1.20.5", "1.20"}))
                .isEqualTo(1.0);

        pass(metrics, orders, true);

        assertThat(names()).noneMatch(name -> name.startsWith("sluice_resource_"));
        assertThat(samplesThatName("shop")).isEmpty();
    }

    @Test
    void addsUpByNamespace() throws IOException {
        var metrics = operatorMetrics(Map.of());

        pass(metrics, deployment("orders", "STABLE"), false);
        pass(metrics, deployment("returns", "STABLE"), false);

        assertThat(
                        registry.getSampleValue(
                                "sluice_resources",
                                new String[] {"kind", "namespace", "state"},
                                new String[] {"FlinkDeployment", "shop", "STABLE"}))
                .isEqualTo(2.0);
        assertThat(
                        registry.getSampleValue(
                                "sluice_namespace_cpu_cores",
                                new String[] {"namespace"},
                                new String[] {"shop"}))
                .isEqualTo(3.0);
        assertThat(
                        registry.getSampleValue(
                                "sluice_namespace_state_bytes",
                                new String[] {"namespace"},
                                new String[] {"shop"}))
                .isEqualTo(4_096.0);
    }

    @Test
    void aResourceMadeAnewUnderTheSameNameBeginsAnew() throws IOException {
        var metrics = operatorMetrics(Map.of());
        pass(metrics, deployment("orders", "DEPLOYED"), false);
        now.set(START.plusSeconds(100));
        FlinkDeployment other = deployment("orders", "STABLE");
        other.getMetadata().setUid("another");

        pass(metrics, other, false);

        assertThat(samplesThatName("Stabilization")).isEmpty();
    }

    @Test
    void readsAStatusOnceForEachVersion() throws IOException {
        var resources =
                new ResourceMetrics(Optional.empty(), ResourceMetrics.Beside.NOTHING, clock);
        registry.register(resources);
        FlinkDeployment orders = deployment("orders", "STABLE");
        orders.getMetadata().setResourceVersion("7");
        var reads = new AtomicInteger();
        Supplier<ResourceFacts> read =
                () -> {
                    reads.incrementAndGet();
                    return facts(orders);
                };

        resources.saw(orders, false, read);
        resources.saw(orders, false, read);
        assertThat(reads).hasValue(1);

        orders.setStatus(deployment("orders", "FAILED").getStatus());
        resources.saw(orders, true, read);
        assertThat(reads).hasValue(2);
        assertThat(value("sluice_resource_lifecycle", "state", "FAILED", "orders")).hasValue(1.0);

        orders.getMetadata().setResourceVersion("8");
        resources.saw(orders, false, read);
        resources.saw(orders, false, read);
        assertThat(reads).hasValue(3);
    }

    @Test
    void tellsOfTheSavepointsOfAJob() throws IOException {
        var metrics = operatorMetrics(Map.of());
        FlinkDeployment orders = deployment("orders", "STABLE");
        orders.setSpec(new ObjectMapper().createObjectNode());
        orders.getSpec()
                .putObject("flinkConfiguration")
                .put("kubernetes.operator.periodic.savepoint.interval", "0 0 8-18 * * ?");
        pass(metrics, orders, false);

        assertThat(value("sluice_savepoint_interval_seconds", "orders"))
                .as("from 18 to 8 o'clock")
                .hasValue(50_400.0);
        assertThat(value("sluice_last_savepoint_failed", "orders")).isEmpty();
        assertThat(value("sluice_last_savepoint_timestamp_seconds", "orders")).isEmpty();

        ((ObjectNode) orders.getStatus().get("jobStatus"))
                .putObject("savepointInfo")
                .put("lastFailure", "it expired")
                .putObject("lastSavepoint")
                .put("timeStamp", 1_000_000L);
        pass(metrics, orders, false);

        assertThat(value("sluice_last_savepoint_failed", "orders")).hasValue(1.0);
        assertThat(value("sluice_last_savepoint_timestamp_seconds", "orders")).hasValue(1_000.0);
    }

    @Test
    void timesHowLongAJobTakesToBecomeStable() throws IOException {
        var metrics = operatorMetrics(Map.of());
        pass(metrics, deployment("orders", "DEPLOYED"), false);
        now.set(START.plusSeconds(42));

        pass(metrics, deployment("orders", "STABLE"), false);

        assertThat(
                        registry.getSampleValue(
                                "sluice_lifecycle_transition_seconds_sum",
                                new String[] {"kind", "namespace", "transition"},
                                new String[] {"FlinkDeployment", "shop", "Stabilization"}))
                .isEqualTo(42.0);
    }

    @Test
    void countsADowntimeWhenTheStatusFirstTellsOfIt() throws IOException {
        var metrics = operatorMetrics(Map.of());
        FlinkDeployment orders = deployment("orders", "UPGRADING");
        ObjectNode upgraded = deployment("orders", "STABLE").getStatus();
        upgraded.putObject("lastUpgrade")
                .put("outcome", "upgraded")
                .put("upgradeMode", "last-state")
                .put("stopRequestedTime", "2026-03-01T11:59:00.250Z")
                .put("runningTime", "2026-03-01T11:59:20.500Z");

        passThatWrites(metrics, orders, upgraded);
        pass(metrics, orders, false);

        assertThat(downtime("sum")).hasValue(20.25);
        assertThat(downtime("count")).hasValue(1.0);
        pass(metrics, orders, true);
        assertThat(downtime("count")).isEmpty();
    }

    private Optional<Double> downtime(String of) {
        return Optional.ofNullable(
                registry.getSampleValue(
                        "sluice_upgrade_downtime_seconds_" + of,
                        new String[] {"kind", "namespace", "mode", "outcome"},
                        new String[] {"FlinkDeployment", "shop", "last-state", "upgraded"}));
    }

    private static void passThatWrites(
            OperatorMetrics metrics, FlinkDeployment resource, ObjectNode status) {
        metrics.<FlinkDeployment, ChildResources>counted(
                        (read, _, store) -> {
                            var _ = store.save(read, status);
                            return new Outcome(Reason.JOB_RUNNING, true, false, Optional.empty());
                        },
                        OperatorMetricsTest::facts,
                        _ -> Optional.empty(),
                        _ -> Optional.empty())
                .reconcile(
                        resource,
                        new ChildResources(Optional.empty(), List.of(), Optional.empty()),
                        (read, next) -> {
                            read.setStatus(next);
                            return StatusStore.Saved.KEPT;
                        });
    }

    @Test
    void showsNoResourceWhereNobodyWantsIt() throws IOException {
        var metrics =
                operatorMetrics(
                        Map.of(
                                "resource.metrics.enabled", "false",
                                "resource.lifecycle.namespace.histograms.enabled", "false"));

        pass(metrics, deployment("orders", "STABLE"), false);
        pass(metrics, deployment("orders", "STABLE"), true);

        assertThat(samplesThatName("orders")).isEmpty();
        assertThat(samplesThatName("shop")).isEmpty();
        assertThat(samplesThatName("FlinkDeployment")).isNotEmpty();
    }

    private OperatorMetrics operatorMetrics(Map<String, String> options) {
        Map<String, String> full =
                options.entrySet().stream()
                        .collect(
                                Collectors.toMap(
                                        each -> "kubernetes.operator." + each.getKey(),
                                        Map.Entry::getValue));
        return new OperatorMetrics(
                series,
                MetricOptions.of(new DefaultConfiguration(new FlinkConfiguration(full))),
                clock,
                System::nanoTime);
    }

    private static void pass(OperatorMetrics metrics, FlinkDeployment resource, boolean released) {
        metrics.<FlinkDeployment, ChildResources>counted(
                        (_, _, _) -> new Outcome(Reason.DELETING, true, released, Optional.empty()),
                        OperatorMetricsTest::facts,
                        uid -> Optional.of(uid).filter("1-orders"::equals).map(_ -> 4_096L),
                        _ -> Optional.of(0.75))
                .reconcile(
                        resource,
                        new ChildResources(Optional.empty(), List.of(), Optional.empty()),
                        (_, _) -> StatusStore.Saved.KEPT);
    }

    private static ResourceFacts facts(FlinkDeployment resource) {
        return ResourceFacts.of(resource, DefaultConfiguration.NONE, START);
    }

    private static FlinkDeployment deployment(String name, String state) throws IOException {
        var resource = new FlinkDeployment();
        resource.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace("shop")
                        .withName(name)
                        .withUid("1-" + name)
                        .withGeneration(5L)
                        .build());
        resource.setStatus(
                (ObjectNode)
                        new ObjectMapper()
                                .readTree(
                                        """
                                        {"lifecycleState": "%s", "observedGeneration": 3,
                                         "jobManagerDeploymentStatus": "READY", "jobStatus": {"state": "RUNNING"},
                                         "clusterInfo": {"flink-version": "1.20.5", "total-cpu": "1.5", "total-memory": "many"},
                                         "conditions": [{"type": "Ready", "status": "True", "reason": "JobRunning",
                                           "message": "", "lastTransitionTime": "2026-03-01T12:00:00Z"}]}
                                        """
                                                .formatted(state)));
        return resource;
    }

    private Optional<Double> value(String metric, String name) {
        return Optional.ofNullable(
                registry.getSampleValue(
                        metric,
                        new String[] {"kind", "namespace", "name"},
                        new String[] {"FlinkDeployment", "shop", name}));
    }

    private Optional<Double> value(String metric, String label, String word, String name) {
        return Optional.ofNullable(
                registry.getSampleValue(
                        metric,
                        new String[] {"kind", "namespace", "name", label},
                        new String[] {"FlinkDeployment", "shop", name, word}));
    }

    private List<String> names() {
        return samples().stream().map(sample -> sample.name).distinct().toList();
    }

    private List<String> samplesThatName(String word) {
        return samples().stream()
                .filter(sample -> sample.labelValues.contains(word))
                .map(sample -> sample.name)
                .toList();
    }

    private List<Collector.MetricFamilySamples.Sample> samples() {
        return Collections.list(registry.metricFamilySamples()).stream()
                .flatMap(family -> family.samples.stream())
                .toList();
    }

    private static String type(Collector.MetricFamilySamples family) {
        return family.type.name().toUpperCase(Locale.ROOT);
    }
}
