// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import io.fabric8.kubernetes.api.model.networking.v1.HTTPIngressPathBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.HTTPIngressRuleValueBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.Ingress;
import io.fabric8.kubernetes.api.model.networking.v1.IngressBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.IngressRuleBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.IngressSpecBuilder;
import io.fabric8.kubernetes.api.model.networking.v1.IngressTLSBuilder;
import io.sluice.api.spec.IngressSpec;

/** Renders an {@link IngressSpecView} as an Ingress. */
public final class IngressRenderer {
    private IngressRenderer() {}

    /**
     * @param restPort the port of the Service {@code <name>-rest}
     */
    public static Ingress render(IngressSpecView view, int restPort) {
        var ingress =
                new IngressBuilder()
                        .withMetadata(view.metadata())
                        .withSpec(rules(view, restPort).build())
                        .build();
        return IngressSpecView.fingerprinted(ingress, ingress.getSpec());
    }

    private static IngressSpecBuilder rules(IngressSpecView view, int restPort) {
        var path =
                new HTTPIngressPathBuilder()
                        .withPath(view.path())
                        .withPathType("ImplementationSpecific")
                        .withNewBackend()
                        .withNewService()
                        .withName(view.service())
                        .withNewPort()
                        .withNumber(restPort)
                        .endPort()
                        .endService()
                        .endBackend()
                        .build();
        var rule =
                new IngressRuleBuilder()
                        .withHttp(new HTTPIngressRuleValueBuilder().withPaths(path).build());
        view.host().ifPresent(rule::withHost);
        var rendered = new IngressSpecBuilder().withRules(rule.build());
        view.spec().className().ifPresent(rendered::withIngressClassName);
        for (IngressSpec.Tls tls : view.spec().tls()) {
            var entry = new IngressTLSBuilder().withHosts(tls.hosts());
            tls.secretName().ifPresent(entry::withSecretName);
            rendered.addToTls(entry.build());
        }
        return rendered;
    }
}
