// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cron;

import static io.sluice.operator.cron.CronSnapshots.aTemplate;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.operator.cron.CronRun.Phase;
import io.sluice.operator.gitops.Kstatus;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.Reason.Outlook;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.rules.cron.CronAnnotations;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class CronDeciderTest {
    private static final String ONE = "2026-03-01T01:00:00Z";
    private static final String TWO = "2026-03-01T02:00:00Z";
    private static final CronAction CREATE_ONE =
            new CronAction.CreateRun("orders-03010100", Instant.parse(ONE));

    private static final Map<Reason, CronSnapshots> SITUATIONS =
            Map.of(
                    Reason.SPEC_INVALID, aTemplate().with(CronAnnotations.EXPRESSION, "never"),
                    Reason.SUSPENDED, aTemplate().suspended(true),
                    Reason.CRON_SCHEDULED, aTemplate(),
                    Reason.CRON_STARTING, aTemplate().at(ONE),
                    Reason.CRON_RUNNING, aTemplate().at(ONE).decided().withRun(ONE, Phase.ACTIVE),
                    Reason.CRON_OVER,
                            aTemplate().with(CronAnnotations.EXPRESSION, "0 0 0 1 1 ? 2021"),
                    Reason.CRON_REFUSED, aTemplate().at(ONE).decided().refused("quota exceeded"),
                    Reason.DELETING, aTemplate().withRun(ONE, Phase.ACTIVE).deleted(),
                    Reason.DELETED, aTemplate().deleted());

    @Test
    void reachesEveryReason() {
        assertThat(SITUATIONS.keySet())
                .containsAll(
                        Arrays.stream(Reason.values())
                                .filter(reason -> reason.name().startsWith("CRON_"))
                                .collect(Collectors.toSet()));
        SITUATIONS.forEach(
                (reason, situation) -> assertThat(situation.decide().reason()).isEqualTo(reason));
    }

    @Test
    void saysInItsStatusWhatItIs() {
        SITUATIONS.forEach(
                (reason, situation) -> {
                    var status =
                            CronStatusRenderer.status(
                                    situation.snapshot(),
                                    situation.decide(),
                                    JsonNodeFactory.instance.objectNode());
                    assertThat(status.path("observedGeneration").asLong()).isEqualTo(1);
                    assertThat(status.path("conditions"))
                            .hasSize(4)
                            .allMatch(it -> it.path("reason").asText().equals(reason.wire()));
                    assertThat(status.has("error")).isEqualTo(reason.outlook() == Outlook.STALLED);
                });
    }

    @Test
    void isCurrentForToolsThatWaitWhereverTheTemplateIsAsAsked() {
        Map<Kstatus, Set<Reason>> reasons =
                SITUATIONS.keySet().stream()
                        .collect(
                                Collectors.groupingBy(
                                        reason -> Kstatus.of(resource(reason)),
                                        Collectors.toSet()));

        assertThat(reasons)
                .isEqualTo(
                        Map.of(
                                Kstatus.CURRENT,
                                Set.of(
                                        Reason.CRON_SCHEDULED,
                                        Reason.CRON_RUNNING,
                                        Reason.CRON_OVER,
                                        Reason.SUSPENDED),
                                Kstatus.IN_PROGRESS,
                                Set.of(Reason.CRON_STARTING),
                                Kstatus.FAILED,
                                Set.of(Reason.SPEC_INVALID, Reason.CRON_REFUSED),
                                Kstatus.TERMINATING,
                                Set.of(Reason.DELETING, Reason.DELETED)));
    }

    @Test
    void waitsWithoutWorkUntilTheTimeComes() {
        var decision = aTemplate().decide();

        assertThat(decision.actions()).isEmpty();
        assertThat(decision.job()).isEqualTo("CRON_SCHEDULED");
        assertThat(decision.memory().nextFire()).contains(Instant.parse(ONE));
        assertThat(decision.checkAgain()).contains(Duration.ofMinutes(1));
        assertThat(aTemplate().decided().at("2026-03-01T00:59:40Z").decide().checkAgain())
                .contains(Duration.ofSeconds(20));
    }

    @Test
    void recordsTheTimeBeforeItStartsTheRunNamedAfterIt() {
        var decision = aTemplate().decided().at("2026-03-01T01:00:03Z").decide();

        assertThat(decision.memory().starting()).contains(Instant.parse(ONE));
        assertThat(decision.memory().lastFire()).contains(Instant.parse(ONE));
        assertThat(decision.actions()).containsExactly(CREATE_ONE);
        assertThat(decision.notes())
                .extracting(ResourceEvent::reason)
                .containsExactly("JobStatusChanged");
    }

    @Test
    void startsTheRunAgainThatACrashKeptFromBeingMade() {
        var crashed = aTemplate().decided().at(ONE).decided();

        assertThat(crashed.decide().actions()).containsExactly(CREATE_ONE);
        assertThat(crashed.withRun(ONE, Phase.ACTIVE).decide().actions()).isEmpty();
    }

    @Test
    void startsNothingTwiceOnceTheRunIsOnRecord() {
        var running = aTemplate().decided().at(ONE).decided().withRun(ONE, Phase.ACTIVE).decided();

        assertThat(running.withoutRuns().at("2026-03-01T01:30:00Z").decide().actions()).isEmpty();
        assertThat(running.decide().job()).isEqualTo("RUNNING");
    }

    @Test
    void makesUpForTheLastOfTheTimesItMissedAndNoOther() {
        var late = aTemplate().decided().at("2026-03-01T07:20:00Z").decide();

        assertThat(late.actions())
                .containsExactly(
                        new CronAction.CreateRun(
                                "orders-03010700", Instant.parse("2026-03-01T07:00:00Z")));
    }

    @Test
    void leavesOutWhatIsLaterThanTheStartingDeadline() {
        var strict = aTemplate().with(CronAnnotations.DEADLINE, "10 min").decided();

        assertThat(strict.at("2026-03-01T01:09:00Z").decide().actions()).hasSize(1);
        var late = strict.at("2026-03-01T01:11:00Z").decide();
        assertThat(late.actions()).isEmpty();
        assertThat(late.notes()).extracting(ResourceEvent::reason).containsExactly("MissSchedule");
        assertThat(late.memory().lastFire()).contains(Instant.parse(ONE));
    }

    @Test
    void startsNothingForTimesBeforeItWasMade() {
        assertThat(aTemplate().at("2026-03-01T00:59:59Z").decide().actions()).isEmpty();
    }

    @Test
    void startsNothingForTimesBeforeItsScheduleWasChanged() {
        var changed =
                aTemplate()
                        .decided()
                        .at("2026-03-01T00:50:00Z")
                        .with(CronAnnotations.EXPRESSION, "45 * * * *")
                        .decide();

        assertThat(changed.actions()).isEmpty();
        assertThat(changed.memory().nextFire()).contains(Instant.parse("2026-03-01T01:45:00Z"));
    }

    @Test
    void startsNothingForTimesThatCameWhileItWasSuspended() {
        var resumed =
                aTemplate()
                        .decided()
                        .suspended(true)
                        .decided()
                        .at("2026-03-01T03:30:00Z")
                        .suspended(false);

        assertThat(resumed.decide().actions()).isEmpty();
        assertThat(resumed.decided().at("2026-03-01T04:00:00Z").decide().actions()).hasSize(1);
    }

    @Test
    void removesARunUnderWayBeforeTheNextOne() {
        var due =
                aTemplate()
                        .decided()
                        .at(ONE)
                        .decided()
                        .withRun(ONE, Phase.ACTIVE)
                        .decided()
                        .at(TWO);

        assertThat(due.decide().actions())
                .containsExactly(new CronAction.DeleteRun("orders-03010100", "uid-" + ONE));
        assertThat(due.decide().notes())
                .extracting(ResourceEvent::reason)
                .containsExactly("Cleanup");
        var leaving = due.decided().withoutRuns().withRun(ONE, Phase.ACTIVE, true);
        assertThat(leaving.decide().actions()).isEmpty();
        assertThat(leaving.decide().detail()).contains("orders-03010100");
        assertThat(leaving.withoutRuns().decide().actions())
                .containsExactly(new CronAction.CreateRun("orders-03010200", Instant.parse(TWO)));
    }

    @Test
    void leavesTheNextOneOutIfTheRunMustNotBeDisturbed() {
        var due =
                aTemplate()
                        .with(CronAnnotations.CONCURRENCY, "Forbid")
                        .decided()
                        .at(ONE)
                        .decided()
                        .withRun(ONE, Phase.ACTIVE)
                        .decided()
                        .at(TWO)
                        .decide();

        assertThat(due.actions()).isEmpty();
        assertThat(due.notes())
                .extracting(ResourceEvent::reason)
                .containsExactly("JobAlreadyActive");
        assertThat(due.memory().lastFire()).contains(Instant.parse(TWO));
    }

    @Test
    void runsBothIfThatIsAllowed() {
        var due =
                aTemplate()
                        .with(CronAnnotations.CONCURRENCY, "Allow")
                        .decided()
                        .at(ONE)
                        .decided()
                        .withRun(ONE, Phase.ACTIVE)
                        .decided()
                        .at(TWO);

        assertThat(due.decide().actions())
                .containsExactly(new CronAction.CreateRun("orders-03010200", Instant.parse(TWO)));
    }

    @Test
    void removesARunOfTheSameNameFromAYearBefore() {
        var due =
                aTemplate()
                        .decided()
                        .at(ONE)
                        .decided()
                        .withRun("2025-03-01T01:00:00Z", Phase.SUCCEEDED);

        assertThat(due.decide().actions())
                .containsExactly(
                        new CronAction.DeleteRun("orders-03010100", "uid-2025-03-01T01:00:00Z"));
    }

    @Test
    void keepsTheNewestOfTheRunsThatHaveEnded() {
        var crowded =
                aTemplate()
                        .with(CronAnnotations.SUCCEEDED, "1")
                        .with(CronAnnotations.FAILED, "0")
                        .withRun("2026-02-28T01:00:00Z", Phase.SUCCEEDED)
                        .withRun("2026-02-28T02:00:00Z", Phase.FAILED)
                        .withRun("2026-02-28T03:00:00Z", Phase.SUCCEEDED);

        assertThat(crowded.decide().actions())
                .containsExactly(
                        new CronAction.DeleteRun("orders-02280100", "uid-2026-02-28T01:00:00Z"),
                        new CronAction.DeleteRun("orders-02280200", "uid-2026-02-28T02:00:00Z"));
    }

    @Test
    void goesOnlyAfterItsRuns() {
        var leaving = aTemplate().withRun(ONE, Phase.ACTIVE).deleted();

        assertThat(leaving.decide().actions())
                .containsExactly(new CronAction.DeleteRun("orders-03010100", "uid-" + ONE));
        assertThat(leaving.decide().detail()).contains("'orders-03010100'");
        assertThat(leaving.withoutRuns().decide().actions())
                .containsExactly(new CronAction.ReleaseTemplate());
    }

    @Test
    void decidesTheSameAgainWhileNothingChanges() {
        SITUATIONS.forEach(
                (reason, situation) ->
                        assertThat(situation.decided().decided().decide().memory())
                                .as(reason + " would be written for ever")
                                .isEqualTo(situation.decided().decided().snapshot().memory()));
    }

    private static ObjectNode resource(Reason reason) {
        CronSnapshots situation = Objects.requireNonNull(SITUATIONS.get(reason), reason.wire());
        var identity = situation.snapshot().identity();
        ObjectNode resource = JsonNodeFactory.instance.objectNode();
        ObjectNode metadata =
                resource.putObject("metadata").put("generation", identity.generation());
        if (identity.deleting()) {
            metadata.put("deletionTimestamp", situation.snapshot().now().toString());
        }
        resource.set(
                "status",
                CronStatusRenderer.status(
                        situation.snapshot(),
                        situation.decide(),
                        JsonNodeFactory.instance.objectNode()));
        return resource;
    }
}
