// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.api.spec.FlinkConfiguration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class RestEndpointTest {
    @Test
    void hasTheHostOfTheServiceAndThePortOfTheConfiguration() {
        assertThat(RestEndpoint.IN_CLUSTER.of("shop", "orders", options(Map.of())))
                .hasToString("http://orders-rest.shop:8081");
        assertThat(
                        RestEndpoint.IN_CLUSTER.of(
                                "shop", "orders", options(Map.of("rest.port", "8082"))))
                .hasToString("http://orders-rest.shop:8082");
    }

    @Test
    void hasANameThatAWildcardCoversWhereTlsIsUsed() {
        var tls = options(Map.of("security.ssl.rest.enabled", "true"));

        assertThat(RestEndpoint.IN_CLUSTER.of("shop", "orders", tls))
                .hasToString("https://orders-rest.shop.svc:8081");
        assertThat(new RestEndpoint("http://127.0.0.1:{port}/{name}").of("shop", "orders", tls))
                .hasToString("https://127.0.0.1:8081/orders");
    }

    @Test
    void takesSslOfAllForThatOfTheRestApiUnlessThatIsSaid() {
        assertThat(options(Map.of("security.ssl.enabled", "true")).usesRestTls()).isTrue();
        assertThat(
                        options(
                                        Map.of(
                                                "security.ssl.enabled",
                                                "true",
                                                "security.ssl.rest.enabled",
                                                "false"))
                                .usesRestTls())
                .isFalse();
    }

    @Test
    void dependsOnFewOptionsWhereverTheyAreWritten() {
        assertThat(RestEndpoint.dependsOn("rest.port")).isTrue();
        assertThat(
                        RestEndpoint.dependsOn(
                                "kubernetes.operator.default-configuration.namespace.shop.security.ssl.rest.enabled"))
                .isTrue();
        assertThat(RestEndpoint.dependsOn("rest.address")).isFalse();
    }

    @Test
    void isNoOtherProtocol() {
        assertThatThrownBy(() -> new RestEndpoint("ftp://{name}"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'ftp://{name}' must look like");
    }

    private static Options options(Map<String, String> entries) {
        return new Options(new FlinkConfiguration(entries));
    }
}
