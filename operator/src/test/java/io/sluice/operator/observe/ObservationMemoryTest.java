// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import static io.sluice.operator.decide.SessionSnapshots.aReadySessionCluster;
import static io.sluice.operator.decide.SessionSnapshots.withGuest;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobLog;
import io.sluice.api.status.JobState;
import io.sluice.flink.rest.ClusterConfig;
import io.sluice.flink.rest.JobException;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.model.ClusterView.Kill;
import io.sluice.operator.model.NoAnswer;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.RunView.ClusterFacts;
import io.sluice.operator.model.Target.Jobs;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ObservationMemoryTest {
    private final ObservationMemory memory = new ObservationMemory();

    @Test
    void whatWasReadIsReadAgainUntilItIsOnRecord() {
        var thrown =
                new JobException("E", "E: broken", Snapshots.NOW.minusSeconds(1), Optional.empty());
        var read = aRunningDeployment().withExceptions(thrown);

        memory.recorded(read.observed(), JobLog.EMPTY);
        assertThat(isNews(read.observed())).isTrue();
        memory.recorded(read.observed(), read.decide().status().jobStatus().log());
        assertThat(isNews(read.observed())).isFalse();
    }

    @Test
    void aSilenceLastsUntilThereIsAnAnswer() {
        var silent = new Jobs.Silent("timed out");
        Instant begun = Snapshots.NOW;

        assertThat(memory.silentSince("uid", silent, begun)).contains(begun);
        assertThat(memory.silentSince("uid", new Jobs.NotAsked(), begun.plusSeconds(90)))
                .contains(begun);
        assertThat(memory.silentSince("uid", new Jobs.Listed(List.of()), begun.plusSeconds(100)))
                .isEmpty();
        assertThat(memory.silentSince("uid", silent, begun.plusSeconds(110)))
                .contains(begun.plusSeconds(110));
    }

    /** Nobody knows whether it answered meanwhile. */
    @Test
    void aSilenceBeginsAnewIfNobodyHasAskedForLong() {
        var silent = new Jobs.Silent("timed out");
        Instant later = Snapshots.NOW.plusSeconds(200);

        assertThat(memory.silentSince("uid", silent, Snapshots.NOW)).contains(Snapshots.NOW);
        assertThat(memory.silentSince("uid", silent, later)).contains(later);
    }

    /** It does answer, with more than is read. */
    @Test
    void tooLargeAnAnswerIsNoSilence() {
        var large = new Jobs.Silent("16 MiB", NoAnswer.TOO_LARGE);

        assertThat(memory.silentSince("uid", large, Snapshots.NOW)).isEmpty();
    }

    @Test
    void whatCouldNotBeReadIsNoLook() {
        var unread = aRunningDeployment().observed();

        memory.recorded(unread, JobLog.EMPTY);

        assertThat(isNews(unread)).isTrue();
    }

    @Test
    void whatASessionClusterConsistsOfIsReadUntilAllOfItIsKnown() {
        var cluster = aReadySessionCluster().withTarget(withGuest(true, JobState.RUNNING));
        var half = new ClusterFacts(Optional.empty(), Optional.of(2));
        var all =
                new ClusterFacts(
                        Optional.of(new ClusterConfig("1.20.5", "e1d9c1e")), Optional.of(2));

        memory.recorded(cluster.withCluster(half).observed(), JobLog.EMPTY);
        assertThat(isNews(cluster.observed())).isTrue();
        memory.recorded(cluster.withCluster(all).observed(), JobLog.EMPTY);
        assertThat(isNews(cluster.observed())).isFalse();
    }

    @Test
    void aContainerThatWasKilledIsToldOnceAndTheNextTimeAgain() {
        var first = new Kill("pod p, container c: ", Snapshots.NOW, "Raise it.");
        var second = new Kill("pod p, container c: ", Snapshots.NOW.plusSeconds(9), "Raise it.");

        assertThat(memory.kills(killed(first)))
                .singleElement()
                .satisfies(
                        event -> {
                            assertThat(event.kind()).isEqualTo(ResourceEvent.Kind.WARNING);
                            assertThat(event.reason()).isEqualTo("OOMKilled");
                            assertThat(event.message())
                                    .isEqualTo(
                                            "pod p, container c: was killed at"
                                                    + " 2026-01-01T00:00:00Z, as it needed more"
                                                    + " memory than it may have. Raise it.");
                        });
        assertThat(memory.kills(aRunningDeployment().observed()))
                .as("while it waits to be started again")
                .isEmpty();
        assertThat(memory.kills(killed(first))).isEmpty();
        assertThat(memory.kills(killed(second)))
                .singleElement()
                .satisfies(event -> assertThat(event.key()).endsWith("00:00:09Z"));
    }

    @Test
    void aNewProcessDoesNotTellOfContainersThatWereKilledLongAgo() {
        var old =
                new Kill(
                        "pod p, container c: ",
                        Snapshots.NOW.minus(Duration.ofMinutes(30)),
                        "Raise it.");

        assertThat(memory.kills(killed(old))).isEmpty();
    }

    private static ObservedState killed(Kill kill) {
        return aRunningDeployment().withKills(kill).observed();
    }

    @Test
    void aJobThatChangedLongAgoIsGotToWithinTenMinutes() {
        Instant ages = Snapshots.NOW.minus(Duration.ofDays(2));
        List<Instant> due =
                IntStream.range(0, 1000)
                        .mapToObj(
                                i ->
                                        memory.due(
                                                UUID.nameUUIDFromBytes(
                                                                new byte[] {
                                                                    (byte) i, (byte) (i >> 8)
                                                                })
                                                        .toString(),
                                                ages,
                                                Snapshots.NOW))
                        .toList();
        assertThat(due)
                .allMatch(it -> it.isBefore(Snapshots.NOW.plus(Duration.ofMinutes(10))))
                .filteredOn(it -> it.isBefore(Snapshots.NOW.plus(Duration.ofMinutes(1))))
                .hasSizeBetween(50, 200);
    }

    @Test
    void aJobThatChangedLatelyIsLookedAtAtOnce() {
        Instant lately = Snapshots.NOW.minus(Duration.ofMinutes(29));

        assertThat(memory.isNews("uid", lately, Snapshots.NOW)).isTrue();
    }

    @Test
    void aJobThatChangesAfterALookIsLookedAtAgain() {
        Instant ages = Snapshots.NOW.minus(Duration.ofDays(2));
        memory.looked("uid", ages, Snapshots.NOW);

        assertThat(memory.isNews("uid", ages, Snapshots.NOW)).isFalse();
        assertThat(memory.isNews("uid", ages.plusMillis(1), Snapshots.NOW)).isTrue();
        assertThat(memory.isNews("uid", ages, Snapshots.NOW.plus(Duration.ofMinutes(10)))).isTrue();
    }

    private boolean isNews(ObservedState seen) {
        Instant change = JobManagerAnswer.in(seen).lastChange().orElseThrow();
        return memory.isNews(seen.identity().uid(), change, seen.now());
    }
}
