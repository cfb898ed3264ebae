// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.trace;

import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.opentelemetry.proto.trace.v1.Span;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.MinimalSpec;
import io.sluice.operator.OperatorUnderTest;
import io.sluice.testkit.ApiServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** The real process tells a collector of its reconciliations. */
class TracesIT {
    @RegisterExtension static final ApiServer API = new ApiServer();

    @TempDir private Path folder;

    @Test
    void aCollectorIsToldOfEachPassWithWhatItAskedOfTheApiServer() throws IOException {
        String namespace = API.newNamespace();
        try (var collector = new Collector();
                var _ =
                        OperatorUnderTest.start(
                                folder,
                                API.kubeconfig(),
                                namespace,
                                "",
                                Map.of(
                                        "OTEL_TRACES_EXPORTER", "otlp",
                                        "OTEL_EXPORTER_OTLP_ENDPOINT", collector.endpoint(),
                                        "OTEL_BSP_SCHEDULE_DELAY", "200"))) {
            API.client().resource(deployment(namespace)).create();

            await().atMost(ofMinutes(2))
                    .untilAsserted(
                            () ->
                                    assertThat(passes(collector))
                                            .anySatisfy(
                                                    pass ->
                                                            assertThat(asked(collector, pass))
                                                                    .contains(
                                                                            "PUT 200",
                                                                            "POST 201")));
            assertThat(collector.text()).contains("sluice-operator").doesNotContain("hunter2");
            assertThat(collector.spans())
                    .filteredOn(span -> span.getParentSpanId().isEmpty())
                    .allSatisfy(
                            span -> assertThat(span.getName()).isEqualTo("pass FlinkDeployment"));
        }
    }

    private static List<Span> passes(Collector collector) {
        return collector.spans().stream()
                .filter(span -> span.getName().equals("pass FlinkDeployment"))
                .toList();
    }

    private static List<String> asked(Collector collector, Span pass) {
        return collector.spans().stream()
                .filter(span -> span.getParentSpanId().equals(pass.getSpanId()))
                .map(span -> span.getName() + " " + code(span))
                .toList();
    }

    private static long code(Span span) {
        return span.getAttributesList().stream()
                .filter(attribute -> attribute.getKey().equals("http.response.status_code"))
                .mapToLong(attribute -> attribute.getValue().getIntValue())
                .findFirst()
                .orElse(0);
    }

    private static FlinkDeployment deployment(String namespace) {
        ObjectNode spec = MinimalSpec.spec("running");
        spec.withObject("/job").putArray("args").add("--password=hunter2");
        var resource = new FlinkDeployment();
        resource.setMetadata(
                new ObjectMetaBuilder().withNamespace(namespace).withName("traced").build());
        resource.setSpec(spec);
        return resource;
    }
}
