// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.operator.deployment.ClusterView.JobManagerView;
import java.util.Optional;

/**
 * The end of a resource. It looks at nothing but what is left in Kubernetes: no spec, version or
 * JobManager can be broken enough to keep it from ending.
 */
final class Deletion {
    private Deletion() {}

    static Decision decide(Snapshot snapshot) {
        Pass pass = Objection.pass(snapshot);
        if (snapshot.cluster().isGone()) {
            return pass.telling(
                            Note.normal(
                                    "Operator",
                                    "Cleanup",
                                    "Cleanup",
                                    "Cleaned up: nothing is left of it"))
                    .decided(Reason.DELETED, "", Optional.empty(), new Action.ReleaseResource());
        }
        return switch (snapshot.cluster().jobManager()) {
            case JobManagerView.Present _ ->
                    pass.decided(Reason.DELETING, pass.soon(), pass.removal());
            case JobManagerView.Terminating _ -> pass.decided(Reason.DELETING, pass.soon());
            case JobManagerView.Absent _ -> pass.decided(Reason.DELETING, pass.soon());
        };
    }
}
