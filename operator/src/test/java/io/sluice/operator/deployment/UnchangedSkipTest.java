// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import static io.sluice.operator.decide.SessionSnapshots.aReadySessionCluster;
import static io.sluice.operator.decide.Snapshots.NOW;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.status.JobState;
import io.sluice.flink.rest.ClusterConfig;
import io.sluice.flink.rest.JobOverview;
import io.sluice.flink.rest.TaskCounts;
import io.sluice.flink.rest.fake.FakeCluster;
import io.sluice.flink.rest.fake.FakeJob;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.RunView.ClusterFacts;
import io.sluice.operator.model.Target;
import io.sluice.operator.model.Target.Jobs;
import io.sluice.operator.observe.ChildResources;
import io.sluice.operator.observe.JobReader;
import io.sluice.operator.observe.ObservationMemory;
import io.sluice.operator.observe.Observer;
import io.sluice.operator.reconcile.Reconciliation.Outcome;
import io.sluice.operator.reconcile.StatusStore;
import io.sluice.rules.config.DefaultConfiguration;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which passes are left out, and which are not. */
class UnchangedSkipTest {
    private static final URI AT = URI.create("http://orders-rest:8081");
    private static final ClusterFacts FACTS =
            new ClusterFacts(Optional.of(new ClusterConfig("1.20.5", "e1d9c1e")), Optional.of(1));

    private final Snapshots running = aRunningDeployment().withCluster(FACTS).decided();
    private final FakeJobManager jobManagers = new FakeJobManager();
    private final FakeCluster cluster = jobManagers.start(AT);
    private final FakeJob job =
            cluster.run(running.observed().status().jobStatus().jobId().orElseThrow(), "orders");
    private final ObservationMemory memory = new ObservationMemory();
    private final FlinkDeployment resource = new FlinkDeployment();
    private final List<Outcome> passes = new ArrayList<>();
    private Instant now = NOW;
    private Reason reason = Reason.JOB_RUNNING;
    private DefaultConfiguration defaults = running.observed().defaults();
    private final UnchangedSkip unchangedSkip =
            new UnchangedSkip(jobManagers, _ -> AT, () -> defaults, memory, () -> now);

    @BeforeEach
    void store() {
        job.hasTasks(new TaskCounts(2, 2, 0));
        resource.getMetadata().setUid("uid-1");
        resource.getMetadata().setResourceVersion("7");
    }

    @Test
    void aPassThatWouldFindTheSameIsLeftOut() {
        pass();
        int calls = cluster.calls();

        Outcome again = pass();

        assertThat(passes).hasSize(1);
        assertThat(again.reason()).isEqualTo(Reason.JOB_RUNNING);
        assertThat(again.checkAgain()).contains(Duration.ofSeconds(60));
        assertThat(cluster.calls() - calls).as("requests to the JobManager").isEqualTo(1);
    }

    @Test
    void whateverWasWrittenToTheResourceIsLookedAt() {
        pass();
        resource.getMetadata().setResourceVersion("8");

        pass();

        assertThat(passes).hasSize(2);
    }

    @Test
    void whateverHappensToItsPodsIsLookedAt() {
        pass(pod("1"));
        pass(pod("1"));
        assertThat(passes).hasSize(1);

        pass(pod("2"));

        assertThat(passes).hasSize(2);
    }

    @Test
    void whateverHappensToTheJobIsLookedAt() {
        pass();
        job.is("FAILED");

        pass();

        assertThat(passes).hasSize(2);
    }

    @Test
    void aJobManagerThatFallsSilentIsLookedAtOnce() {
        pass();
        cluster.goSilent();
        reason = Reason.JOB_UNREACHABLE;

        pass();
        assertThat(passes).hasSize(2);
        Outcome again = pass();

        assertThat(passes).hasSize(2);
        assertThat(again.reason()).isEqualTo(Reason.JOB_UNREACHABLE);
        assertThat(again.checkAgain()).contains(Duration.ofSeconds(2));
    }

    @Test
    void theLongerAJobManagerIsSilentTheLaterItIsAskedAgain() {
        cluster.goSilent();
        reason = Reason.JOB_UNREACHABLE;
        pass();

        now = now.plusSeconds(1);
        assertThat(pass().checkAgain()).contains(Duration.ofSeconds(2));
        now = now.plusSeconds(9);
        assertThat(pass().checkAgain()).contains(Duration.ofSeconds(10));
        now = now.plusSeconds(90);
        assertThat(pass().checkAgain()).contains(Duration.ofSeconds(60));
    }

    @Test
    void aJobManagerThatAnswersAgainIsLookedAt() {
        cluster.goSilent();
        reason = Reason.JOB_UNREACHABLE;
        pass();
        cluster.answer();

        pass();

        assertThat(passes).hasSize(2);
    }

