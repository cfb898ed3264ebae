// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.running;

import static io.sluice.api.spec.StateKind.SAVEPOINT;
import static io.sluice.operator.decide.Snapshots.aSavingDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.StateTrigger;
import io.sluice.api.status.TriggerType;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.RunView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** When a savepoint or a checkpoint is made because its time has come. */
class PeriodicTriggersTest {
    private static final AsyncResult DONE = new AsyncResult.Done(Optional.of("file:/s/1"));

    @Test
    void makesAPeriodicCheckpointWhenItsTimeHasCome() {
        var running =
                aSavingDeployment()
                        .withConfiguration(
                                "kubernetes.operator.periodic.checkpoint.interval", "1 h")
                        .decided();

        assertThat(running.later(Duration.ofMinutes(59)).decide().actions()).isEmpty();
        assertThat(running.later(Duration.ofMinutes(61)).decide().actions())
                .singleElement()
                .isInstanceOf(Action.TriggerCheckpoint.class);
    }

    @Test
    void makesAPeriodicSavepointOnceForEachTimeThatHasCome() {
        var running = periodic("1 h").later(Duration.ofMinutes(190));

        var asked = running.decided();
        assertThat(asked.savepoints().trigger().map(StateTrigger::type))
                .contains(TriggerType.PERIODIC);
        assertThat(asked.savepoints().lastPeriodic())
                .contains(Snapshots.NOW.plus(Duration.ofHours(3)));
        var made = asked.withAnswer(SAVEPOINT, DONE).decided();
        assertThat(made.decide().actions()).isEmpty();
        assertThat(made.decide().checkAgain()).contains(Duration.ofSeconds(60));
        assertThat(made.later(Duration.ofMinutes(49)).decide().checkAgain())
                .contains(Duration.ofSeconds(60));
        assertThat(made.later(Duration.ofMinutes(50)).decide().actions())
                .hasOnlyElementsOfType(Action.TriggerSavepoint.class);
    }

    @Test
    void makesNoPeriodicOneBeforeItsTime() {
        assertThat(periodic("1 h").later(Duration.ofMinutes(59)).decide().actions()).isEmpty();
        assertThat(periodic("").later(Duration.ofDays(9)).decide().actions()).isEmpty();
        assertThat(periodic("0 0 5 * * ?").later(Duration.ofHours(4)).decide().actions()).isEmpty();
        assertThat(periodic("0 0 5 * * ?").later(Duration.ofHours(6)).decide().actions())
                .hasSize(1);
    }

    @Test
    void looksAgainWhenThePeriodicOneIsDue() {
        var soon = periodic("1 h").later(Duration.ofMinutes(59).plusSeconds(50));

        assertThat(soon.decide().checkAgain()).contains(Duration.ofSeconds(10));
    }

    @Test
    void countsFromTheLastOneOfTheOperatorBefore() {
        Instant last = Snapshots.NOW.plus(Duration.ofMinutes(170));
        var takenOver = takenOver(last);

        assertThat(takenOver.decide().actions()).isEmpty();
        var recorded = takenOver.decided();
        assertThat(recorded.savepoints().lastPeriodic()).contains(last);
        var asked = recorded.withServedSnapshots();
        assertThat(asked.later(Duration.ofMinutes(39)).decide().actions()).isEmpty();
        assertThat(asked.later(Duration.ofMinutes(41)).decide().actions())
                .hasOnlyElementsOfType(Action.CreateSnapshot.class);
    }

    @Test
    void makesOneAtOnceIfTheLastOneOfTheOperatorBeforeIsTooOld() {
        Instant last = Snapshots.NOW.plus(Duration.ofMinutes(75));
        var takenOver = takenOver(last);

        assertThat(takenOver.decide().actions()).hasOnlyElementsOfType(Action.CreateSnapshot.class);
        assertThat(takenOver.decided().savepoints().lastPeriodic())
                .contains(last.plus(Duration.ofHours(1)));
    }

    /** Three hours and ten minutes after its creation; {@code last} is what was left of it. */
    private static Snapshots takenOver(Instant last) {
        return periodic("1 h")
                .withSnapshots(
                        new RunView.Snapshots(true, Map.of(), List.of(), Map.of(SAVEPOINT, last)))
                .later(Duration.ofMinutes(190));
    }

    private static Snapshots periodic(String interval) {
        return aSavingDeployment()
                .withConfiguration("kubernetes.operator.periodic.savepoint.interval", interval)
                .decided();
    }
}
