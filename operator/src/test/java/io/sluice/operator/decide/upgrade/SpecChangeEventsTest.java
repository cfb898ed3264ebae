// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import static io.sluice.operator.decide.SessionSnapshots.aReadySessionCluster;
import static io.sluice.operator.decide.SessionSnapshots.aRunningSessionJob;
import static io.sluice.operator.decide.SessionSnapshots.on;
import static io.sluice.operator.decide.SessionSnapshots.partingHost;
import static io.sluice.operator.decide.Snapshots.aDeploymentScaledInPlace;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.ParallelismOverrides;
import io.sluice.api.status.JobState;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.operator.decide.SessionSnapshots;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.model.ResourceEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** The event SpecChanged: once for each change that is carried out. */
class SpecChangeEventsTest {
    private final List<ResourceEvent> told = new ArrayList<>();

    /** A reconciliation, and what it tells if it stores anything. */
    private Snapshots passed(Snapshots seen) {
        Decision decision = seen.decide();
        if (!decision.status().equals(seen.observed().status())) {
            told.addAll(decision.notes());
        }
        return seen.decided();
    }

    private List<String> changes() {
        return told.stream()
                .filter(event -> event.reason().equals("SpecChanged"))
                .map(ResourceEvent::message)
                .toList();
    }

    private Snapshots stopped(Snapshots running, UnaryOperator<Snapshots> edit) {
        Snapshots asked = passed(passed(edit.apply(running)));
        Snapshots done = passed(asked.withStop(new SavepointStatus.Completed("s3://s/1")));
        return passed(done.withJob(JobState.FINISHED, 0));
    }

    @Test
    void isToldOnceOfASessionJob() {
        passed(passed(stopped(aRunningSessionJob("savepoint"), job -> job.withRestartNonce(7))));

        assertThat(changes())
                .containsExactly("UPGRADE change(s) carried out: spec.restartNonce: (none) -> 7");
    }

    @Test
    void isToldOnceOfASessionJobThatIsCancelledFirst() {
        Snapshots cancelling = passed(passed(aRunningSessionJob("stateless").withRestartNonce(7)));
        passed(passed(cancelling.withJob(JobState.CANCELED, 0)));

        assertThat(changes()).hasSize(1);
    }

    @Test
    void isToldOnceOfADeployment() {
        passed(
                passed(
                        stopped(
                                aRunningDeployment("savepoint"),
                                job -> job.withImage("flink:1.20-new"))));

        assertThat(changes())
                .singleElement()
                .satisfies(text -> assertThat(text).contains("-> flink:1.20-new"));
    }

    @Test
    void isToldOnceOfASuspension() {
        passed(stopped(aRunningDeployment("savepoint"), job -> job.withState("suspended")));

        assertThat(changes())
                .containsExactly(
                        "UPGRADE change(s) carried out: spec.job.state: running -> suspended");
    }

    @Test
    void isToldOnceOfASessionCluster() {
        passed(passed(aReadySessionCluster().withImage("flink:1.20-new")));

        assertThat(changes()).hasSize(1);
    }

    @Test
    void isToldOnceOfAScalingInPlace() {
        Snapshots scaled = aDeploymentScaledInPlace();

        passed(passed(scaled));

        assertThat(changes())
                .containsExactly(
                        "SCALE change(s) carried out: spec.flinkConfiguration."
                                + ParallelismOverrides.KEY
                                + ": (none) -> aa:3");
    }

    @Test
    void isToldOnceOfARedeploymentFromASavepoint() {
        Snapshots redeployed =
                aRunningSessionJob("savepoint")
                        .withSpec(
                                Specs.redeployed(
                                        SessionSnapshots.sessionJob("savepoint"), "s3://s/9", 1));

        passed(passed(passed(passed(redeployed)).withJob(JobState.CANCELED, 0)));

        assertThat(changes())
                .containsExactly(
                        "SAVEPOINT_REDEPLOY change(s) carried out: starting from s3://s/9");
    }

    @Test
    void isNotToldOfWhatIsHeldUp() {
        Snapshots stopping = passed(aRunningSessionJob("savepoint").withRestartNonce(7));
        passed(stopping.withStop(new SavepointStatus.Failed("disk full", Optional.empty())));

        assertThat(changes()).isEmpty();
    }

    @Test
    void isNotToldOfWhatNoJobNotices() {
        passed(
                passed(
                        aRunningSessionJob("savepoint")
                                .withConfiguration("kubernetes.operator.x", "y")));

        assertThat(changes()).isEmpty();
    }

    /** That its job is stopped has another cause, which is told. */
    @Test
    void isNotToldOfAJobThatLeavesItsCluster() {
        Snapshots beingReplaced = aRunningSessionJob("savepoint").withTarget(on(partingHost()));

        passed(stopped(beingReplaced, UnaryOperator.identity()));

        assertThat(changes()).isEmpty();
        assertThat(told)
                .filteredOn(event -> event.message().contains("session cluster is being replaced"))
                .hasSize(1);
    }
}
