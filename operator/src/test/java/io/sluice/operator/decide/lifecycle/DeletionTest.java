// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.lifecycle;

import static io.sluice.operator.decide.Snapshots.aNewResource;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static io.sluice.operator.decide.Snapshots.anUpgradeThatFails;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.JobState;
import io.sluice.operator.decide.SessionSnapshots;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.step.HeldChange;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.ObservedState;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.Target;
import io.sluice.operator.observe.CacheRule;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is deleted with a resource, and what is left because it is another's. */
class DeletionTest {
    private static final Action REMOVAL = new Action.DeleteCluster("deployment-1");

    private static Stream<Snapshots> neverCarriedOut() {
        Snapshots refused = refused();
        return Stream.of(
                aNewResource(),
                aNewResource().withInvalidSpec("wrong").decided(),
                aNewResource().withState("suspended").decided(),
                aNewResource().withJobManagerOfTheirs().decided(),
                refused,
                refused.withImage("another").decided(),
                refused.withImage("another").decided().withImage("a third").decided(),
                refused.withState("suspended").decided(),
                refused.withState("suspended").decided().withState("running").decided());
    }

    @ParameterizedTest
    @MethodSource("neverCarriedOut")
    void leavesAClusterThatWasThereBeforeAResourceThatWasNeverCarriedOut(Snapshots never) {
        for (var standing :
                List.of(
                        never.withJobManagerOfTheirs().withJob(JobState.RUNNING, 2),
                        never.withTerminatingJobManager(),
                        never.withPodsOnly())) {
            var decision = standing.deleted().decide();

            assertThat(decision.reason()).isEqualTo(Reason.DELETED);
            assertThat(decision.actions())
                    .containsExactly(
                            new Action.ReleaseUnbegun(
                                    never.observed().status().jobStatus().jobId()));
            assertThat(decision.notes())
                    .extracting(ResourceEvent::message)
                    .singleElement()
                    .asString()
                    .contains("cluster 'orders' exist that were not made for it");
        }
    }

    /** Somebody deleted the Deployment that was made a moment ago, before any pass saw it. */
    @Test
    void waitsForPodsThatEndAndMayBeOfItsFirstAttempt() {
        var recorded = aNewResource().decided().deleted();

        assertThat(recorded.withPodsOnly().decide().reason()).isEqualTo(Reason.DELETING);
        assertThat(recorded.withTerminatingJobManager().decide().reason())
                .isEqualTo(Reason.DELETING);
        assertThat(recorded.withRemnant("Pod 'p' runs on.", false).decide().reason())
                .isEqualTo(Reason.DELETED);
        assertThat(recorded.withNothingLeft().decide().reason()).isEqualTo(Reason.DELETED);
    }

    @ParameterizedTest
    @MethodSource("neverCarriedOut")
    void leavesTheMetadataOfJobsThatWereThereBeforeAndNamesThem(Snapshots never) {
        var decision = never.withNothingLeft().withRecoveryOf("0a", "0b").deleted().decide();

        assertThat(decision.actions()).hasExactlyElementsOfTypes(Action.ReleaseUnbegun.class);
        assertThat(decision.notes())
                .extracting(ResourceEvent::message)
                .singleElement()
                .asString()
                .contains("were not started for it", "0a, 0b");
    }

    @Test
    void saysNothingOfOthersWhereThereAreNone() {
        var decision = refused().withRecovery().deleted().decide();

        assertThat(decision.notes())
                .extracting(ResourceEvent::message)
                .containsExactly("Cleaned up: nothing was started for the resource");
    }

    @Test
    void cancelsNoJobsOfASessionClusterThatIsNotItsOwn() {
        var decision =
                SessionSnapshots.aNewSessionCluster()
                        .withTarget(
                                new Target.SessionCluster(
                                        List.of(), SessionSnapshots.listing(JobState.RUNNING)))
                        .withJobManagerOfTheirs()
                        .decided()
                        .deleted()
                        .decide();

        assertThat(decision.reason()).isEqualTo(Reason.DELETED);
        assertThat(decision.actions()).hasExactlyElementsOfTypes(Action.ReleaseUnbegun.class);
    }

