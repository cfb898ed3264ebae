// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import static io.sluice.cli.trial.Trials.agreed;
import static io.sluice.cli.trial.Trials.empty;
import static io.sluice.cli.trial.Trials.facts;
import static io.sluice.cli.trial.Trials.tried;
import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.trial.ClusterState.Crd;
import io.sluice.cli.trial.ClusterState.Operator;
import io.sluice.cli.trial.ClusterState.Presence;
import io.sluice.cli.trial.Facts.ChartState;
import io.sluice.cli.trial.TryRequest.Consent;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class TryPlanTest {
    @Test
    void installsAndRunsTheFirstExampleInAnEmptyCluster() {
        TryPlan plan = TryPlan.of(agreed(Example.FIRST), facts(empty().able()));

        assertThat(steps(plan))
                .extracting(step -> step.getClass().getSimpleName())
                .containsExactly("Begin", "Install", "Run", "BreakImage", "LookAround");
    }

    @Test
    void upgradesAnExampleThatKeepsItsState() {
        TryPlan plan = TryPlan.of(agreed(Example.STATEFUL), facts(empty().able()));

        assertThat(steps(plan))
                .contains(
                        new TryStep.Run(
                                Example.STATEFUL,
                                Optional.of("registry.example.org/team/sluice/examples:0.1.0")),
                        new TryStep.Upgrade(Example.STATEFUL));
    }

    @Test
    void asksBeforeItChangesAClusterThatNoTrialHasMade() {
        var request = Trials.request(ClusterChoice.CURRENT, Example.FIRST, Consent.TO_BE_ASKED);

        TryPlan plan = TryPlan.of(request, facts(empty().able()));

        assertThat(steps(plan)).first().isEqualTo(new TryStep.Confirm("mine"));
    }

    @Test
    void changesNoClusterOfOthersWhereNobodyCanBeAsked() {
        var request = Trials.request(ClusterChoice.CURRENT, Example.FIRST, Consent.NOT_TO_BE_HAD);

        TryPlan plan = TryPlan.of(request, facts(empty().able()));

        assertThat(problems(plan))
                .singleElement()
                .satisfies(
                        problem -> {
                            assertThat(problem.what()).contains("context 'mine'");
                            assertThat(problem.remedy()).contains("--yes");
                        });
    }

    @ParameterizedTest
    @EnumSource(
            value = ClusterChoice.class,
            names = {"KIND", "K3D"})
    void needsNoConsentForAClusterThatWasMadeForTheTrial(ClusterChoice choice) {
        var request = Trials.request(choice, Example.FIRST, Consent.NOT_TO_BE_HAD);

        TryPlan plan = TryPlan.of(request, facts(tried(choice).able()));

        assertThat(steps(plan)).first().isInstanceOf(TryStep.Begin.class);
    }

    @Test
    void asksForAClusterThatHasTheNameOfATrialAndNoRecord() {
        var request = Trials.request(ClusterChoice.KIND, Example.FIRST, Consent.TO_BE_ASKED);

        TryPlan plan = TryPlan.of(request, facts(empty().able()));

        assertThat(steps(plan)).first().isInstanceOf(TryStep.Confirm.class);
    }

    @Test
    void makesTheClusterBeforeAnythingElseIsPlanned() {
        var request = Trials.request(ClusterChoice.KIND, Example.FIRST, Consent.NOT_TO_BE_HAD);

        TryPlan plan = TryPlan.of(request, facts(new ClusterState.NotMade(Maker.KIND)));

        assertThat(plan)
                .isEqualTo(
                        new TryPlan.MakeCluster(
                                Maker.KIND,
                                new TryStep.Begin(ClusterChoice.KIND, "sluice-system")));
    }

    @Test
    void namesEverythingThatIsMissingAtOnce() {
        var facts =
                new Facts(
                        new Facts.Tools(Optional.empty(), Optional.empty(), false),
                        new ChartState.Unnamed(),
                        new ClusterState.NotMade(Maker.KIND),
                        List.of(Path.of("gone.yaml")));
        var request = Trials.request(ClusterChoice.KIND, Example.FIRST, Consent.GIVEN);

        TryPlan plan = TryPlan.of(request, facts);

        assertThat(problems(plan))
                .extracting(Problem::what)
                .satisfiesExactly(
                        what -> assertThat(what).startsWith("kubectl is not"),
                        what -> assertThat(what).startsWith("helm is not"),
                        what -> assertThat(what).startsWith("kind is not"),
                        what -> assertThat(what).contains("'gone.yaml' cannot be read"),
                        what -> assertThat(what).startsWith("nothing says where the chart is"));
    }

    @Test
    void refusesAHelmThatKnowsNoChartsInRegistries() {
        var old =
                new Facts.Tools(
                        Trials.TOOLS.kubectl(), Optional.of(new ToolVersion(3, 7, 9)), true);
        var facts = new Facts(old, Trials.KNOWN, empty().able(), List.of());

        TryPlan plan = TryPlan.of(agreed(Example.FIRST), facts);

        assertThat(problems(plan))
                .containsExactly(
                        new Problem(
                                "helm is of version 3.7.9",
                                "install Helm 3.8.0 or later: https://helm.sh/docs/intro/install"));
    }

    @Test
    void refusesAKubernetesThatTheChartDoesNotAccept() {
        var answers = empty().answering(new ToolVersion(1, 29, 9), true, true);

        TryPlan plan = TryPlan.of(agreed(Example.FIRST), facts(answers));

        assertThat(problems(plan))
                .singleElement()
                .extracting(Problem::what)
                .asString()
                .contains("Kubernetes 1.29.9", "needs 1.30.0");
    }

    @Test
    void refusesAUserWhoMayNotInstall() {
        var answers = empty().answering(new ToolVersion(1, 34, 4), false, true);

        TryPlan plan = TryPlan.of(agreed(Example.FIRST), facts(answers));

        assertThat(problems(plan))
                .singleElement()
                .extracting(Problem::what)
                .asString()
                .contains("may not create CustomResourceDefinitions");
    }

    @Test
    void refusesTheExampleWithAVolumeWhereNoStorageClassIsTheDefault() {
        var answers = empty().answering(new ToolVersion(1, 34, 4), true, false);

        assertThat(problems(TryPlan.of(agreed(Example.STATEFUL), facts(answers))))
                .singleElement()
                .extracting(Problem::remedy)
                .asString()
                .contains("--example first");
        assertThat(TryPlan.of(agreed(Example.FIRST), facts(answers)))
                .isInstanceOf(TryPlan.Steps.class);
    }

    @Test
    void refusesTheExampleWithStateIfNothingNamesItsImage() {
        var request =
                new TryRequest(
                        ClusterChoice.CURRENT,
                        Optional.of(
                                ChartReference.of(
                                        "helm/sluice", Optional.empty(), Optional.empty(), false)),
                        List.of(),
                        "sluice-system",
                        Example.STATEFUL,
                        Optional.empty(),
                        Consent.GIVEN,
                        true);

        assertThat(problems(TryPlan.of(request, facts(empty().able()))))
                .singleElement()
                .extracting(Problem::remedy)
                .asString()
                .contains("--image");
    }

    @ParameterizedTest
    @ValueSource(strings = {"sluice", "flink-kubernetes-operator"})
    void changesNothingWhereAnOperatorIsInstalled(String product) {
        var answers = empty().with(new Operator(product, "flink")).able();

        TryPlan plan = TryPlan.of(agreed(Example.FIRST), facts(answers));

        assertThat(problems(plan))
                .singleElement()
                .satisfies(
                        problem -> {
                            assertThat(problem.what())
                                    .startsWith(product + " is installed already")
                                    .contains("namespace 'flink'");
                            assertThat(problem.remedy()).startsWith("nothing was changed");
                        });
    }

    @Test
    void changesNothingWhereOthersHaveCreatedCrds() {
        var answers = empty().with(new Crd(Trials.CRD, Trials.BEGAN)).able();

        TryPlan plan = TryPlan.of(agreed(Example.FIRST), facts(answers));

        assertThat(problems(plan))
                .singleElement()
                .extracting(Problem::what)
                .asString()
                .contains(Trials.CRD);
    }

    @Test
    void goesOnWhereATrialIsInstalledAlready() {
        TryPlan plan =
                TryPlan.of(agreed(Example.FIRST), facts(tried(ClusterChoice.CURRENT).able()));

        assertThat(steps(plan)).isNotEmpty();
    }

    @Test
    void refusesAReleaseThatHelmHasNotFinished() {
        var answers = tried(ClusterChoice.CURRENT).withRelease("pending-install").able();

        TryPlan plan = TryPlan.of(agreed(Example.FIRST), facts(answers));

        assertThat(problems(plan))
                .containsExactly(
                        new Problem(
                                "the release of an earlier trial is pending-install",
                                "remove it first: sluice try --down"));
    }

    @Test
    void takesNoNamespaceThatItHasNotCreated() {
        var answers = empty().withNamespaces(Presence.FOREIGN, Presence.FOREIGN).able();

        TryPlan plan = TryPlan.of(agreed(Example.FIRST), facts(answers));

        assertThat(problems(plan))
                .extracting(Problem::what)
                .satisfiesExactly(
                        what -> assertThat(what).contains("'sluice-try'"),
                        what -> assertThat(what).contains("'sluice-system'"));
    }

    @Test
    void refusesAChartOfSomethingElse() {
        var facts =
                new Facts(
                        Trials.TOOLS,
                        new ChartState.Known("nginx", "1.0.0", Optional.empty()),
                        empty().able(),
                        List.of());

        TryPlan plan = TryPlan.of(agreed(Example.FIRST), facts);

        assertThat(problems(plan))
                .extracting(Problem::what)
                .containsExactly("--chart names the chart 'nginx'");
    }

    @Test
    void saysWhyAClusterDoesNotAnswer() {
        var silent = new ClusterState.Silent("mine", "connection refused");

        TryPlan plan = TryPlan.of(agreed(Example.FIRST), facts(silent));

        assertThat(problems(plan))
                .singleElement()
                .extracting(Problem::what)
                .asString()
                .contains("'mine'", "connection refused");
    }

    private static List<TryStep> steps(TryPlan plan) {
        return plan instanceof TryPlan.Steps(List<TryStep> steps) ? steps : List.of();
    }

    private static List<Problem> problems(TryPlan plan) {
        return plan instanceof TryPlan.Refused(List<Problem> problems) ? problems : List.of();
    }
}
