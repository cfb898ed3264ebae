// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.sluice.api.spec.IngressSpec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class IngressRendererTest {
    private static final IngressSpecView.Subject ORDERS =
            new IngressSpecView.Subject("shop", "orders", "uid-1");

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '"',
            value = {
                "{{name}}.{{namespace}}.example.org, orders.shop.example.org, /",
                "https://flink.example.org:8443/{{ NAMESPACE }}/{{Name}}, flink.example.org, /shop/orders",
                "/{{namespace}}/{{name}}(/|$)(.*), , /shop/orders(/|$)(.*)",
            })
    void takesHostAndPathFromTheTemplate(String template, String host, String path) {
        var rule = rendered(template).getSpec().getRules().getFirst();

        assertThat(Optional.ofNullable(rule.getHost())).isEqualTo(Optional.ofNullable(host));
        assertThat(rule.getHttp().getPaths())
                .singleElement()
                .satisfies(
                        only -> {
                            assertThat(only.getPath()).isEqualTo(path);
                            assertThat(only.getPathType()).isEqualTo("ImplementationSpecific");
                            assertThat(only.getBackend().getService().getName())
                                    .isEqualTo("orders-rest");
                            assertThat(only.getBackend().getService().getPort().getNumber())
                                    .isEqualTo(8081);
                        });
    }

    @Test
    void belongsToTheResourceAndNotToItsCluster() {
        var metadata = rendered("{{name}}.example.org").getMetadata();

        assertThat(metadata.getName()).isEqualTo("orders");
        assertThat(metadata.getLabels())
                .containsEntry("component", "ingress")
                .containsEntry("team", "shop");
        assertThat(metadata.getOwnerReferences())
                .singleElement()
                .satisfies(
                        owner -> {
                            assertThat(owner.getKind()).isEqualTo("FlinkDeployment");
                            assertThat(owner.getUid()).isEqualTo("uid-1");
                            assertThat(owner.getController()).isTrue();
                        });
    }

    @Test
    void carriesClassCertificatesAndAnnotationsAlong() {
        Ingress ingress = rendered("{{name}}.example.org");

        assertThat(ingress.getSpec().getIngressClassName()).isEqualTo("nginx");
        assertThat(ingress.getSpec().getTls())
                .singleElement()
                .satisfies(
                        tls -> {
                            assertThat(tls.getHosts()).containsExactly("orders.example.org");
                            assertThat(tls.getSecretName()).isEqualTo("orders-tls");
                        });
        assertThat(ingress.getMetadata().getAnnotations())
                .containsEntry("nginx.ingress.kubernetes.io/rewrite-target", "/$2");
    }

    @Test
    void rendersTheSameTwice() {
        assertThat(rendered("{{name}}.example.org")).isEqualTo(rendered("{{name}}.example.org"));
        assertThat(rendered("{{name}}.example.org")).isNotEqualTo(rendered("{{name}}.example.com"));
    }

    private static Ingress rendered(String template) {
        var spec =
                new IngressSpec(
                        Optional.of(template),
                        Optional.of("nginx"),
                        Map.of("nginx.ingress.kubernetes.io/rewrite-target", "/$2"),
                        Map.of("team", "shop"),
                        List.of(
                                new IngressSpec.Tls(
                                        List.of("orders.example.org"), Optional.of("orders-tls"))));
        return IngressRenderer.render(IngressSpecView.of(ORDERS, spec).orElseThrow(), 8081);
    }
}
