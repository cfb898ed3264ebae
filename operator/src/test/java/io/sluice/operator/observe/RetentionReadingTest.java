// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import static io.sluice.operator.decide.Snapshots.aCheckpointedDeployment;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.api.status.JobState;
import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.fake.FakeCluster;
import io.sluice.flink.rest.fake.FakeJobManager;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.StateView.Retention;
import io.sluice.rules.config.Options;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * A JobManager is asked what a cancellation leaves where the reconciliation may come to ask for
 * one.
 */
class RetentionReadingTest {
    private static final URI AT = URI.create("http://orders-rest.shop:8081");

    private final FakeJobManager jobManagers = new FakeJobManager();
    private final FakeCluster flink = jobManagers.start(AT);

    @Test
    void tellsWhatBecomesOfTheCheckpoints() {
        for (var retention : CheckpointRetention.values()) {
            assertThat(read(seen(JobState.RUNNING), retention, true))
                    .isEqualTo(new Retention.Known(retention));
        }
    }

    @Test
    void doesNotTakeSilenceOrAnotherJobForAnAnswer() {
        JobView running = seen(JobState.RUNNING);

        assertThat(StateReader.retentionIfItMatters(jobManagers, AT, running, true))
                .isInstanceOf(Retention.Unread.class);
        flink.goSilent();
        assertThat(StateReader.retentionIfItMatters(jobManagers, AT, running, true))
                .isInstanceOf(Retention.Unread.class);
    }

    @Test
    void asksNothingWhereNothingHangsOnIt() {
        int before = flink.calls();

        for (JobState state :
                List.of(
                        JobState.CANCELLING,
                        JobState.CANCELED,
                        JobState.FAILED,
                        JobState.FINISHED)) {
            assertThat(read(seen(state), CheckpointRetention.RETAINED, true))
                    .isEqualTo(new Retention.NotAsked());
        }
        assertThat(read(seen(JobState.RUNNING), CheckpointRetention.RETAINED, false))
                .isEqualTo(new Retention.NotAsked());
        assertThat(read(new JobView.NotListed(), CheckpointRetention.RETAINED, true))
                .isEqualTo(new Retention.NotAsked());
        assertThat(flink.calls()).isEqualTo(before);
    }

    @Test
    void mattersWhereAJobIsStoppedThatHasState() {
        Snapshots stateful = aRunningDeployment("last-state");

        assertThat(mayCancel(stateful, true)).isTrue();
        assertThat(mayCancel(stateful, false)).isFalse();
        assertThat(mayCancel(aRunningDeployment("stateless"), true)).isFalse();
    }

    @Test
    void mattersForACancellationOnRecord() {
        Snapshots cancelling = aCheckpointedDeployment().withImage("new").decided();

        assertThat(mayCancel(cancelling, false)).isTrue();
    }

    @Test
    void mattersWhereASpecIsToBeRolledBack() {
        Snapshots failing = Snapshots.anUpgradeThatFails("savepoint").later(Duration.ofMinutes(6));
        var enabled = Map.of("kubernetes.operator.deployment.rollback.enabled", "true");

        assertThat(mayCancel(failing, false)).isFalse();
        assertThat(mayCancel(failing, new Options(new FlinkConfiguration(enabled)), false))
                .isTrue();
    }

    @Test
    void mattersForAJobWithoutStateThatIsStartedFromANamedCheckpoint() {
        Snapshots redeployed =
                aRunningDeployment("stateless")
                        .withSpec(
                                Specs.redeployed(
                                        Specs.application("flink:1.20", "stateless"),
                                        "file:/c/chk-7",
                                        1));

        assertThat(mayCancel(redeployed, true)).isTrue();
    }

    private static boolean mayCancel(Snapshots of, boolean restarts) {
        return mayCancel(of, new Options(FlinkConfiguration.EMPTY), restarts);
    }

    private static boolean mayCancel(Snapshots of, Options running, boolean restarts) {
        ObservedState observed = of.observed();
        return StateReader.mayCancel(
                observed.status(), observed.spec(), running, restarts, observed.now());
    }

    private Retention read(JobView job, CheckpointRetention retention, boolean mayCancel) {
        if (job instanceof JobView.Seen seen) {
            flink.run(seen.overview().id(), "orders", new JobVertex("01", "work", 1, 4, "RUNNING"));
            flink.job(seen.overview().id()).orElseThrow().hasCheckpoints(retention);
        }
        return StateReader.retentionIfItMatters(jobManagers, AT, job, mayCancel);
    }

    private static JobView seen(JobState state) {
        return aRunningDeployment("last-state").withJob(state, 0).observed().job();
    }
}
