// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import static io.sluice.api.status.LifecycleState.CREATED;
import static io.sluice.api.status.LifecycleState.DELETED;
import static io.sluice.api.status.LifecycleState.DEPLOYED;
import static io.sluice.api.status.LifecycleState.ROLLED_BACK;
import static io.sluice.api.status.LifecycleState.ROLLING_BACK;
import static io.sluice.api.status.LifecycleState.STABLE;
import static io.sluice.api.status.LifecycleState.SUSPENDED;
import static io.sluice.api.status.LifecycleState.UPGRADING;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.LifecycleState;
import io.sluice.operator.report.LifecycleTrack.Measurement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LifecycleTrackTest {
    private static final Instant START = Instant.parse("2026-03-01T12:00:00Z");

    private LifecycleTrack track = LifecycleTrack.first(STABLE, START, START);
    private final List<String> told = new ArrayList<>();

    @Test
    void aResourceIsCreatedSinceItIsStored() {
        track = LifecycleTrack.first(CREATED, START, at(10));

        see(DEPLOYED, 12);
        see(STABLE, 40);

        assertThat(told).containsExactlyInAnyOrder("Stabilization 28", "CREATED 10", "DEPLOYED 0");
    }

    @Test
    void anUpgradeCountsFromTheLastLookBeforeIt() {
        see(STABLE, 100);
        see(UPGRADING, 110);
        see(UPGRADING, 118);
        see(DEPLOYED, 120);
        see(DEPLOYED, 130);
        see(STABLE, 150);

        assertThat(told)
                .containsExactlyInAnyOrder(
                        "Suspend 10",
                        "Submission 2",
                        "Stabilization 30",
                        "Upgrade 50",
                        "STABLE 100",
                        "UPGRADING 8",
                        "DEPLOYED 10");
    }

    @Test
    void aJobThatIsResumedWasAwayForAsLongAsItWasSuspended() {
        see(SUSPENDED, 10);
        see(SUSPENDED, 20);
        told.clear();
        see(UPGRADING, 30);
        see(DEPLOYED, 31);
        see(STABLE, 60);

        assertThat(told).contains("Resume 40");
    }

    @Test
    void aRollbackCountsFromTheFirstSightOfWhatFailed() {
        see(UPGRADING, 10);
        see(DEPLOYED, 20);
        see(DEPLOYED, 200);
        see(ROLLING_BACK, 300);
        see(ROLLED_BACK, 320);

        assertThat(told).contains("Rollback 300", "Submission 20");
    }

    @Test
    void whatIsDeletedTellsOfItsLastState() {
        see(STABLE, 90);
        see(DELETED, 100);

        assertThat(told).containsExactly("STABLE 90");
    }

    @Test
    void nothingIsToldWhileNothingChanges() {
        see(STABLE, 10);
        see(STABLE, 20);

        assertThat(told).isEmpty();
    }

    private void see(LifecycleState state, int seconds) {
        LifecycleTrack.Step step = track.next(state, at(seconds));
        track = step.next();
        step.measurements().forEach(each -> told.add(text(each)));
    }

    private static Instant at(int seconds) {
        return START.plus(Duration.ofSeconds(seconds));
    }

    private static String text(Measurement told) {
        return switch (told) {
            case Measurement.TimeInState(var in, var time) -> in.wire() + " " + time.toSeconds();
            case Measurement.TransitionTime(var by, var time) -> by.word() + " " + time.toSeconds();
        };
    }
}
