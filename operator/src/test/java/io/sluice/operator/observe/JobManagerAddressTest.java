// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.RestEndpoint;
import java.util.Map;
import org.junit.jupiter.api.Test;

class JobManagerAddressTest {
    @Test
    void hasTheUsualPortOfANamedService() {
        assertThat(with(Map.of()).apply(wanting(""))).hasToString("http://orders-rest.shop:8081");
    }

    @Test
    void hasThePortThatIsWantedOfAClusterThatIsNew() {
        assertThat(with(Map.of()).apply(wanting("8082"))).hasPort(8082);
    }

    @Test
    void hasThePortThatRunsUntilTheNextClusterIsMade() {
        Snapshots running =
                Snapshots.aRunningDeployment()
                        .withConfiguration("rest.port", "8082")
                        .decided()
                        .withNothingLeft()
                        .decided();
        FlinkDeployment resource = wanting("8083");
        resource.setStatus(running.observed().status().onto(JsonNodeFactory.instance.objectNode()));

        assertThat(with(Map.of()).apply(resource)).hasPort(8082);
    }

    @Test
    void hasThePortOfTheDefaults() {
        assertThat(with(Map.of("rest.port", "9091")).apply(wanting(""))).hasPort(9091);
    }

    @Test
    void leavesATemplateWithAPortOfItsOwnAlone() {
        var fixed =
                new JobManagerAddress(
                        new RestEndpoint("http://127.0.0.1:1"), () -> DefaultConfiguration.NONE);

        assertThat(fixed.apply(wanting("8082"))).hasPort(1);
    }

    @Test
    void takesWhatIsNoPortForNotSet() {
        assertThat(with(Map.of()).apply(wanting("0"))).hasPort(8081);
        assertThat(with(Map.of()).apply(wanting("99999"))).hasPort(8081);
    }

    @Test
    void isThatOfTheCertificateWhereTlsIsUsed() {
        assertThat(with(Map.of("security.ssl.rest.enabled", "true")).apply(wanting("")))
                .hasToString("https://orders-rest.shop.svc:8081");
        assertThat(with(Map.of("security.ssl.enabled", "true")).apply(wanting("8082")))
                .hasToString("https://orders-rest.shop.svc:8082");
        assertThat(
                        with(Map.of(
                                        "security.ssl.enabled",
                                        "true",
                                        "security.ssl.rest.enabled",
                                        "false"))
                                .apply(wanting("")))
                .hasToString("http://orders-rest.shop:8081");
    }

    @Test
    void isWithoutTlsUntilTheClusterThatUsesItIsMade() {
        Snapshots running = Snapshots.aRunningDeployment().decided().withNothingLeft().decided();
        FlinkDeployment resource = wanting("");
        resource.getSpec()
                .withObject("/flinkConfiguration")
                .put("security.ssl.rest.enabled", "true");
        assertThat(with(Map.of()).apply(resource)).hasScheme("https");

        resource.setStatus(running.observed().status().onto(JsonNodeFactory.instance.objectNode()));
        assertThat(with(Map.of()).apply(resource)).hasScheme("http");
    }

    private static JobManagerAddress with(Map<String, String> defaults) {
        return new JobManagerAddress(
                RestEndpoint.IN_CLUSTER,
                () -> new DefaultConfiguration(new FlinkConfiguration(defaults)));
    }

    private static FlinkDeployment wanting(String port) {
        var resource = new FlinkDeployment();
        resource.setMetadata(
                new ObjectMetaBuilder().withNamespace("shop").withName("orders").build());
        var spec = Specs.application("flink:1.20", "stateless");
        if (!port.isEmpty()) {
            spec.withObject("/flinkConfiguration").put("rest.port", port);
        }
        resource.setSpec(spec);
        return resource;
    }
}
