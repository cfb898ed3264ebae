// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import java.time.Instant;

/**
 * What a cluster has on record of a trial, in the ConfigMap {@link #NAME} of the namespace of the
 * same name. It is written before anything is installed.
 *
 * @param cluster who made the cluster
 * @param namespace of the Helm release
 * @param began when the record was created, by the API server's clock: no CRD of Flink was there
 */
record Trial(ClusterChoice cluster, String namespace, Instant began) {
    /** Of the record, its namespace, which the example runs in, and a cluster that is made. */
    static final String NAME = "sluice-try";

    /** The Helm release. */
    static final String RELEASE = "sluice";

    /** On everything that a trial creates by itself. */
    static final String LABEL = "sluice.io/created-by";

    /** The keys of the record. */
    static final String CLUSTER = "cluster";

    static final String RELEASE_NAMESPACE = "release-namespace";
}