    @Test
    void anotherConfigurationIsTakenIntoAccount() {
        pass();
        defaults = new DefaultConfiguration(new FlinkConfiguration(Map.of("a", "b")));

        pass();

        assertThat(passes).hasSize(2);
    }

    @Test
    void aSessionClusterIsPassedOverOnceItsJobsChange() {
        var ready = aReadySessionCluster().withCluster(FACTS).decided();
        reason = Reason.SESSION_CLUSTER_READY;
        passOver(ready);
        int calls = cluster.calls();

        Outcome again = passOver(ready);
        assertThat(passes).hasSize(1);
        assertThat(again.checkAgain()).contains(Duration.ofSeconds(60));
        assertThat(cluster.calls() - calls).as("requests to the JobManager").isEqualTo(1);

        job.is("FINISHED");
        passOver(ready);
        assertThat(passes).hasSize(2);
    }

    @Test
    void aSessionClusterThatFallsSilentIsPassedOverOnce() {
        var ready = aReadySessionCluster().withCluster(FACTS).decided();
        reason = Reason.SESSION_CLUSTER_READY;
        passOver(ready);
        cluster.goSilent();
        reason = Reason.SESSION_CLUSTER_UNREACHABLE;

        passOver(ready);
        assertThat(passes).hasSize(2);
        now = now.plusSeconds(9);
        assertThat(passOver(ready).checkAgain()).contains(Duration.ofSeconds(9));

        assertThat(passes).hasSize(2);
    }

    @Test
    void theTimeIsNotForgotten() {
        pass();
        now = now.plus(Duration.ofMinutes(9)).plusSeconds(30);
        assertThat(pass().checkAgain()).contains(Duration.ofSeconds(30));
        assertThat(passes).hasSize(1);

        now = now.plusSeconds(30);
        pass();

        assertThat(passes).hasSize(2);
    }

    @Test
    void whatCameToNoGoodEndIsLookedAtAgain() {
        pass();
        resource.getMetadata().setResourceVersion("8");
        assertThatThrownBy(() -> pass(none(), true)).hasMessage("broken");

        pass();

        assertThat(passes).hasSize(3);
    }

    private Outcome pass() {
        return pass(none());
    }

    private Outcome pass(ChildResources childResources) {
        return pass(childResources, false);
    }

    private Outcome pass(ChildResources childResources, boolean breaks) {
        return pass(childResources, this::seen, breaks);
    }

    private Outcome passOver(Snapshots sessionCluster) {
        return pass(none(), () -> seen(sessionCluster), false);
    }

    private Outcome pass(
            ChildResources childResources, Supplier<ObservedState> seen, boolean breaks) {
        return unchangedSkip
                .around(
                        (read, found, _) -> {
                            Outcome outcome =
                                    unchangedSkip.noting(
                                            read, found, _ -> seen.get(), this::observed);
                            passes.add(outcome);
                            if (breaks) {
                                throw new IllegalStateException("broken");
                            }
                            return outcome;
                        })
                .reconcile(resource, childResources, (_, _) -> StatusStore.Saved.KEPT);
    }

    private ObservedState seen() {
        return jobManagers
                .jobs(AT)
                .answer()
                .map(List::getFirst)
                .map(this::seen)
                .orElseGet(() -> running.withJob(unreachable()).observed());
    }

    private ObservedState seen(Snapshots sessionCluster) {
        Jobs jobs = JobReader.jobs(jobManagers, AT);
        if (jobs instanceof Jobs.Listed listed) {
            memory.looked("uid-1", listed.lastChange(), now);
        }
        return sessionCluster
                .withTarget(new Target.SessionCluster(List.of(), jobs))
                .later(Duration.between(NOW, now))
                .observed();
    }

    private JobView unreachable() {
        return JobReader.job(jobManagers, AT, "");
    }

    private ObservedState seen(JobOverview overview) {
        memory.looked("uid-1", overview.lastChange(), now);
        return running.withJob(new JobView.Seen(JobState.RUNNING, overview))
                .later(Duration.between(NOW, now))
                .observed();
    }

    private Outcome observed(Observer observer) {
        observer.observe(resource);
        return new Outcome(reason, false, false, Optional.of(Duration.ofSeconds(60)));
    }

    private static ChildResources none() {
        return new ChildResources(Optional.empty(), List.of(), Optional.empty());
    }

    private static ChildResources pod(String version) {
        Pod pod =
                new PodBuilder()
                        .withNewMetadata()
                        .withResourceVersion(version)
                        .endMetadata()
                        .build();
        return new ChildResources(Optional.empty(), List.of(pod), Optional.empty());
    }
}
