// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import io.sluice.api.spec.IngressSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RouteRendererTest {
    private static final GatewayRef EDGE = GatewayRef.parse("edge/public").orElseThrow();

    @Test
    void leadsFromHostAndPathToTheJobManager() {
        HTTPRoute route = rendered("{{name}}.example.org/{{namespace}}");

        assertThat(route.getSpec().getHostnames()).containsExactly("orders.example.org");
        assertThat(route.getSpec().getRules())
                .singleElement()
                .satisfies(
                        rule -> {
                            assertThat(rule.getMatches().getFirst().getPath().getValue())
                                    .isEqualTo("/shop");
                            assertThat(rule.getBackendRefs().getFirst().getName())
                                    .isEqualTo("orders-rest");
                            assertThat(rule.getBackendRefs().getFirst().getPort()).isEqualTo(8081);
                        });
    }

    @Test
    void flinkSeesItsOwnRootWhateverThePath() {
        assertThat(rendered("example.org").getSpec().getRules().getFirst().getFilters()).isEmpty();
        assertThat(rendered("example.org/flink").getSpec().getRules().getFirst().getFilters())
                .singleElement()
                .satisfies(
                        filter ->
                                assertThat(filter.getUrlRewrite().getPath().getReplacePrefixMatch())
                                        .isEqualTo("/"));
    }

    @Test
    void takesAnyHostWhereNoneIsNamed() {
        assertThat(rendered("/{{name}}").getSpec().getHostnames()).isEmpty();
    }

    @Test
    void aGatewayIsReadWithItsNamespaceAndListener() {
        assertThat(GatewayRef.parse("public"))
                .contains(new GatewayRef(Optional.empty(), "public", Optional.empty()));
        assertThat(GatewayRef.parse("edge/public#https"))
                .contains(new GatewayRef(Optional.of("edge"), "public", Optional.of("https")));
        assertThat(GatewayRef.parse("a/b/c")).isEmpty();
        assertThat(GatewayRef.parse("https://edge")).isEmpty();
    }

    private static HTTPRoute rendered(String template) {
        var spec =
                new IngressSpec(
                        Optional.of(template), Optional.empty(), Map.of(), Map.of(), List.of());
        var orders = new IngressSpecView.Subject("shop", "orders", "uid-1");
        return RouteRenderer.render(IngressSpecView.of(orders, spec).orElseThrow(), 8081, EDGE);
    }
}
