// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.operator.deployment.ClusterView.JobManagerView;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The end of a resource. What is left in Kubernetes is all that can hold it up: no spec, version or
 * JobManager can be broken enough to keep it from ending. A last savepoint, where one is asked for,
 * has a limited time, and so has the cancellation of what runs. What is not the resource's own is
 * not touched ({@link Ownership}).
 */
final class Deletion {
    private Deletion() {}

    static Decision decide(Snapshot snapshot) {
        Pass pass = Objection.pass(snapshot);
        if (snapshot.target() instanceof Target.SessionJob job) {
            return HostedDeletion.decide(
                    snapshot.takenUp()
                            .map(before -> FormerSpec.of(snapshot, before))
                            .orElse(pass),
                    job);
        }
        Optional<Decision> blocked = SessionCluster.blocked(pass);
        if (blocked.isPresent()) {
            return blocked.get();
        }
        if (!Ownership.hadCluster(pass)) {
            return Ownership.mayBeGoing(pass)
                    ? Removal.awaited(pass, Reason.DELETING)
                    : unbegun(pass);
        }
        return removing(
                AttemptHistory.neverBegan(snapshot.status())
                        ? pass.with(pass.draft().deployed())
                        : pass);
    }

    /** By the record there was a cluster: once that is gone, nothing else would say so. */
    private static Decision removing(Pass pass) {
        Snapshot snapshot = pass.snapshot();
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

    /** Whatever there is of its name is another's: a hand-run cluster, an earlier job's state. */
    private static Decision unbegun(Pass pass) {
        String left = left(pass.snapshot());
        return pass.telling(
                        Note.normal(
                                "Operator",
                                "Cleanup",
                                "Cleanup",
                                left.isEmpty()
                                        ? "Cleaned up: nothing was ever started for it"
                                        : "Released: nothing was ever started for it. " + left))
                .decided(
                        Reason.DELETED,
                        left,
                        Optional.empty(),
                        new Action.ReleaseUnbegun(pass.draft().job().jobId()));
    }

    private static String left(Snapshot snapshot) {
        Optional<String> cluster =
                Optional.of(Ownership.foreign(snapshot))
                        .filter(_ -> !snapshot.cluster().isGone())
                        .map(foreign -> foreign + "; they are left as they are.");
        String jobs =
                snapshot.state().recoverable().stream()
                        .filter(
                                id ->
                                        !snapshot.status()
                                                .jobStatus()
                                                .jobId()
                                                .equals(Optional.of(id)))
                        .sorted()
                        .collect(Collectors.joining(", "));
        Optional<String> metadata =
                Optional.of(jobs)
                        .filter(ids -> !ids.isEmpty())
                        .map(
                                ids ->
                                        "High-availability ConfigMaps name checkpoints of jobs that"
                                                + " were not started for it, and are left: "
                                                + ids
                                                + ".");
        return Stream.of(cluster, metadata)
                .flatMap(Optional::stream)
                .collect(Collectors.joining(" "));
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