    @Test
    void waitsForTheJobsOfASessionClusterOfItsOwnThatWasNotSeenYet() {
        var decision =
                SessionSnapshots.aNewSessionCluster()
                        .decided()
                        .withJobManager(true)
                        .withTarget(
                                new Target.SessionCluster(
                                        List.of(), SessionSnapshots.listing(JobState.RUNNING)))
                        .deleted()
                        .decide();

        assertThat(decision.reason()).isEqualTo(Reason.SESSION_JOBS_LEFT);
    }

    private static Stream<Snapshots> carriedOut() {
        Snapshots began = aNewResource().decided();
        return Stream.of(
                // Created, and not seen yet: by the attempt's name.
                began.withJobManager(false),
                // Of an attempt that another one has taken the place of, or of a lost status.
                began.withImage("another").decided().withJobManagerOfTheirs().withOwnJobManager(),
                aNewResource().withJobManagerOfTheirs().withOwnJobManager(),
                began.withState("suspended")
                        .decided()
                        .withJobManagerOfTheirs()
                        .withOwnJobManager());
    }

    @ParameterizedTest
    @MethodSource("carriedOut")
    void removesAClusterOfItsOwnThatNoPassHasSeen(Snapshots began) {
        assertThat(began.deleted().decide().actions()).containsExactly(REMOVAL);
    }

    @Test
    void deletesAllMetadataOnceAClusterOfItsOwnWasSeen() {
        var deleting = aNewResource().decided().withJobManager(false).deleted().decided();

        assertThat(deleting.withPodsOnly().decide().actions()).isEmpty();
        assertThat(deleting.withNothingLeft().decide().actions())
                .containsExactly(new Action.ReleaseResource());
    }

    private static Stream<Snapshots> ran() {
        Snapshots running = aRunningDeployment();
        Snapshots suspended = running.withState("suspended").decided().withNothingLeft().decided();
        Snapshots failing = anUpgradeThatFails("stateless").later(Duration.ofMinutes(6));
        return Stream.of(
                running,
                Snapshots.aDeployment("stateless").decided(),
                running.withImage("new").decided(),
                // Its end is asked for, which is the beginning of an upgrade of the first spec.
                aRunningDeployment("savepoint").withImage("new").decided(),
                aRunningDeployment("last-state").withState("suspended").decided(),
                suspended,
                suspended.withState("running").decided(),
                suspended.withState("running").decided().withImage("new").decided(),
                failing.decided(),
                failing.decided().withNothingLeft().decided(),
                Snapshots.aDeployment("stateless")
                        .decided()
                        .withState("suspended")
                        .decided()
                        .withNothingLeft()
                        .decided(),
                SessionSnapshots.aReadySessionCluster());
    }

    @ParameterizedTest
    @MethodSource("ran")
    void deletesAllMetadataOfAResourceThatRan(Snapshots ran) {
        assertThat(ran.withNothingLeft().deleted().decide().actions())
                .containsExactly(new Action.ReleaseResource());
    }

    @ParameterizedTest
    @MethodSource("ran")
    void removesWhateverStandsInPlaceOfAResourceThatRan(Snapshots ran) {
        assertThat(ran.withJobManagerOfTheirs().deleted().decide().actions())
                .containsExactly(REMOVAL);
    }

    @Test
    void asksTheApiServerBeforeItTakesAClusterForAnothers() {
        Snapshots never = aNewResource().withJobManagerOfTheirs().decided().deleted();

        assertThat(isCacheEnough(never)).isFalse();
        assertThat(isCacheEnough(aRunningDeployment().deleted())).isTrue();
    }

    private static boolean isCacheEnough(Snapshots deleted) {
        ObservedState observed = deleted.observed();
        return CacheRule.isEnough(
                observed.cluster(),
                observed.status().attempt().id(),
                observed::status,
                true,
                _ -> observed.spec(),
                _ -> HeldChange.contextWithoutSpec(observed).running(),
                observed.now());
    }

    /** Its first attempt is on record and was never made. */
    private static Snapshots refused() {
        return aNewResource("savepoint")
                .decided()
                .withRefusal("a ConfigMap is in the way")
                .decided();
    }
}
