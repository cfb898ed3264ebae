// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import static io.sluice.autoscaler.govern.GovernorTest.LONG_IDLE;
import static io.sluice.autoscaler.govern.GovernorTest.day;
import static io.sluice.autoscaler.govern.GovernorTest.decide;
import static io.sluice.autoscaler.govern.GovernorTest.holds;
import static io.sluice.autoscaler.govern.GovernorTest.overrides;
import static io.sluice.autoscaler.govern.GovernorTest.rescaled;
import static io.sluice.autoscaler.govern.Proposals.NOW;
import static io.sluice.autoscaler.govern.Proposals.job;
import static io.sluice.autoscaler.govern.Proposals.vertex;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.autoscaler.history.Direction;
import io.sluice.autoscaler.history.History;
import io.sluice.autoscaler.history.Rescale;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What the governor does for jobs that are late, and in clusters and TaskManagers that are full.
 */
class LateJobsTest {
    @Test
    void raisesAJobWhoseRecordsWaitThoughTheLoadJumpsAndTheDayIsSpent() {
        Proposal late =
                job(vertex(10, 11).needing(1000, 2000, 0, false).waiting(2000 * 121))
                        .withTrend(new Trend(1.2, 0, 0.3, 0.3))
                        .withShortFor(Duration.ofMinutes(2));
        History spent = day(20);

        assertThat(decide(late, spent)).isInstanceOf(ScalePlan.Apply.class);
        ScalePlan.Hold hold =
                holds(
                        late,
                        spent.with(new Rescale(NOW.minus(Duration.ofMinutes(9)), Direction.UP)),
                        HoldReason.DAY_BUDGET_SPENT);
        assertThat(hold.until()).contains(NOW.plus(Duration.ofMinutes(1)));
    }

    /** Its backlog is gone after ten minutes, and after one with what is proposed. */
    @Test
    void doesNotLetAJobWaitThatIsToCatchUpSooner() {
        Proposal behind = job(vertex(10, 20).needing(1000, 800, 300, false).waiting(120_000));
        Budget minute = Budget.DEFAULT.with().catchUp(Optional.of(Duration.ofMinutes(1))).build();
        Budget hour = Budget.DEFAULT.with().catchUp(Optional.of(Duration.ofHours(1))).build();

        holds(behind, HoldReason.BACKLOG_SHRINKS);
        holds(behind, hour, RescalingLimits.EMPTY, History.NONE, HoldReason.BACKLOG_SHRINKS);
        assertThat(decide(behind, minute, RescalingLimits.EMPTY, History.NONE))
                .isInstanceOf(ScalePlan.Apply.class);
    }

    @Test
    void takesBackForNothingWhatALateJobGotToCatchUp() {
        Proposal caughtUp = job(vertex(10, 5));

        assertThat(decide(caughtUp, raisedForBacklog(Duration.ofMinutes(10))))
                .isEqualTo(new ScalePlan.Apply(overrides(5), Direction.DOWN));
        ScalePlan.Hold hold =
                holds(
                        caughtUp,
                        raisedForBacklog(Duration.ofMinutes(9)),
                        HoldReason.REVERSAL_TOO_SOON);
        assertThat(hold.until()).contains(NOW.plus(Duration.ofMinutes(1)));
        holds(
                caughtUp,
                rescaled(Direction.UP, Duration.ofMinutes(40)),
                HoldReason.NOT_WORTH_A_RESTART);
    }

    @Test
    void asksAFullClusterForNoOtherSizeWithinTheHour() {
        Proposal pending = job(vertex(4, 9).swamped().published(8));

        ScalePlan.Hold hold =
                holds(pending.withPendingFor(Duration.ofMinutes(59)), HoldReason.SCALE_UP_PENDING);
        assertThat(hold.until()).contains(NOW.plus(Duration.ofMinutes(1)));
        assertThat(decide(pending.withPendingFor(Duration.ofHours(1)), History.NONE))
                .isInstanceOf(ScalePlan.Apply.class);
        assertThat(
                        decide(
                                job(vertex(4, 2).published(8))
                                        .withPendingFor(Duration.ofMinutes(5)),
                                LONG_IDLE))
                .as("less is needed than what runs")
                .isInstanceOf(ScalePlan.Apply.class);
    }

    @Test
    void takesNothingThatFreesNoTaskManager() {
        Proposal eightSlotsEach = job(vertex(16, 10)).withPaidTogether(8);

        holds(eightSlotsEach, LONG_IDLE, HoldReason.CHANGE_TOO_SMALL);
        assertThat(decide(job(vertex(16, 8)).withPaidTogether(8), LONG_IDLE))
                .isInstanceOf(ScalePlan.Apply.class);
    }

    @Test
    void keepsAThirdOfThePlacesForJobsThatCanNotKeepUp() {
        RescalingLimits six = new RescalingLimits(6, 9, Allowance.UNLIMITED, Allowance.UNLIMITED);

        holds(job(vertex(2, 4)), Budget.DEFAULT, six, History.NONE, HoldReason.FLEET_BUSY);
        assertThat(decide(job(vertex(2, 4).swamped()), Budget.DEFAULT, six, History.NONE))
                .isInstanceOf(ScalePlan.Apply.class);
    }

    private static History raisedForBacklog(Duration ago) {
        return History.NONE.with(new Rescale(NOW.minus(ago), Direction.UP, true));
    }
}
