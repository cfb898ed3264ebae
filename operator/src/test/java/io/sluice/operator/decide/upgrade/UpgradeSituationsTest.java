// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import static io.sluice.operator.decide.Snapshots.aHighlyAvailableDeployment;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static io.sluice.operator.decide.Snapshots.anUpgradeThatFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.Specs;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.Reason;
import java.time.Duration;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whether an attempt has run: a Deployment of two JobManagers, of which one never is, hides it. */
class UpgradeSituationsTest {
    @Test
    void stopsAJobForItsStateThatOneOfTwoJobManagersRuns() {
        var running =
                aRunningDeployment("savepoint")
                        .withOneOfTwoJobManagers(true)
                        .withJob(JobState.RUNNING, 2);

        assertThat(running.withImage("new").decide().actions())
                .hasExactlyElementsOfTypes(Action.StopWithSavepoint.class);
    }

    @Test
    void changesTheFlinkVersionOfAJobThatOneOfTwoJobManagersRuns() {
        var running =
                aHighlyAvailableDeployment()
                        .withOneOfTwoJobManagers(true)
                        .withJob(JobState.RUNNING, 2);

        var decision =
                running.withSpec(
                                Specs.highlyAvailable(Specs.application("new", "savepoint"))
                                        .put("flinkVersion", "v1_19"))
                        .decide();

        assertThat(decision.actions()).hasExactlyElementsOfTypes(Action.StopWithSavepoint.class);
    }

    @ParameterizedTest
    @MethodSource("modes")
    void startsNothingInPlaceOfAJobThatRanAndWhoseJobManagersAreBothDown(String mode) {
        var down = aRunningDeployment(mode).withOneOfTwoJobManagers(false);

        assertThat(down.withImage("new").decide().reason())
                .isEqualTo(Reason.WAITING_FOR_RUNNING_JOB);
        assertThat(down.withImage("new").decide().actions()).isEmpty();
    }

    private static Stream<String> modes() {
        return Stream.of("savepoint", "last-state");
    }

    @Test
    void replacesAnAttemptAtOnceOfWhichNoStartIsOnRecord() {
        var upgraded =
                aRunningDeployment("savepoint")
                        .withImage("bad")
                        .withUpgradeDone()
                        .withOneOfTwoJobManagers(false)
                        .decided();

        assertThat(upgraded.withImage("mended").decide().reason())
                .isEqualTo(Reason.UPGRADE_STARTED);
    }

    @ParameterizedTest
    @MethodSource("beginnings")
    void anAttemptBeginsWithoutTheStartOfTheOneBefore(Snapshots before) {
        var begun = before.decide().status();

        assertThat(before.observed().status().jobStatus().startTime()).isPresent();
        assertThat(begun.attempt().id())
                .isPresent()
                .isNotEqualTo(before.observed().status().attempt().id());
        assertThat(begun.jobStatus().startTime()).isEmpty();
    }

    private static Stream<Snapshots> beginnings() {
        return Stream.of(
                aRunningDeployment().withImage("new"),
                aRunningDeployment("savepoint")
                        .withSpec(
                                Specs.redeployed(
                                        Specs.application("flink:1.20", "savepoint"),
                                        "s3://s/9",
                                        1)),
                aRunningDeployment().withState("suspended").withUpgradeDone().withState("running"),
                aRunningDeployment().withNothingLeft(),
                aHighlyAvailableDeployment().withNothingLeft(),
                anUpgradeThatFails("stateless").later(Duration.ofMinutes(6)),
                aRunningDeployment()
                        .withConfiguration(Specs.RESTART_FAILED, "true")
                        .decided()
                        .withJob(JobState.FAILED, 0),
                aRunningDeployment().withIllness());
    }
}
