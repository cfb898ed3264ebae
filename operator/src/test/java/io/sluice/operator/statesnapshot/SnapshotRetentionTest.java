// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import static io.sluice.api.status.snapshot.SnapshotState.COMPLETED;
import static io.sluice.api.status.snapshot.SnapshotState.FAILED;
import static io.sluice.api.status.snapshot.SnapshotState.IN_PROGRESS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.snapshot.SnapshotState;
import io.sluice.operator.decide.step.RetentionLimits;
import io.sluice.operator.statesnapshot.SnapshotHistory.Entry;
import io.sluice.operator.statesnapshot.SnapshotRetention.Siblings;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Which snapshots of a job are deleted. */
class SnapshotRetentionTest {
    private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

    @Test
    void keepsTheNewestByCount() {
        assertThat(overdue(hourly(COMPLETED, 5), 3, Duration.ofDays(9)))
                .containsExactly("s0", "s1");
        assertThat(overdue(hourly(COMPLETED, 3), 3, Duration.ofDays(9))).isEmpty();
    }

    @Test
    void keepsNothingThatIsTooOldButTheNewestOne() {
        assertThat(overdue(hourly(COMPLETED, 5), 10, Duration.ofMinutes(90)))
                .containsExactly("s0", "s1", "s2");
        assertThat(overdue(hourly(COMPLETED, 2), 10, Duration.ofMillis(1))).containsExactly("s0");
        assertThat(overdue(hourly(FAILED, 1), 1, Duration.ofMillis(1))).isEmpty();
    }

    @Test
    void keepsTheNewestCompleteOneHoweverManyFailedAfterIt() {
        List<Entry> entries =
                IntStream.range(0, 6)
                        .mapToObj(i -> entry(i, i < 2 ? COMPLETED : FAILED, 6))
                        .toList();

        assertThat(overdue(entries, 1, Duration.ofMillis(1)))
                .containsExactly("s0", "s2", "s3", "s4");
    }

    @Test
    void deletesNoneThatIsInProgress() {
        List<Entry> entries =
                List.of(entry(0, IN_PROGRESS, 3), entry(1, COMPLETED, 3), entry(2, COMPLETED, 3));

        assertThat(overdue(entries, 1, Duration.ofDays(9))).containsExactly("s1");
    }

    @Test
    void leavesTheDecisionToTheNewest() {
        List<Entry> entries = hourly(COMPLETED, 3);

        assertThat(Siblings.decidedBy("uid-s2", entries)).isEqualTo(entries);
        assertThat(Siblings.decidedBy("uid-s1", entries)).isEmpty();
        assertThat(Siblings.decidedBy("uid-s2", entries.subList(2, 3))).isEmpty();
    }

    @Test
    void readsTheJobOnceAllSnapshotsOfItAreKnown() {
        List<Entry> entries = hourly(COMPLETED, 3);

        assertThat(SnapshotRetention.isDue(entries, NOW)).isFalse();
        assertThat(SnapshotRetention.isDue(entries, NOW.plus(SnapshotRetention.SETTLED))).isTrue();
        var early =
                Snapshot.aSavepoint()
                        .completed()
                        .at(NOW)
                        .with(new Siblings(entries, Optional.empty()));
        assertThat(early.decide().actions()).isEmpty();
        assertThat(early.decide().checkAgain()).contains(SnapshotRetention.SETTLED);
    }

    @Test
    void deletesByUidAndLooksAgainWhenTheNextOneIsTooOld() {
        List<Entry> entries = hourly(COMPLETED, 3);
        var limits = new RetentionLimits(true, 10, Optional.of(Duration.ofMinutes(90)));

        var decision =
                Snapshot.aSavepoint()
                        .completed()
                        .at(NOW.plusSeconds(60))
                        .with(new Siblings(entries, Optional.of(limits)))
                        .decide();

        assertThat(decision.actions()).containsExactly(new SnapshotAction.Delete("s0", "uid-s0"));
        assertThat(decision.checkAgain()).contains(Duration.ofMinutes(29).plusMillis(1));
    }

    @Test
    void deletesNoneWhereTheCleanUpIsSwitchedOff() {
        var limits = new RetentionLimits(false, 1, Optional.of(Duration.ofMillis(1)));

        var decision =
                Snapshot.aSavepoint()
                        .completed()
                        .at(NOW.plusSeconds(60))
                        .with(new Siblings(hourly(COMPLETED, 3), Optional.of(limits)))
                        .decide();

        assertThat(decision.actions()).isEmpty();
        assertThat(decision.checkAgain())
                .as("it may be switched on again")
                .contains(SnapshotRetention.RECHECK);
    }

    private static List<String> overdue(List<Entry> entries, int count, Duration age) {
        return SnapshotRetention.overdue(
                        entries, new RetentionLimits(true, count, Optional.of(age)), NOW)
                .stream()
                .map(Entry::name)
                .toList();
    }

    /** One each hour, the last one now. */
    private static List<Entry> hourly(SnapshotState state, int count) {
        return IntStream.range(0, count).mapToObj(i -> entry(i, state, count)).toList();
    }

    private static Entry entry(int number, SnapshotState state, int count) {
        String name = "s" + number;
        return new Entry(
                name,
                "uid-" + name,
                NOW.minus(Duration.ofHours(count - 1L - number)),
                state,
                state == IN_PROGRESS ? Optional.empty() : Optional.of(NOW));
    }
}
