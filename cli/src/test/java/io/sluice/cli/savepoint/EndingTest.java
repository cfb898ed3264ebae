// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.savepoint;

import static io.sluice.api.spec.ResourceKind.FLINK_DEPLOYMENT;
import static io.sluice.api.spec.ResourceKind.FLINK_SESSION_JOB;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.status.snapshot.FlinkStateSnapshotStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class EndingTest {
    private static final Job ORDERS = new Job(FLINK_DEPLOYMENT, "orders", 3, Optional.empty());

    @Test
    void theEndOfACompleteOneIsItsPathAndHowToStartFromIt() {
        assertThat(end(Snapshots.COMPLETED, ORDERS))
                .isEqualTo(
                        new Ending(
                                0,
                                List.of("s3://b/savepoint-1"),
                                List.of(
                                        "To start FlinkDeployment orders from it:",
                                        "  kubectl patch flinkdep/orders -n shop --type=merge -p"
                                                + " '{\"spec\":{\"job\":{\"initialSavepointPath\":"
                                                + "\"s3://b/savepoint-1\",\"savepointRedeployNonce\""
                                                + ":4}}}'")));
    }

    @Test
    void aSessionJobIsPatchedByItsOwnKind() {
        assertThat(end(Snapshots.COMPLETED, Job.named(FLINK_SESSION_JOB, "report")).told())
                .last()
                .asString()
                .contains("kubectl patch flinksessionjob/report -n shop", "Nonce\":1}");
    }

    @Test
    void aPathWithAQuoteStaysOneWordOfTheCommand() {
        FlinkStateSnapshotStatus odd =
                Snapshots.COMPLETED.withPath(Optional.of("s3://b/it's \"here\""));

        assertThat(end(odd, ORDERS).told())
                .last()
                .asString()
                .contains("s3://b/it'\\''s \\\"here\\\"");
    }

    @Test
    void aJobThatAnotherResourceMakesIsStartedThere() {
        var half =
                new Job(
                        FLINK_DEPLOYMENT,
                        "pair-blue",
                        0,
                        Optional.of("FlinkBlueGreenDeployment pair"));

        assertThat(end(Snapshots.COMPLETED, half).told())
                .singleElement()
                .asString()
                .contains("is made by FlinkBlueGreenDeployment pair", "initialSavepointPath there");
    }

    @Test
    void aCheckpointThatFlinkNoLongerNamesIsComplete() {
        Ending ending = end(Snapshots.COMPLETED.withPath(Optional.of("")), ORDERS);

        assertThat(ending.code()).isZero();
        assertThat(ending.result()).isEmpty();
        assertThat(ending.told()).singleElement().asString().contains("num-retained");
    }

    @Test
    void ofAFailedOneFlinksWordsAndOneMoreTryAreTold() {
        Ending ending = end(Snapshots.FAILED, ORDERS);

        assertThat(ending.code()).isEqualTo(1);
        assertThat(ending.told())
                .containsExactly(
                        "FlinkStateSnapshot shop/snap has failed (SnapshotFailed): No space left.",
                        "To try once more: kubectl patch flinksnp/snap -n shop --type=merge -p"
                                + " '{\"spec\":{\"backoffLimit\":5}}'");
    }

    @Test
    void noMoreTriesAreOfferedOfOneThatRestartsTheJob() {
        FlinkStateSnapshotStatus restarts =
                Snapshots.status(
                        Snapshots.FAILED.state(), "SnapshotRestartsJob", "No more tries.", true);

        assertThat(end(restarts, ORDERS).told())
                .last()
                .asString()
                .contains("made the job restart", "kubectl describe flinkdep/orders -n shop")
                .doesNotContain("patch");
    }

    @Test
    void anAbandonedOneIsToBeAskedForAgain() {
        Ending ending = end(Snapshots.ABANDONED, ORDERS);

        assertThat(ending.code()).isEqualTo(1);
        assertThat(ending.told())
                .containsExactly(
                        "FlinkStateSnapshot shop/snap was abandoned (SnapshotAbandoned): The job is"
                                + " suspended.",
                        "Run the command again once the job runs. To see why it does not: kubectl"
                                + " describe flinkdep/orders -n shop");
    }

    @Test
    void whatHasToBeCorrectedIsNotWaitedFor() {
        Ending ending = end(Snapshots.UNSUPPORTED, ORDERS);

        assertThat(ending.code()).isEqualTo(1);
        assertThat(ending.told().getFirst())
                .contains("waits for a correction", "Set execution.checkpointing.savepoint-dir.");
        assertThat(ending.told().getLast()).contains("kubectl delete flinksnp/snap -n shop");
    }

    @Test
    void aSnapshotGoesOnWhenTheTimeIsOver() {
        Ending ending =
                end(
                        new Outcome.TimedOut(
                                Duration.ofMinutes(10),
                                Optional.of(Snapshots.view(Snapshots.IN_PROGRESS))));

        assertThat(ending.code()).isEqualTo(3);
        assertThat(ending.told())
                .containsExactly(
                        "FlinkStateSnapshot shop/snap goes on: after 10 min it is IN_PROGRESS"
                                + " SnapshotInProgress: Flink was asked for the snapshot.",
                        "To follow it: kubectl get flinksnp/snap -n shop -w");
    }

    @Test
    void thatNoOperatorServesItIsToldWithWhereToLook() {
        Ending ending = end(new Outcome.TimedOut(Duration.ofSeconds(90), Optional.empty()));

        assertThat(ending.code()).isEqualTo(3);
        assertThat(String.join(" ", ending.told()))
                .contains(
                        "No operator has looked at FlinkStateSnapshot shop/snap within 90 s",
                        "serves namespace 'shop'",
                        "--label");
    }

    @Test
    void aDeletedOneIsNotComplete() {
        assertThat(end(new Outcome.Deleted()).code()).isEqualTo(1);
    }

    @Test
    void whatCanNotBeFollowedGoesOn() {
        Ending ending = end(new Outcome.NotFollowed("you have no right to list"));

        assertThat(ending.code()).isEqualTo(3);
        assertThat(ending.told())
                .containsExactly(
                        "FlinkStateSnapshot shop/snap was created and goes on, but you have no right"
                                + " to list.",
                        "To look at it: kubectl get flinksnp/snap -n shop");
    }

    private static Ending end(FlinkStateSnapshotStatus status, Job job) {
        return Ending.of(new Outcome.AtRest(Snapshots.view(status)), job, "shop", "snap");
    }

    private static Ending end(Outcome outcome) {
        return Ending.of(outcome, ORDERS, "shop", "snap");
    }
}
