// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit;

import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.ApiVersion;
import io.sluice.api.spec.ResourceKind;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/** The CRDs as they are shipped. */
public final class Crds {
    private static final List<String> NAMES =
            Arrays.stream(ResourceKind.values()).map(ResourceKind::crd).toList();

    private Crds() {}

    /** Every CRD that is shipped, read from the class path. */
    public static List<CustomResourceDefinition> all(KubernetesClient client) {
        return NAMES.stream().map(name -> read(client, name)).toList();
    }

    /**
     * Stores every CRD and waits until the server serves them. Of a CRD that was just established
     * it answers "storage is (re)initializing" (429) for a moment, which this client tries again.
     */
    static void install(KubernetesClient client) {
        all(client).forEach(crd -> client.resource(crd).forceConflicts().serverSideApply());
        NAMES.forEach(
                name ->
                        client.apiextensions()
                                .v1()
                                .customResourceDefinitions()
                                .withName(name)
                                .waitUntilCondition(Crds::isEstablished, 30, TimeUnit.SECONDS));
        for (ResourceKind kind : ResourceKind.values()) {
            client.genericKubernetesResources(ApiVersion.TEXT, kind.wire()).inAnyNamespace().list();
        }
    }

    private static boolean isEstablished(CustomResourceDefinition crd) {
        return crd != null
                && crd.getStatus() != null
                && crd.getStatus().getConditions() != null
                && crd.getStatus().getConditions().stream()
                        .anyMatch(
                                condition ->
                                        condition.getType().equals("Established")
                                                && condition.getStatus().equals("True"));
    }

    private static CustomResourceDefinition read(KubernetesClient client, String name) {
        InputStream yaml =
                Objects.requireNonNull(
                        FlinkDeployment.class.getResourceAsStream("/crds/" + name + "-v1.yml"),
                        name);
        return client.apiextensions().v1().customResourceDefinitions().load(yaml).item();
    }
}
