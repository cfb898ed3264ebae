// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.migrate;

/** An operator that serves a cluster before a migration, and how its installations are found. */
enum Product {
    APACHE(
            "flink-kubernetes-operator",
            labels("app.kubernetes.io/name=flink-kubernetes-operator"),
            "fieldSelector="
                    + LiveCluster.encoded("metadata.name=" + MigrationCheck.CONFIGURATION)),
    SLUICE(
            "sluice",
            labels("app.kubernetes.io/name=sluice,app.kubernetes.io/component=operator"),
            labels("app.kubernetes.io/name=sluice,app.kubernetes.io/component=configuration"));

    private final String usualRelease;
    private final String deployment;
    private final String configuration;

    Product(String usualRelease, String deployment, String configuration) {
        this.usualRelease = usualRelease;
        this.deployment = deployment;
        this.configuration = configuration;
    }

    /** The Helm release as its documentation calls it. */
    String usualRelease() {
        return usualRelease;
    }

    /** What a list of Deployments is asked for to find its own, as a part of a query. */
    String deployment() {
        return deployment;
    }

    /** The same for the ConfigMap with its configuration. */
    String configuration() {
        return configuration;
    }

    /** {@code selector} as a part of a query. */
    static String labels(String selector) {
        return "labelSelector=" + LiveCluster.encoded(selector);
    }
}
