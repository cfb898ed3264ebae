// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.FlinkSessionJob;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.status.bluegreen.PairHalf;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.manifest.ManifestRenderer;
import io.sluice.operator.decide.SessionSnapshots;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.model.ClusterView;
import io.sluice.operator.model.ClusterView.JobManagerView;
import io.sluice.operator.model.LastReconciledSpec;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.SpecView;
import io.sluice.operator.model.Target;
import io.sluice.operator.model.Target.SessionJobView;
import io.sluice.operator.observe.snapshot.SnapshotReader;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.operator.validation.Verdict;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ClusterObserverTest {
    private static final JobManagerView GONE = new JobManagerView.Absent();
    private static final JobManagerView LEAVING = new JobManagerView.Terminating();
    private static final JobManagerView FORMER =
            new JobManagerView.Present("uid", Optional.of("a former attempt"), true, true);

    private final Snapshots running = Snapshots.aRunningDeployment("savepoint");
    private final Snapshots edited = running.withImage("new");

    @Test
    void readsFromACacheThatAJobManagerIsUp() {
        JobManagerView up = running.observed().cluster().jobManager();

        assertThat(isCacheEnough(running, up)).isTrue();
        assertThat(isCacheEnough(edited, up)).isTrue();
    }

    @Test
    void waitsForARemovalByACache() {
        assertThat(isCacheEnough(running, GONE)).isTrue();
        assertThat(isCacheEnough(running, LEAVING)).isTrue();
        assertThat(isCacheEnough(running, FORMER)).isTrue();
    }

    /** A cache that is late may not show what has been started and has run since. */
    @Test
    void believesNoCacheThatAnAttemptNeverRanIfAnotherIsToTakeItsPlace() {
        assertThat(isCacheEnough(edited, GONE)).isFalse();
        assertThat(isCacheEnough(edited, LEAVING)).isFalse();
        assertThat(isCacheEnough(edited, FORMER)).isFalse();
        assertThat(
                        isCacheEnough(
                                edited,
                                edited.withJobManagerNeverUp().observed().cluster().jobManager()))
                .isFalse();
    }

    @Test
    void believesNoCacheThatNothingIsLeft() {
        ObservedState observed = running.observed();
        assertThat(isCacheEnough(observed, ClusterView.NONE)).isFalse();
    }

    /** One that is late shows no stop that was recorded a moment ago. */
    @Test
    void believesNoCacheOfItsJobsOnceItIsOnRecordThatASessionClusterGoes() {
        Snapshots ready = SessionSnapshots.aReadySessionCluster();
        FlinkSessionJob stopping =
                SessionSnapshots.resource(
                        SessionSnapshots.aRunningSessionJob("last-state")
                                .withCheckpoint("s3://c/1")
                                .withRestartNonce(1)
                                .decided());

        assertThat(sessionJobs(ready, ready, stopping)).isEmpty();
        assertThat(sessionJobs(ready, ready.withImage("new"), stopping)).isEmpty();
        assertThat(sessionJobs(ready, ready.withImage("new").decided(), stopping))
                .singleElement()
                .satisfies(job -> assertThat(job.isEnding()).isTrue());
    }

    /** One of its name that a cache does not tell of was made for another. */
    @Test
    void believesCachesThatAreCertainOfAResourceThatWasNeverReconciled() {
        FlinkDeployment created = SessionSnapshots.cluster(SessionSnapshots.aReadySessionCluster());
        FlinkDeployment reconciled =
                SessionSnapshots.cluster(SessionSnapshots.aReadySessionCluster());
        created.setStatus(JsonNodeFactory.instance.objectNode());

        assertThat(observe(caches(true), created).cluster().isGone()).isTrue();
        assertThat(observe(caches(false), created).cluster().isGone()).isFalse();
        assertThat(observe(caches(true), reconciled).cluster().isGone()).isFalse();
    }

    /** Found by the simulator: a JobManager that is up counted as another resource's. */
    @Test
    void believesNoCacheWhereTheStatusDoesNotSayWhatRuns() {
        Snapshots ready = SessionSnapshots.aReadySessionCluster();
        FlinkDeployment cut = SessionSnapshots.cluster(ready);
        cut.getStatus().withObject("/reconciliationStatus").remove("lastReconciledSpec");
        Deployment cached = jobManager(ready);
        Deployment live =
                new DeploymentBuilder(cached)
                        .editMetadata()
                        .addNewOwnerReference()
                        .withUid(cut.getMetadata().getUid())
                        .endOwnerReference()
                        .endMetadata()
                        .build();

        assertThat(observe(standing(cached, live), cut).cluster().owners())
                .containsExactly(cut.getMetadata().getUid());
        assertThat(
                        observe(standing(cached, live), SessionSnapshots.cluster(ready))
                                .cluster()
                                .owners())
                .isEmpty();
    }

    private static ChildReader standing(Deployment cached, Deployment live) {
        return new FixedChildren(
                new ChildResources(Optional.of(cached), List.of(), Optional.empty()),
                new ChildResources(Optional.of(live), List.of(), Optional.empty()),
                List.of());
    }

    /** Empty ones of a cluster whose JobManager stands. */
    private static ChildReader caches(boolean certain) {
        var live =
                new ChildResources(
                        Optional.of(jobManager(SessionSnapshots.aReadySessionCluster())),
                        List.of(),
                        Optional.empty());
        var cached =
                new ChildResources(
                        Optional.empty(),
                        Optional.empty(),
                        List.of(),
                        Optional.empty(),
                        List.of(),
                        Optional.empty(),
                        List.of(),
                        certain);
        return new FixedChildren(cached, live, List.of());
    }

    /**
     * As seen of {@code now}, the caches holding none.
     *
     * @param standing whose JobManager stands
     */
    private static List<SessionJobView> sessionJobs(
            Snapshots standing, Snapshots now, FlinkSessionJob live) {
        var childResources =
                new ChildResources(Optional.of(jobManager(standing)), List.of(), Optional.empty());
        ObservedState seen =
                observe(
                        new FixedChildren(childResources, childResources, List.of(live)),
                        SessionSnapshots.cluster(now));
        return ((Target.SessionCluster) seen.target()).sessionJobs();
    }

    /** Whether its caches are enough it can only tell by the spec, which it shows after that. */
    @Test
    void readsASpecOnce() {
        Snapshots ready = SessionSnapshots.aReadySessionCluster();
        Deployment starting =
                new DeploymentBuilder(jobManager(ready)).withNewStatus().endStatus().build();
        List<ObjectNode> read = new ArrayList<>();

        ObservedState observed =
                observe(
                        standing(starting, starting),
                        SessionSnapshots.cluster(ready),
                        (_, spec) -> {
                            read.add(spec);
                            return new Verdict.Accepted();
                        });

        assertThat(observed.spec()).isInstanceOf(SpecView.Valid.class);
        assertThat(read).hasSize(1);
    }

    private static ObservedState observe(ChildReader children, FlinkDeployment resource) {
        return observe(children, resource, SpecValidators.NONE);
    }

    private static ObservedState observe(
            ChildReader children, FlinkDeployment resource, SpecValidators validators) {
        return new ClusterObserver(
                        children,
                        new FakeJobManager(),
                        _ -> URI.create("http://session-rest.shop:8081"),
                        DefaultConfiguration.NONE,
                        validators,
                        new RejectedManifests(InstantSource.system()),
                        new HealthMonitor(),
                        new ObservationMemory(),
                        SnapshotReader.NONE,
                        () -> Snapshots.NOW)
                .observe(resource);
    }

    private static Deployment jobManager(Snapshots of) {
        return new DeploymentBuilder()
                .withNewMetadata()
                .withName("session")
                .withUid("deployment-1")
                .withCreationTimestamp(Snapshots.NOW.toString())
                .addToAnnotations(
                        ManifestRenderer.ATTEMPT_ANNOTATION,
                        of.observed().status().attempt().id().orElseThrow())
                .endMetadata()
                .withNewStatus()
                .withAvailableReplicas(1)
                .addNewCondition()
                .withType("Available")
                .withStatus("True")
                .withLastTransitionTime(Snapshots.NOW.toString())
                .endCondition()
                .endStatus()
                .build();
    }

    /** Of a reactive one the size is set right, and where no JobManager is up that one is told. */
    @Test
    void seesWhetherAJobHasNoTaskManagersThatIsNotGivenAnyByItsSize() {
        assertThat(problem("standalone", "default", true, 0)).contains("ScaledToZero");
        assertThat(problem("standalone", "default", true, 1)).isEmpty();
        assertThat(problem("standalone", "default", false, 0)).isEmpty();
        assertThat(problem("standalone", "reactive", true, 0)).isEmpty();
        assertThat(problem("native", "default", true, 0)).isEmpty();
    }

    private static Optional<String> problem(
            String mode, String scheduler, boolean available, int taskManagers) {
        Snapshots runs =
                Snapshots.aNewResource()
                        .withSpec(Specs.application("flink:1.20", "stateless").put("mode", mode))
                        .decided()
                        .withJobManager(available);
        var childResources =
                new ChildResources(
                        Optional.empty(),
                        Optional.of(
                                new DeploymentBuilder()
                                        .withNewMetadata()
                                        .withName("orders-taskmanager")
                                        .endMetadata()
                                        .withNewSpec()
                                        .withReplicas(taskManagers)
                                        .endSpec()
                                        .build()),
                        List.of(),
                        Optional.empty(),
                        List.of());
        return ResourceReader.withTaskManagers(
                        runs.observed().cluster(),
                        childResources,
                        LastReconciledSpec.running(runs.observed().status()),
                        new Options(new FlinkConfiguration(Map.of("scheduler-mode", scheduler))))
                .problem()
                .map(ClusterView.PodProblem::reason);
    }

    private static boolean isCacheEnough(Snapshots of, JobManagerView jobManager) {
        return isCacheEnough(of.observed(), new ClusterView(jobManager, 1, Optional.empty()));
    }

    private static boolean isCacheEnough(ObservedState observed, ClusterView seen) {
        return CacheRule.isEnough(
                seen,
                observed.status().attempt().id(),
                observed::status,
                false,
                _ -> observed.spec(),
                _ -> new Options(FlinkConfiguration.EMPTY),
                observed.now());
    }

    /**
     * Caches and an API server.
     *
     * @param live what the API server has
     * @param jobs the session jobs that it has
     */
    private record FixedChildren(
            ChildResources cached, ChildResources live, List<FlinkSessionJob> jobs)
            implements ChildReader {
        @Override
        public ChildResources live(FlinkDeployment resource) {
            return live;
        }

        @Override
        public List<FlinkSessionJob> sessionJobs(FlinkDeployment resource) {
            return jobs;
        }

        @Override
        public Set<String> recoverable(FlinkDeployment resource) {
            return Set.of();
        }

        @Override
        public Optional<String> mountFailure(Pod pod) {
            return Optional.empty();
        }

        @Override
        public boolean isBetweenHalves(FlinkDeployment resource, PairHalf half) {
            return false;
        }
    }
}
