// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import io.sluice.operator.model.ClusterView;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.ClusterView.Kill;
import io.sluice.operator.model.ClusterView.PodFacts;
import io.sluice.operator.model.ClusterView.PodProblem;
import io.sluice.operator.model.ClusterView.Remnant;
import io.sluice.operator.model.ClusterView.Strays;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.image.ImagePulls;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Steps after which Kubernetes has another cluster of the resource, or none. */
public sealed interface ClusterSteps permits Snapshots {
    ObservedState observed();

    /** The JobManager's Deployment of the attempt that the status names. */
    default Snapshots withJobManager(boolean available) {
        return withJobManager(attemptId(), available, available, 1);
    }

    /** The JobManager's Deployment belongs to the resource, whatever else it says. */
    default Snapshots withOwnJobManager() {
        ClusterView cluster = observed().cluster();
        return withCluster(
                new ClusterView(
                        cluster.jobManager(),
                        cluster.pods(),
                        cluster.problem(),
                        cluster.remnant(),
                        cluster.kills(),
                        cluster.strays(),
                        cluster.isBroken(),
                        Set.of(observed().identity().uid())));
    }

    /** A JobManager's Deployment without any name of Sluice's. */
    default Snapshots withJobManagerOfTheirs() {
        return withJobManager(Optional.empty(), true, true, 1);
    }

    /** The JobManager's Deployment stands, and its pod has never been ready. */
    default Snapshots withJobManagerNeverUp() {
        return withJobManager(false);
    }

    /** Of two JobManagers one is up or was, and the other one never. */
    default Snapshots withOneOfTwoJobManagers(boolean available) {
        return withJobManager(attemptId(), available, false, 2);
    }

    /** The JobManager's pod was up, and is so no more. */
    default Snapshots withJobManagerDown() {
        return withJobManager(attemptId(), false, true, 1);
    }

    private Optional<String> attemptId() {
        return observed().status().attempt().id();
    }

    private Snapshots withJobManager(
            Optional<String> attempt, boolean available, boolean everAvailable, int pods) {
        return withCluster(
                new ClusterView(
                        new JobManagerView.Present(
                                "deployment-1", attempt, available, everAvailable),
                        pods,
                        Optional.empty()));
    }

    default Snapshots withTerminatingJobManager() {
        return withScaledDownJobManager(Optional.empty());
    }

    /** The Deployment was scaled to zero, and the operator has to do {@code next}. */
    default Snapshots withScaledDownJobManager(Optional<JobManagerView.Step> next) {
        return withCluster(
                new ClusterView(new JobManagerView.Terminating(next), 2, Optional.empty()));
    }

    default Snapshots withPodsOnly() {
        return withCluster(new ClusterView(new JobManagerView.Absent(), 1, Optional.empty()));
    }

    default Snapshots withRemnant(String text, boolean overdue) {
        return withCluster(
                new ClusterView(
                        new JobManagerView.Absent(),
                        1,
                        Optional.empty(),
                        Optional.of(new Remnant(text, overdue)),
                        List.of()));
    }

    /** A standalone cluster's TaskManagers, without their JobManager. */
    default Snapshots withTaskManagersOnly(int pods, boolean terminating) {
        return withCluster(
                new ClusterView(
                        new JobManagerView.Absent(),
                        pods,
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        Optional.of(new Strays("taskmanagers-1", terminating)),
                        false,
                        Set.of()));
    }

    default Snapshots withNothingLeft() {
        return withCluster(ClusterView.NONE);
    }

    default Snapshots withPodProblem(String reason, String message) {
        ClusterView cluster = observed().cluster();
        return withCluster(
                new ClusterView(
                        cluster.jobManager(),
                        cluster.pods(),
                        Optional.of(new PodProblem(reason, message))));
    }

    /** A pod waits for what may yet come by itself. */
    default Snapshots withPodDelay(String reason, String message) {
        return withCluster(observed().cluster().withDelay(new PodProblem(reason, message)));
    }

    /** What would keep a removal of the cluster from being confirmed. */
    default Snapshots withObstacle(String text) {
        return withPodFacts(PodFacts.NONE.withObstacle(Optional.of(new Remnant(text, true))));
    }

    /** The JobManager runs in the first process that its Deployment has had. */
    default Snapshots withFirstProcess() {
        return withPodFacts(PodFacts.NONE.withIsFirstProcess(true));
    }

    /** The JobManager has TaskManagers, which it would replace. */
    default Snapshots withNativeTaskManagers() {
        return withPodFacts(PodFacts.NONE.withHasNativeTaskManagers(true));
    }

    /** With these pods that pull images. */
    default Snapshots withImagePulls(ImagePulls pulls) {
        return with(observed().cluster().withImagePulls(pulls), observed().job());
    }

    default Snapshots withKills(Kill... kills) {
        return with(observed().cluster().withKills(List.of(kills)), observed().job());
    }

    /** Its JobManager has not been asked for the job yet. */
    default Snapshots withCluster(ClusterView cluster) {
        return with(cluster, new JobView.NotAsked());
    }

    private Snapshots withPodFacts(PodFacts facts) {
        return with(observed().cluster().withPodFacts(facts), observed().job());
    }

    private Snapshots with(ClusterView cluster, JobView job) {
        return new Snapshots(observed().with().cluster(cluster).job(job).build());
    }
}
