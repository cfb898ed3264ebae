// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.upgrade;

import static io.sluice.operator.decide.Snapshots.NOW;
import static io.sluice.operator.decide.Snapshots.aDeployment;
import static io.sluice.operator.decide.Snapshots.aNewResource;
import static io.sluice.operator.decide.Snapshots.aRunningDeployment;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.status.JobState;
import io.sluice.operator.decide.SessionSnapshots;
import io.sluice.operator.decide.Snapshots;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.operator.model.image.ImagePulls;
import io.sluice.operator.model.image.ImagePulls.Answer;
import io.sluice.operator.model.image.ImagePulls.PullPod;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whether a running job is stopped for another image, by what a kubelet says of the image. */
class ImagePullTest {
    private static final Answer NOT_PULLED =
            new Answer.NotPulled("flink:typo", "ImagePullBackOff", "not found");

    /** A running job whose image is changed. */
    private static Snapshots changed() {
        return running().withImage("flink:typo");
    }

    private static Snapshots running() {
        return aRunningDeployment("savepoint").withImagesPulledFirst();
    }

    private static Action.PullImages pull(Decision decision) {
        return decision.actions().stream()
                .filter(Action.PullImages.class::isInstance)
                .map(Action.PullImages.class::cast)
                .findFirst()
                .orElseThrow();
    }

    private static boolean isHeld(Decision decision) {
        return decision.actions().stream()
                .noneMatch(action -> action instanceof Action.StopWithSavepoint);
    }

    /** The reconciliation after the one that created the pod, which answers so. */
    private static Snapshots answering(Snapshots changed, Answer answer) {
        Decision begun = changed.decide();
        return changed.decided()
                .withImagePulls(
                        new ImagePulls(
                                List.of(new PullPod(pull(begun).name(), "pod-uid", answer)),
                                Optional.empty()));
    }

    /** The same pod with another answer. */
    private static ImagePulls with(Snapshots held, Answer answer) {
        PullPod pod = held.observed().cluster().podFacts().imagePulls().pods().getFirst();
        return new ImagePulls(
                List.of(new PullPod(pod.name(), pod.uid(), answer)), Optional.empty());
    }

    @Test
    void aRunningJobIsNotStoppedBeforeThePodIsThere() {
        Decision decision = changed().decide();

        assertThat(decision.reason()).isEqualTo(Reason.PULLING_IMAGE);
        assertThat(decision.actions()).hasOnlyElementsOfType(Action.PullImages.class).hasSize(1);
        assertThat(pull(decision).plan().spec().image()).contains("flink:typo");
        assertThat(decision.status().attempt().stop()).isEmpty();
        assertThat(decision.detail()).contains("flink:typo");
    }

    @Test
    void aReconciliationThatIsRepeatedAsksForTheSamePod() {
        String first = pull(changed().decide()).name();

        assertThat(pull(changed().decided().decide()).name())
                .isEqualTo(first)
                .startsWith("orders-image-pull-");
        assertThat(pull(running().withImage("flink:other").decide()).name()).isNotEqualTo(first);
    }

    /**
     * @param holds whether the change is held
     */
    record Said(Answer answer, boolean holds, Reason reason) {}

    static List<Said> answers() {
        return List.of(
                new Said(new Answer.Unscheduled(NOW.minusSeconds(9)), true, Reason.PULLING_IMAGE),
                new Said(
                        new Answer.Unscheduled(NOW.minusSeconds(10)),
                        false,
                        Reason.SAVEPOINT_IN_PROGRESS),
                new Said(new Answer.Pulling(NOW.minusSeconds(599)), true, Reason.PULLING_IMAGE),
                new Said(
                        new Answer.Pulling(NOW.minusSeconds(600)),
                        false,
                        Reason.SAVEPOINT_IN_PROGRESS),
                new Said(new Answer.Pulled(), false, Reason.SAVEPOINT_IN_PROGRESS),
                new Said(NOT_PULLED, true, Reason.IMAGE_NOT_PULLED),
                new Said(new Answer.Lost(), true, Reason.PULLING_IMAGE),
                new Said(new Answer.Ending(NOW.minusSeconds(59)), true, Reason.PULLING_IMAGE),
                new Said(
                        new Answer.Ending(NOW.minusSeconds(60)),
                        false,
                        Reason.SAVEPOINT_IN_PROGRESS));
    }

