// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;

/** The test server has addresses for 254 services. */
public final class ServiceAddresses {
    private ServiceAddresses() {}

    /** Gives the server of {@code client} a million of them; again, nothing. */
    public static void addTo(KubernetesClient client) {
        var more = new GenericKubernetesResource();
        more.setApiVersion("networking.k8s.io/v1");
        more.setKind("ServiceCIDR");
        more.setMetadata(new ObjectMetaBuilder().withName("more").build());
        more.setAdditionalProperty("spec", Map.of("cidrs", List.of("10.96.0.0/12")));
        client.resource(more).serverSideApply();
    }
}
