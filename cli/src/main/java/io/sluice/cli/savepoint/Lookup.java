// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.savepoint;

import io.sluice.api.spec.ResourceKind;

/** What the cluster has of a kind and a name. */
sealed interface Lookup {
    /** A job. */
    record Found(Job job) implements Lookup {}

    /** A FlinkDeployment without {@code spec.job}. */
    record SessionCluster() implements Lookup {}

    /** There is none, or the cluster does not have the kind. */
    record Absent() implements Lookup {}

    /** The caller has no right to see it. */
    record Hidden(ResourceKind kind) implements Lookup {}
}