    @ParameterizedTest
    @MethodSource("answers")
    void theKubeletsWordDecides(Said said) {
        Decision decision = answering(changed(), said.answer()).decide();

        assertThat(isHeld(decision)).isEqualTo(said.holds());
        assertThat(decision.reason()).isEqualTo(said.reason());
    }

    @Test
    void thatTheImageCannotBePulledIsToldWithTheImageTheCauseAndWhatToDo() {
        Snapshots running = running();

        Decision decision = answering(running.withImage("flink:typo"), NOT_PULLED).decide();

        assertThat(decision.detail())
                .contains("flink:typo", "ImagePullBackOff", "not found", "delete the pod orders-");
        assertThat(decision.notes())
                .filteredOn(event -> event.kind() == ResourceEvent.Kind.WARNING)
                .extracting(ResourceEvent::reason)
                .containsExactly("ImageNotPulled");
        assertThat(decision.actions()).isEmpty();
        assertThat(decision.status().reconciliationStatus().lastReconciledSpec())
                .isEqualTo(running.observed().status().reconciliationStatus().lastReconciledSpec());
        assertThat(decision.status().jobStatus().state()).contains(JobState.RUNNING);
    }

    @Test
    void anImageThatCannotBePulledNeverTimesOut() {
        Snapshots held = answering(changed(), NOT_PULLED).decided().later(Duration.ofDays(30));

        assertThat(held.decide().reason()).isEqualTo(Reason.IMAGE_NOT_PULLED);
        assertThat(isHeld(held.withJob(new JobView.Unreachable("timed out")).decide())).isTrue();
        assertThat(isHeld(held.withJob(JobState.RESTARTING, 0).decide())).isTrue();
    }

    @Test
    void aKubeletThatRestartsEndsNoWaitForAnImageThatItCouldNotPull() {
        Snapshots held = answering(changed(), NOT_PULLED).decided();
        Answer silent = new Answer.Pulling(NOW.minusSeconds(3600));

        Decision decision = held.withImagePulls(with(held, silent)).decide();

        assertThat(decision.reason()).isEqualTo(Reason.IMAGE_NOT_PULLED);
        assertThat(decision.status()).isEqualTo(held.decide().status());
    }

    @Test
    void aPodThatSomebodyDeletesIsMadeAnewAndStillHoldsTheChangeWhereNoNodeTakesIt() {
        Snapshots held = answering(changed(), NOT_PULLED).decided();

        Decision anew = held.withImagePulls(ImagePulls.NONE).decide();

        assertThat(anew.reason()).isEqualTo(Reason.IMAGE_NOT_PULLED);
        assertThat(anew.actions()).hasExactlyElementsOfTypes(Action.PullImages.class);
        assertThat(
                        held.withImagePulls(
                                        with(held, new Answer.Unscheduled(NOW.minusSeconds(3600))))
                                .decide()
                                .reason())
                .isEqualTo(Reason.IMAGE_NOT_PULLED);
    }

    @Test
    void thePodIsDeletedByTheDecisionThatStopsTheJob() {
        Decision decision = answering(changed(), new Answer.Pulled()).decide();

        assertThat(decision.actions())
                .hasExactlyElementsOfTypes(
                        Action.StopWithSavepoint.class, Action.DeletePullPod.class);
    }

    @Test
    void thePodStaysWhileAChangeWhoseImageIsPulledWaitsForSomethingElse() {
        Snapshots changed =
                aRunningDeployment("last-state").withImagesPulledFirst().withImage("flink:typo");

        Decision decision =
                answering(changed, new Answer.Pulled())
                        .withJob(new JobView.Unreachable("timed out"))
                        .decide();

        assertThat(decision.reason()).isEqualTo(Reason.WAITING_FOR_RUNNING_JOB);
        assertThat(decision.actions()).isEmpty();
    }

