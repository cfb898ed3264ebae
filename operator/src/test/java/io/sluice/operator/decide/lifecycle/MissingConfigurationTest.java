// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.lifecycle;

import static io.sluice.operator.decide.Snapshots.aHighlyAvailableDeployment;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.manifest.ClusterPlan;
import io.sluice.manifest.StartFrom;
import io.sluice.operator.decide.SessionSnapshots;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.Reason;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Somebody has deleted the ConfigMap that Flink's containers mount, and a pod waits for it. */
class MissingConfigurationTest {
    @Test
    void isMadeAnewForAJobThatBeganWithNothing() {
        assertThat(made(waiting(aRunningDeployment())).from()).isEqualTo(new StartFrom.Nothing());
    }

    @Test
    void namesTheStateThatTheJobWasStartedFrom() {
        assertThat(made(waiting(anUpgradedDeployment())).from())
                .isInstanceOf(StartFrom.Savepoint.class);
    }

    /** Somebody has removed the path: without it the job would begin with nothing. */
    @Test
    void isNotMadeWhereTheRecordDoesNotSayWithWhatTheJobWasStarted() {
        assertThat(waiting(anUpgradedDeployment().withoutPath()).decide().actions()).isEmpty();
    }

    @Test
    void keepsTheHighAvailabilityThatTheJobWasStartedWith() {
        String option = "high-availability.type";
        Snapshots changed = aRunningDeployment().withDefaults(Map.of(option, "kubernetes"));

        assertThat(made(waiting(changed)).effective().get(option)).isEmpty();
    }

    /** Its metadata name the checkpoint that it goes on from. */
    @Test
    void isMadeForAHighlyAvailableJobToo() {
        assertThat(made(waiting(aHighlyAvailableDeployment())).from())
                .isEqualTo(new StartFrom.Nothing());
    }

    @Test
    void isThatOfTheClusterThatStandsWhileAnEditWaits() {
        Snapshots edited = waiting(aRunningDeployment("savepoint").withImage("new"));

        assertThat(edited.decide().reason()).isEqualTo(Reason.WAITING_FOR_RUNNING_JOB);
        assertThat(made(edited).spec().image()).isNotEqualTo(Optional.of("new"));
    }

    @Test
    void isMadeForASessionClusterToo() {
        assertThat(made(waiting(SessionSnapshots.aReadySessionCluster())).from())
                .isEqualTo(new StartFrom.Nothing());
    }

    @Test
    void isMadeOnceItsAbsenceCountsAsAProblemToo() {
        Snapshots down = aRunningDeployment().withJobManagerDown();

        assertThat(made(down.withPodProblem("FailedMount", message("configmap", name(down)))))
                .isNotNull();
    }

    @Test
    void isNotLookedAtWhereSomethingElseIsMissing() {
        Snapshots down = aRunningDeployment().withJobManagerDown();

        assertThat(
                        down.withPodDelay("FailedMount", message("secret", "credentials"))
                                .decide()
                                .actions())
                .isEmpty();
        assertThat(down.withPodDelay("Unschedulable", message("", name(down))).decide().actions())
                .isEmpty();
    }

    private static Snapshots anUpgradedDeployment() {
        return aRunningDeployment("savepoint").withImage("new").withUpgradeDone();
    }

    private static Snapshots waiting(Snapshots of) {
        return of.withJobManagerDown().withPodDelay("FailedMount", message("configmap", name(of)));
    }

    private static String name(Snapshots of) {
        return "flink-config-" + of.observed().identity().name();
    }

    private static String message(String kind, String name) {
        return "MountVolume.SetUp failed for volume \"v\" : %s \"%s\" not found"
                .formatted(kind, name);
    }

    private static ClusterPlan made(Snapshots waiting) {
        return waiting.decide().actions().stream()
                .filter(Action.ProvideConfiguration.class::isInstance)
                .map(Action.ProvideConfiguration.class::cast)
                .findFirst()
                .orElseThrow()
                .plan();
    }
}
