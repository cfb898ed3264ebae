// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.javaoperatorsdk.operator.api.monitoring.Metrics;
import io.javaoperatorsdk.operator.api.reconciler.Constants;
import io.javaoperatorsdk.operator.processing.GroupVersionKind;
import io.javaoperatorsdk.operator.processing.event.Event;
import io.javaoperatorsdk.operator.processing.event.ResourceID;
import io.prometheus.client.Collector;
import io.prometheus.client.CollectorRegistry;
import io.sluice.api.FlinkDeployment;
import io.sluice.process.metric.Series;
import io.sluice.rules.config.DefaultConfiguration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class PassMetricsTest {
    private static final Map<String, Object> METADATA =
            Map.of(
                    Constants.RESOURCE_GVK_KEY,
                    new GroupVersionKind("flink.apache.org", "v1beta1", "FlinkDeployment"));
    private static final ResourceID ORDERS = new ResourceID("orders", "shop");
    private static final String[] RESOURCE = {"kind", "namespace", "name"};
    private static final String[] OF_ORDERS = {"FlinkDeployment", "shop", "orders"};

    private final CollectorRegistry registry = new CollectorRegistry(true);
    private final Series series = new Series(registry);
    private final AtomicLong nanos = new AtomicLong();
    private final ResourceMetrics resources =
            new ResourceMetrics(
                    Optional.empty(), ResourceMetrics.Beside.NOTHING, InstantSource.system());
    private final PassMetrics metrics = new PassMetrics(series, resources, nanos::get);
    private final FlinkDeployment orders = orders();

    @Test
    void timesHowLongAPassWaitsForItsTurn() {
        metrics.reconciliationSubmitted(orders, null, METADATA);
        assertThat(registry.getSampleValue("sluice_operator_queue_length")).isEqualTo(1.0);
        nanos.addAndGet(2_000_000_000L);

        metrics.reconciliationStarted(orders, METADATA);

        assertThat(registry.getSampleValue("sluice_operator_queue_length")).isZero();
        assertThat(
                        registry.getSampleValue(
                                "sluice_operator_queue_wait_seconds_sum",
                                new String[] {"kind"},
                                new String[] {"FlinkDeployment"}))
                .isEqualTo(2.0);
    }

    @Test
    void timesPassesByWhatCameOfThem() throws Exception {
        metrics.timeControllerExecution(execution(() -> "done"));
        assertThatThrownBy(
                        () ->
                                metrics.timeControllerExecution(
                                        execution(
                                                () -> {
                                                    throw new IllegalStateException("down");
                                                })))
                .hasMessage("down");

        assertThat(passes("status")).isEqualTo(1.0);
        assertThat(passes("failed")).isEqualTo(1.0);
    }

    @Test
    void countsOfAResourceEndWithIt() {
        registry.register(resources);
        resources.saw(
                orders,
                true,
                () -> ResourceFacts.of(orders, DefaultConfiguration.NONE, Instant.EPOCH));
        metrics.reconciliationSubmitted(orders, null, METADATA);
        metrics.reconciliationFailed(orders, null, new IllegalStateException(), METADATA);
        metrics.eventReceived(new Event(ORDERS), METADATA);
        assertThat(registry.getSampleValue("sluice_resource_failures_total", RESOURCE, OF_ORDERS))
                .isEqualTo(1.0);
        assertThat(registry.getSampleValue("sluice_resource_passes_total", RESOURCE, OF_ORDERS))
                .isEqualTo(2.0);

        metrics.cleanupDone(ORDERS, METADATA);
        metrics.eventReceived(new Event(ORDERS), METADATA);

        assertThat(Collections.list(registry.metricFamilySamples()))
                .flatExtracting(family -> family.samples)
                .extracting((Collector.MetricFamilySamples.Sample sample) -> sample.labelValues)
                .noneMatch(values -> values.contains("orders"));
        assertThat(registry.getSampleValue("sluice_operator_queue_length")).isZero();
    }

    private Double passes(String outcome) {
        return registry.getSampleValue(
                "sluice_operator_pass_seconds_count",
                new String[] {"kind", "work", "outcome"},
                new String[] {"FlinkDeployment", "reconcile", outcome});
    }

    private static Metrics.ControllerExecution<String> execution(Callable<String> work) {
        return new Metrics.ControllerExecution<>() {
            @Override
            public String name() {
                return "reconcile";
            }

            @Override
            public String controllerName() {
                return "flinkdeployments";
            }

            @Override
            public String successTypeName(String result) {
                return "status";
            }

            @Override
            public ResourceID resourceID() {
                return ORDERS;
            }

            @Override
            public Map<String, Object> metadata() {
                return METADATA;
            }

            @Override
            public String execute() throws Exception {
                return work.call();
            }
        };
    }

    private static FlinkDeployment orders() {
        var resource = new FlinkDeployment();
        resource.setMetadata(
                new ObjectMetaBuilder().withNamespace("shop").withName("orders").build());
        return resource;
    }
}
