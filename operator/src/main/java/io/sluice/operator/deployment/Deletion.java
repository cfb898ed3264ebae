// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.operator.deployment.ClusterView.JobManagerView;
import java.util.Optional;

/**
 * The end of a resource. What is left in Kubernetes is all that can hold it up: no spec, version or
 * JobManager can be broken enough to keep it from ending. A last savepoint, where one is asked for,
 * has a limited time, and so has the cancellation of what runs.
 */
final class Deletion {
    private Deletion() {}

    static Decision decide(Snapshot snapshot) {
        Pass pass = Objection.pass(snapshot);
        if (snapshot.target() instanceof Target.SessionJob job) {
            return HostedDeletion.decide(
                    snapshot.takenUp()
                            .map(before -> Objection.carryOn(snapshot, before))
                            .orElse(pass),
                    job);
        }
        Optional<Decision> blocked = SessionCluster.blocked(pass);
        if (blocked.isPresent()) {
            return blocked.get();
        }
        if (snapshot.cluster().isGone()) {
            return released(pass);
        }
        return switch (snapshot.cluster().jobManager()) {
            case JobManagerView.Present standing ->
                    LastSavepoint.decide(pass, standing)
                            .orElseGet(() -> Dismissal.forDeletion(pass));
            case JobManagerView.Terminating _, JobManagerView.Absent _ ->
                    Removal.awaited(pass, Reason.DELETING);
        };
    }

    static Decision released(Pass pass) {
        return pass.telling(
                        Note.normal(
                                "Operator",
                                "Cleanup",
                                "Cleanup",
                                "Cleaned up: nothing is left of it"))
                .decided(Reason.DELETED, "", Optional.empty(), new Action.ReleaseResource());
    }
}
