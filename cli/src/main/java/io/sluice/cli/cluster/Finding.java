// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.cluster;

import io.sluice.api.RawResource;
import io.sluice.api.spec.ResourceKind;

/** What the cluster has of a kind and a name. */
public sealed interface Finding {
    /** This resource. */
    record Found(RawResource resource) implements Finding {}

    /** There is none, or the cluster does not have the kind. */
    record Absent() implements Finding {}

    /** The caller has no right to see it. */
    record Hidden(ResourceKind kind) implements Finding {}
}