    @Test
    void thePodIsDeletedOnceTheChangeIsNoneAnyMore() {
        Snapshots held = answering(changed(), NOT_PULLED).decided();
        List<UnaryOperator<Snapshots>> edits =
                List.of(
                        it -> it.withImage("flink:1.20"),
                        it -> it.withState("suspended"),
                        Snapshots::deleted,
                        it -> it.withInvalidSpec("wrong"),
                        it ->
                                it.withConfiguration(
                                        "kubernetes.operator.deployment.pull-image-first",
                                        "false"));

        for (UnaryOperator<Snapshots> edit : edits) {
            assertThat(edit.apply(held).decide().actions())
                    .filteredOn(Action.DeletePullPod.class::isInstance)
                    .hasSize(1);
        }
    }

    @Test
    void anotherImageIsPulledByAnotherPod() {
        Snapshots held = answering(changed(), NOT_PULLED).decided();

        Decision decision = held.withImage("flink:1.20.1").decide();

        assertThat(decision.reason()).isEqualTo(Reason.PULLING_IMAGE);
        assertThat(decision.actions())
                .hasExactlyElementsOfTypes(Action.PullImages.class, Action.DeletePullPod.class);
    }

    @Test
    void aPodThatIsOfNoUseIsDeletedAndMadeAnew() {
        for (Answer answer : List.of(new Answer.Lost(), new Answer.Ending(NOW))) {
            assertThat(answering(changed(), answer).decide().actions())
                    .hasExactlyElementsOfTypes(Action.DeletePullPod.class);
        }
    }

    @Test
    void aPodOfWhichNoAnswerIsToBeHadHoldsNothing() {
        String name = pull(changed().decide()).name();

        Decision decision =
                changed()
                        .decided()
                        .withImagePulls(new ImagePulls(List.of(), Optional.of(name)))
                        .decide();

        assertThat(decision.reason()).isEqualTo(Reason.SAVEPOINT_IN_PROGRESS);
    }

    static List<Snapshots> withoutPull() {
        return List.of(
                aNewResource("savepoint").withImagesPulledFirst(),
                aDeployment("savepoint").withImagesPulledFirst().withImage("flink:typo"),
                running().withRestartNonce(7),
                running().withState("suspended"),
                running().withImage("flink:typo").withState("suspended"),
                running().withImage("flink:typo").deleted(),
                running().withJob(JobState.FAILED, 0).withImage("flink:typo"),
                running().withJob(JobState.FINISHED, 0).withImage("flink:typo"),
                running()
                        .withConfiguration(
                                "kubernetes.operator.deployment.pull-image-first", "false")
                        .withImage("flink:typo"),
                aRunningDeployment("savepoint").withImage("flink:typo"));
    }

    @ParameterizedTest
    @MethodSource("withoutPull")
    void nothingIsPulledWhereNoJobIsStoppedForAnImage(Snapshots without) {
        assertThat(without.decide().reason())
                .isNotIn(Reason.PULLING_IMAGE, Reason.IMAGE_NOT_PULLED);
        assertThat(without.decide().actions()).noneMatch(Action.PullImages.class::isInstance);
    }

    @Test
    void aStopThatFailedDoesNotPullAgain() {
        Snapshots stopping = answering(changed(), new Answer.Pulled()).decided();

        assertThat(stopping.withImagePulls(ImagePulls.NONE).decide().actions())
                .noneMatch(Action.PullImages.class::isInstance);
    }

    @Test
    void anImageOfAPodTemplateCountsAsMuch() {
        ObjectNode spec = running().observed().lastReconciled().orElseThrow().raw().deepCopy();
        spec.withObject("/taskManager/podTemplate/spec")
                .putArray("containers")
                .addObject()
                .put("name", "flink-main-container")
                .put("imagePullPolicy", "Always");

        assertThat(running().withSpec(spec).decide().reason()).isEqualTo(Reason.PULLING_IMAGE);
    }

    @Test
    void aSessionClusterKeepsItsJobsUntilTheImageIsPulled() {
        Snapshots session =
                SessionSnapshots.aSessionClusterWithAStatefulJob()
                        .withImagesPulledFirst()
                        .withImage("flink:typo");

        assertThat(session.decide().reason()).isEqualTo(Reason.PULLING_IMAGE);
        assertThat(answering(session, new Answer.Pulled()).decide().reason())
                .isEqualTo(Reason.WAITING_FOR_SESSION_JOBS);
    }
}
