// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import static io.sluice.operator.deployment.Scene.fresh;
import static io.sluice.operator.deployment.Scene.spec;
import static io.sluice.operator.deployment.Scene.stable;
import static io.sluice.operator.deployment.Scene.vertex;
import static io.sluice.operator.deployment.Scene.yaml;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.sluice.api.Condition;
import io.sluice.api.JobState;
import io.sluice.api.LifecycleState;
import io.sluice.api.ReconciliationState;
import io.sluice.flink.rest.ParallelismBounds;
import io.sluice.operator.deployment.ClusterView.JobManagerView;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class DeciderTest {
    private static final String STATELESS = "upgradeMode: stateless";
    private static final String STATEFUL = "upgradeMode: savepoint";
    private static final String SUSPENDED = "upgradeMode: stateless, state: suspended";
    private static final ClusterView TERMINATING =
            new ClusterView(new JobManagerView.Terminating(), 2, Optional.empty());

    static List<Arguments> scenes() {
        Scene begun = fresh(STATELESS).decided();
        Scene up = begun.present(true).decided();
        Scene running = stable(STATELESS);
        return List.of(
                arguments(Reason.SPEC_INVALID, running.invalid("spec.image: no")),
                arguments(Reason.SPEC_INVALID, fresh(STATELESS).invalid("spec.image: no")),
                arguments(Reason.NOT_SUPPORTED, fresh(STATELESS).edited(yaml("{image: i}"))),
                arguments(
                        Reason.STATEFUL_UPGRADE_UNSUPPORTED,
                        stable(STATEFUL).edited(spec("flink:2", STATEFUL))),
                arguments(Reason.SUSPENDED, fresh(SUSPENDED)),
                arguments(Reason.SUSPENDING, running.edited(spec("flink:1", SUSPENDED))),
                arguments(Reason.DEPLOYMENT_STARTED, fresh(STATELESS)),
                arguments(Reason.UPGRADE_STARTED, running.edited(spec("flink:2", STATELESS))),
                arguments(
                        Reason.WAITING_FOR_REMOVAL,
                        running.edited(spec("flink:2", STATELESS)).decided().with(TERMINATING)),
                arguments(Reason.WAITING_FOR_JOB_MANAGER, begun.present(false)),
                arguments(Reason.WAITING_FOR_REST, up.with(new JobView.Unreachable("refused"))),
                arguments(Reason.WAITING_FOR_SUBMISSION, up.with(new JobView.NotListed())),
                arguments(Reason.WAITING_FOR_TASKS, up.seen(JobState.RUNNING, 0, 2)),
                arguments(Reason.JOB_RESTARTING, running.seen(JobState.RESTARTING, 0, 2)),
                arguments(Reason.JOB_CANCELLING, running.seen(JobState.CANCELLING, 0, 2)),
                arguments(Reason.POD_PROBLEM, begun.troubled("ImagePullBackOff")),
                arguments(
                        Reason.JOB_UNREACHABLE, running.with(new JobView.Unreachable("timed out"))),
                arguments(Reason.JOB_RUNNING, running),
                arguments(
                        Reason.SCALING_IN_PLACE, running.wanted(Map.of("ab", 3), vertex(1, 1, 1))),
                arguments(
                        Reason.SCALING_UNAVAILABLE,
                        running.wanted(Map.of("ab", 3), new ScalingView.Unavailable("HTTP 500"))),
                arguments(Reason.JOB_FINISHED, running.seen(JobState.FINISHED, 0, 2)),
                arguments(Reason.JOB_FAILED, running.seen(JobState.FAILED, 0, 2)),
                arguments(Reason.JOB_CANCELED, running.seen(JobState.CANCELED, 0, 2)),
                arguments(Reason.JOB_MANAGER_RECOVERED, running.with(ClusterView.NONE)),
                arguments(Reason.JOB_MANAGER_MISSING, stable(STATEFUL).with(ClusterView.NONE)),
                arguments(Reason.MANIFESTS_REFUSED, begun.refused("quota exceeded")),
                arguments(Reason.DELETING, running.deleted()),
                arguments(Reason.DELETED, running.with(ClusterView.NONE).deleted()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("scenes")
    void saysWhy(Reason reason, Scene scene) {
        assertThat(scene.decide().reason()).isEqualTo(reason);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("scenes")
    void explainsEachGenerationInItsConditions(Reason reason, Scene scene) {
        var status = scene.decide().status();

        assertThat(status.observedGeneration()).contains(scene.generation());
        assertThat(status.condition("Ready").orElseThrow().reason()).isEqualTo(reason.wire());
        assertThat(status.condition("Ready").orElseThrow().message()).startsWith(reason.text());
        assertThat(status.condition("Ready").orElseThrow().observedGeneration())
                .contains(scene.generation());
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("scenes")
    void decidesTheSameAgainOnceTheStatusIsStored(Reason reason, Scene scene) {
        Scene settled = scene.decided().decided().decided();

        assertThat(settled.decide().status()).isEqualTo(settled.status());
    }

    @Test
    void everyReasonAndEveryActionHasAScene() {
        Set<Reason> reasons =
                scenes().stream().map(scene -> (Reason) scene.get()[0]).collect(Collectors.toSet());
        Set<Class<?>> actions =
                scenes().stream()
                        .flatMap(scene -> ((Scene) scene.get()[1]).decide().actions().stream())
                        .map(Action::getClass)
                        .collect(Collectors.toSet());

        assertThat(reasons).containsExactlyInAnyOrder(Reason.values());
        assertThat(actions).containsExactlyInAnyOrder(Action.class.getPermittedSubclasses());
    }

    @Test
    void recordsTheAttemptBeforeItIsMade() {
        Decision decision = fresh(STATELESS).decide();

        assertThat(decision.status().reconciliationStatus().state())
                .isEqualTo(ReconciliationState.UPGRADING);
        assertThat(decision.actions())
                .singleElement()
                .isInstanceOfSatisfying(
                        Action.CreateCluster.class,
                        create ->
                                assertThat(decision.status().jobStatus().jobId())
                                        .contains(create.plan().jobId()));
    }

    @Test
    void namesTheSameAttemptWhenAPassIsRepeatedAndAnotherForTheNext() {
        Scene running = stable(STATELESS);
        Scene edited = running.edited(spec("flink:2", STATELESS));

        assertThat(edited.decide().status().jobStatus().jobId())
                .isEqualTo(edited.decide().status().jobStatus().jobId());
        assertThat(edited.decide().status().jobStatus().jobId())
                .isNotEqualTo(running.status().jobStatus().jobId());
    }

    @Test
    void neverCreatesWhileAnythingOfTheFormerClusterIsLeft() {
        Scene upgrading = stable(STATELESS).edited(spec("flink:2", STATELESS)).decided();
        ClusterView onlyPods = new ClusterView(new JobManagerView.Absent(), 1, Optional.empty());

        for (ClusterView left : List.of(upgrading.cluster(), TERMINATING, onlyPods)) {
            assertThat(upgrading.with(left).decide().actions())
                    .noneMatch(action -> action instanceof Action.CreateCluster);
        }
        assertThat(upgrading.with(ClusterView.NONE).decide().actions())
                .hasAtLeastOneElementOfType(Action.CreateCluster.class);
    }

    @Test
    void deletesOnlyTheDeploymentThatWasSeen() {
        assertThat(stable(STATELESS).edited(spec("flink:2", STATELESS)).decide().actions())
                .containsExactly(new Action.DeleteCluster("u1"));
    }

    @Test
    void holdsARestartThatWouldLoseStateAndLeavesTheJobAlone() {
        Scene held = stable(STATEFUL).edited(spec("flink:2", STATEFUL));

        assertThat(held.decide().actions()).isEmpty();
        assertThat(held.decide().status().reconciliationStatus().lastReconciledSpec())
                .isEqualTo(held.status().reconciliationStatus().lastReconciledSpec());
        assertThat(held.decide().detail()).contains("spec.image");
    }

    @Test
    void letsAStatefulJobThatNeverRanBeCorrected() {
        Scene stuck = fresh(STATEFUL).decided().troubled("ErrImagePull").decided();

        assertThat(stuck.edited(spec("flink:2", STATEFUL)).decide().reason())
                .isEqualTo(Reason.UPGRADE_STARTED);
    }

    @Test
    void takesSilenceForNoAnswerAndNeverForAnEnd() {
        Decision decision = stable(STATELESS).with(new JobView.Unreachable("timed out")).decide();

        assertThat(decision.actions()).isEmpty();
        assertThat(decision.status().lifecycleState()).contains(LifecycleState.STABLE);
    }

    @Test
    void neverRestartsAJobThatIsDone() {
        for (JobState state : List.of(JobState.FINISHED, JobState.FAILED, JobState.CANCELED)) {
            Scene done = stable(STATELESS).seen(state, 0, 2).decided();

            assertThat(done.decide().actions()).isEmpty();
            assertThat(done.with(ClusterView.NONE).with(new JobView.NotAsked()).decide().actions())
                    .isEmpty();
        }
    }

    @Test
    void leavesARunningJobAloneWhenOnlyIgnoredFieldsChange() {
        Scene edited = stable(STATELESS).edited(spec("flink:1", STATEFUL));
        Decision decision = edited.decide();

        assertThat(decision.reason()).isEqualTo(Reason.JOB_RUNNING);
        assertThat(decision.actions()).isEmpty();
        assertThat(decision.status().lifecycleState()).contains(LifecycleState.STABLE);
    }

    @Test
    void suspendsAndResumesAStatelessJob() {
        Scene suspended =
                stable(STATELESS)
                        .edited(spec("flink:1", SUSPENDED))
                        .decided()
                        .with(ClusterView.NONE)
                        .decided();
        assertThat(suspended.status().lifecycleState()).contains(LifecycleState.SUSPENDED);

        assertThat(suspended.edited(spec("flink:1", STATELESS)).decide().actions())
                .hasAtLeastOneElementOfType(Action.CreateCluster.class);
    }

    @Test
    void asksForTheTargetAsUpperBoundAndNeverRaisesTheLowerOne() {
        Decision up = stable(STATELESS).wanted(Map.of("ab", 3), vertex(1, 1, 1)).decide();
        Decision down = stable(STATELESS).wanted(Map.of("ab", 1), vertex(3, 2, 3)).decide();

        assertThat(bounds(up)).containsExactly(new ParallelismBounds(1, 3));
        assertThat(bounds(down)).containsExactly(new ParallelismBounds(1, 1));
    }

    @Test
    void asksOnceAndThenWaitsForTheVertices() {
        Decision waiting = stable(STATELESS).wanted(Map.of("ab", 3), vertex(1, 1, 3)).decide();

        assertThat(waiting.reason()).isEqualTo(Reason.SCALING_IN_PLACE);
        assertThat(waiting.actions()).isEmpty();
    }

    @Test
    void keepsTheTransitionTimeWhileAConditionHolds() {
        Scene running = stable(STATELESS);
        var before = running.status().condition("Ready").orElseThrow();

        assertThat(before.status()).isEqualTo(Condition.Status.TRUE);
        assertThat(running.decide().status().condition("Ready")).contains(before);
    }

    private static Stream<ParallelismBounds> bounds(Decision decision) {
        return decision.actions().stream()
                .map(Action.ScaleInPlace.class::cast)
                .flatMap(scale -> scale.bounds().values().stream());
    }

    @Test
    void everyReasonHasAWordOfItsOwn() {
        assertThat(Arrays.stream(Reason.values()).map(Reason::wire).distinct())
                .hasSize(Reason.values().length);
    }
}
