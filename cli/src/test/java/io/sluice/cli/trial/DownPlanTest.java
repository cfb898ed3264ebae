// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import static io.sluice.cli.trial.Trials.downFacts;
import static io.sluice.cli.trial.Trials.empty;
import static io.sluice.cli.trial.Trials.tried;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.trial.ClusterState.Crd;
import io.sluice.cli.trial.ClusterState.Operator;
import io.sluice.cli.trial.ClusterState.Presence;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class DownPlanTest {
    private static final ClusterState TRIED = tried(ClusterChoice.CURRENT).able();

    @Test
    void removesTheResourcesThenTheReleaseThenTheCrdsThenTheNamespaces() {
        DownPlan plan = DownPlan.of(ClusterChoice.CURRENT, downFacts(TRIED));

        assertThat(plan)
                .isEqualTo(
                        new DownPlan.Steps(
                                "mine",
                                List.of(
                                        new DownStep.DeleteResources(List.of(Trials.CRD)),
                                        new DownStep.Uninstall("sluice-system"),
                                        new DownStep.DeleteCrds(List.of(Trials.CRD)),
                                        new DownStep.DeleteNamespace("sluice-system"),
                                        new DownStep.DeleteNamespace("sluice-try"))));
    }

    @Test
    void removesNothingWhereNoTrialIsOnRecord() {
        var cluster = empty().with(new Crd(Trials.CRD, Trials.BEGAN)).able();

        assertThat(DownPlan.of(ClusterChoice.CURRENT, downFacts(cluster)))
                .isInstanceOf(DownPlan.NothingThere.class);
    }

    @Test
    void keepsCrdsOfWhichOthersHaveResources() {
        var facts =
                new DownFacts(
                        Trials.TOOLS, TRIED, List.of(), List.of("FlinkDeployment shop/orders"));

        assertThat(steps(DownPlan.of(ClusterChoice.CURRENT, facts)))
                .contains(
                        new DownStep.KeepCrds(
                                List.of(Trials.CRD),
                                "other namespaces have resources of them: FlinkDeployment"
                                        + " shop/orders"))
                .noneMatch(DownStep.DeleteCrds.class::isInstance);
    }

    @Test
    void keepsCrdsThatAnotherOperatorServes() {
        var cluster =
                tried(ClusterChoice.CURRENT)
                        .with(new Operator("flink-kubernetes-operator", "flink"))
                        .able();

        assertThat(steps(DownPlan.of(ClusterChoice.CURRENT, downFacts(cluster))))
                .noneMatch(DownStep.DeleteCrds.class::isInstance)
                .anyMatch(DownStep.KeepCrds.class::isInstance);
    }

    @Test
    void leavesCrdsAloneThatWereThereBeforeTheTrial() {
        var cluster =
                tried(ClusterChoice.CURRENT)
                        .with(new Crd(Trials.CRD, Trials.BEGAN.minusSeconds(1)))
                        .able();

        assertThat(steps(DownPlan.of(ClusterChoice.CURRENT, downFacts(cluster))))
                .noneMatch(DownStep.DeleteCrds.class::isInstance)
                .noneMatch(DownStep.KeepCrds.class::isInstance);
    }

    @Test
    void leavesAReleaseNamespaceAloneThatIsNoLongerItsOwn() {
        var cluster =
                tried(ClusterChoice.CURRENT).withNamespaces(Presence.OWN, Presence.FOREIGN).able();

        assertThat(steps(DownPlan.of(ClusterChoice.CURRENT, downFacts(cluster))))
                .noneMatch(DownStep.Uninstall.class::isInstance)
                .doesNotContain(new DownStep.DeleteNamespace("sluice-system"));
    }

    @Test
    void removesNothingWhileTheNamespaceHasResourcesOfOthers() {
        var facts = new DownFacts(Trials.TOOLS, TRIED, List.of("FlinkDeployment mine"), List.of());

        assertThat(DownPlan.of(ClusterChoice.CURRENT, facts))
                .isInstanceOfSatisfying(
                        DownPlan.Refused.class,
                        refused ->
                                assertThat(refused.problems())
                                        .singleElement()
                                        .extracting(Problem::what)
                                        .asString()
                                        .endsWith("FlinkDeployment mine"));
    }

    @Test
    void deletesTheClusterThatWasMadeForTheTrial() {
        var cluster = tried(ClusterChoice.KIND).able();

        assertThat(DownPlan.of(ClusterChoice.KIND, downFacts(cluster)))
                .isEqualTo(new DownPlan.DeleteCluster(Maker.KIND));
        assertThat(DownPlan.of(ClusterChoice.CURRENT, downFacts(cluster)))
                .isEqualTo(new DownPlan.DeleteCluster(Maker.KIND));
    }

    @Test
    void deletesNoClusterInWhichNoTrialIsOnRecord() {
        assertThat(DownPlan.of(ClusterChoice.KIND, downFacts(empty().able())))
                .isInstanceOfSatisfying(
                        DownPlan.Refused.class,
                        refused ->
                                assertThat(refused.problems())
                                        .singleElement()
                                        .extracting(Problem::remedy)
                                        .asString()
                                        .endsWith("kind delete cluster --name sluice-try"));
    }

    @Test
    void deletesNoClusterThatAnotherProgramMade() {
        assertThat(DownPlan.of(ClusterChoice.K3D, downFacts(tried(ClusterChoice.KIND).able())))
                .isInstanceOf(DownPlan.Refused.class);
    }

    @Test
    void saysThatThereIsNoClusterToDelete() {
        assertThat(DownPlan.of(ClusterChoice.K3D, downFacts(new ClusterState.NotMade(Maker.K3D))))
                .isEqualTo(new DownPlan.NothingThere("k3d has no cluster 'sluice-try'"));
    }

    @Test
    void doesNotTakeAClusterForGoneThatItCannotAskFor() {
        var tools = new Facts.Tools(Trials.TOOLS.kubectl(), Trials.TOOLS.helm(), false);
        var facts = new DownFacts(tools, new ClusterState.NotMade(Maker.K3D), List.of(), List.of());

        assertThat(DownPlan.of(ClusterChoice.K3D, facts)).isInstanceOf(DownPlan.Refused.class);
    }

    @Test
    void needsHelmToRemoveARelease() {
        var tools = new Facts.Tools(Trials.TOOLS.kubectl(), Optional.empty(), true);
        var facts = new DownFacts(tools, TRIED, List.of(), List.of());

        assertThat(DownPlan.of(ClusterChoice.CURRENT, facts)).isInstanceOf(DownPlan.Refused.class);
    }

    private static List<DownStep> steps(DownPlan plan) {
        return plan instanceof DownPlan.Steps(_, List<DownStep> steps) ? steps : List.of();
    }
}
