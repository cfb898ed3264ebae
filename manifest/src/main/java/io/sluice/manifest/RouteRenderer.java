// SPDX-License-Identifier: Apache-2.0
package io.sluice.manifest;

import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRoute;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRouteBuilder;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRouteRuleBuilder;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.HTTPRouteSpecBuilder;
import io.fabric8.kubernetes.api.model.gatewayapi.v1.ParentReferenceBuilder;

/**
 * Renders an {@link IngressSpecView} as an HTTPRoute of the Gateway API (v1). What the API server
 * would fill in is written out, so that what stands there can be compared.
 */
public final class RouteRenderer {
    private static final String ROOT = "/";

    private RouteRenderer() {}

    /**
     * @param restPort the port of the Service {@code <name>-rest}
     */
    public static HTTPRoute render(IngressSpecView view, int restPort, GatewayRef gateway) {
        var parent =
                new ParentReferenceBuilder()
                        .withGroup("gateway.networking.k8s.io")
                        .withKind("Gateway")
                        .withName(gateway.name());
        gateway.namespace().ifPresent(parent::withNamespace);
        gateway.listener().ifPresent(parent::withSectionName);
        var spec =
                new HTTPRouteSpecBuilder()
                        .withParentRefs(parent.build())
                        .withRules(rule(view, restPort).build());
        view.host().ifPresent(spec::addToHostnames);
        var route =
                new HTTPRouteBuilder().withMetadata(view.metadata()).withSpec(spec.build()).build();
        return IngressSpecView.fingerprinted(route, route.getSpec());
    }

    private static HTTPRouteRuleBuilder rule(IngressSpecView view, int restPort) {
        var rule =
                new HTTPRouteRuleBuilder()
                        .addNewMatch()
                        .withNewPath()
                        .withType("PathPrefix")
                        .withValue(view.path())
                        .endPath()
                        .endMatch()
                        .addNewBackendRef()
                        .withGroup("")
                        .withKind("Service")
                        .withName(view.service())
                        .withPort(restPort)
                        .withWeight(1)
                        .endBackendRef();
        // Flink answers at the root only.
        return view.path().equals(ROOT)
                ? rule
                : rule.addNewFilter()
                        .withType("URLRewrite")
                        .withNewUrlRewrite()
                        .withNewPath()
                        .withType("ReplacePrefixMatch")
                        .withReplacePrefixMatch(ROOT)
                        .endPath()
                        .endUrlRewrite()
                        .endFilter();
    }
}
