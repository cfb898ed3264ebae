// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import static io.sluice.operator.decide.Snapshots.aDeployment;
import static io.sluice.operator.decide.Snapshots.aNewResource;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static io.sluice.operator.decide.Snapshots.anUpgradeThatFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.api.status.LifecycleState;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The one word for a resource (docs/contract/reconciler.md, section 13), row by row. */
class LifecycleTest {
    private static final Map<LifecycleState, Snapshots> ROWS =
            Map.of(
                    LifecycleState.DELETING, aRunningDeployment().deleted(),
                    LifecycleState.DELETED, aRunningDeployment().withNothingLeft().deleted(),
                    LifecycleState.CREATED, aNewResource().withState("suspended"),
                    LifecycleState.UPGRADING, aRunningDeployment().withImage("new"),
                    LifecycleState.ROLLING_BACK,
                            anUpgradeThatFails("stateless").later(Duration.ofMinutes(6)),
                    LifecycleState.SUSPENDED,
                            aRunningDeployment().withState("suspended").decided().withNothingLeft(),
                    LifecycleState.FAILED, aRunningDeployment().withJob(JobState.FAILED, 0),
                    LifecycleState.ROLLED_BACK,
                            anUpgradeThatFails("stateless")
                                    .later(Duration.ofMinutes(6))
                                    .decided()
                                    .withNothingLeft()
                                    .decided()
                                    .withJobManager(true)
                                    .withJob(JobState.RUNNING, 2),
                    LifecycleState.STABLE, aRunningDeployment(),
                    LifecycleState.DEPLOYED,
                            aDeployment("stateless")
                                    .withJobManager(true)
                                    .withJob(JobState.INITIALIZING, 0));

    @Test
    void hasAWordForEveryRow() {
        assertThat(ROWS).containsOnlyKeys(LifecycleState.values());
        ROWS.forEach(
                (state, row) ->
                        assertThat(row.decide().status().lifecycleState())
                                .as(state.wire())
                                .contains(state));
    }

    @Test
    void hasFailedWhereAResourceThatWasNeverDeployedCannotBe() {
        assertThat(aNewResource().withInvalidSpec("wrong").decide().status().lifecycleState())
                .contains(LifecycleState.FAILED);
    }

    @Test
    void hasFailedWhereTheStateOfALostClusterIsAskedFor() {
        var lost = aRunningDeployment("savepoint").withNothingLeft();

        assertThat(lost.decide().status().lifecycleState()).contains(LifecycleState.FAILED);
        assertThat(lost.withImage("new").decide().status().lifecycleState())
                .contains(LifecycleState.FAILED);
    }

    @Test
    void hasNotFailedWhereAHumanIsAskedWhileTheJobRuns() {
        var refused = aRunningDeployment().withInvalidSpec("wrong");

        assertThat(refused.decide().status().lifecycleState()).contains(LifecycleState.STABLE);
    }
}
