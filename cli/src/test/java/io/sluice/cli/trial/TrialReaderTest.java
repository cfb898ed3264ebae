// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.trial.ClusterState.Answers;
import io.sluice.cli.trial.ClusterState.Crd;
import io.sluice.cli.trial.ClusterState.Operator;
import io.sluice.cli.trial.ClusterState.Presence;
import io.sluice.cli.trial.Facts.ChartState;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TrialReaderTest {
    private static final String OWN = "\"labels\": {\"sluice.io/created-by\": \"sluice-try\"}";

    private final ScriptedPrograms programs =
            new ScriptedPrograms()
                    .printing(
                            "kubectl version --client",
                            "{\"clientVersion\": {\"gitVersion\": \"v1.34.4\"}}")
                    .printing("helm version", "v3.18.6")
                    .printing(
                            "helm show chart",
                            "name: sluice\nversion: 0.1.0\nkubeVersion: \">=1.30.0-0\"\n")
                    .printing("config current-context", "mine\n");

    @Test
    void readsAClusterInWhichNothingIsInstalled() {
        answering().printing("auth can-i", "yes\n");

        assertThat(facts().cluster())
                .isEqualTo(Trials.empty().answering(new ToolVersion(1, 34, 4), true, false));
    }

    @Test
    void readsTheToolsAndTheChart() {
        answering();

        Facts facts = facts();

        assertThat(facts.tools())
                .isEqualTo(
                        new Facts.Tools(
                                Optional.of(new ToolVersion(1, 34, 4)),
                                Optional.of(new ToolVersion(3, 18, 6)),
                                true));
        assertThat(facts.chart()).isEqualTo(Trials.KNOWN);
    }

    @Test
    void readsWhatHelmSaysOfAChartThatItCannotRead() {
        var noChart =
                new ScriptedPrograms()
                        .printing("helm version", "v3.18.6")
                        .failing("helm show chart", "WARNING: x\nError: not found\n");

        Facts facts = new TrialReader(noChart).facts(Trials.agreed(Example.FIRST));

        assertThat(facts.chart())
                .isEqualTo(new ChartState.Unreadable(Trials.CHART.reference(), "Error: not found"));
    }

    @Test
    void readsWhatAnEarlierTrialHasLeft() {
        answering()
                .printing(
                        "get configmap sluice-try",
                        """
                        {"metadata": {"creationTimestamp": "2026-03-01T12:00:00Z", %s},
                         "data": {"cluster": "current", "release-namespace": "flink"}}
                        """
                                .formatted(OWN))
                .printing("get namespace flink", "{\"metadata\": {" + OWN + "}}")
                .printing("get namespace sluice-try", "{\"metadata\": {" + OWN + "}}")
                .printing(
                        "helm --kube-context mine status", "{\"info\": {\"status\": \"deployed\"}}")
                .printing(
                        "get crd",
                        """
                        {"items": [{"metadata": {"name": "flinkdeployments.flink.apache.org",
                         "creationTimestamp": "2026-03-01T12:00:05Z"}}]}
                        """)
                .printing(
                        "get deployments",
                        """
                        {"items": [{"metadata": {"namespace": "flink",
                         "labels": {"app.kubernetes.io/name": "sluice"}}}]}
                        """);

        assertThat(facts().cluster())
                .isInstanceOfSatisfying(
                        Answers.class,
                        found -> {
                            assertThat(found.trial())
                                    .contains(
                                            new Trial(
                                                    ClusterChoice.CURRENT, "flink", Trials.BEGAN));
                            assertThat(found.releaseNamespace()).isEqualTo(Presence.OWN);
                            assertThat(found.release()).contains("deployed");
                            assertThat(found.operators()).isEmpty();
                            assertThat(found.crds())
                                    .containsExactly(
                                            new Crd(
                                                    Trials.CRD,
                                                    Instant.parse("2026-03-01T12:00:05Z")));
                        });
    }

    @Test
    void readsWhatOthersHaveInstalled() {
        answering()
                .printing("get namespace sluice-system", "{\"metadata\": {\"name\": \"x\"}}")
                .printing(
                        "get deployments",
                        """
                        {"items": [
                         {"metadata": {"namespace": "a", "labels": {"app.kubernetes.io/name": "sluice"}}},
                         {"metadata": {"namespace": "a", "labels": {"app.kubernetes.io/name": "sluice"}}}]}
                        """);

        assertThat(facts().cluster())
                .isInstanceOfSatisfying(
                        Answers.class,
                        found -> {
                            assertThat(found.operators())
                                    .containsExactly(new Operator("sluice", "a"));
                            assertThat(found.releaseNamespace()).isEqualTo(Presence.FOREIGN);
                            assertThat(found.release()).isEmpty();
                        });
    }

    @Test
    void readsThatTheClusterDoesNotAnswer() {
        programs.failing("--context mine", "refused");

        assertThat(facts().cluster()).isEqualTo(new ClusterState.Silent("mine", "refused"));
    }

    @Test
    void readsWhoseResourcesAreInTheNamespaceOfTheTrial() {
        answering()
                .printing(
                        "get crd",
                        "{\"metadata\": {\"name\": \"flinkdeployments.flink.apache.org\", \"creationTimestamp\": \"2026-03-01T12:00:05Z\"}}")
                .printing(
                        "get flinkdeployments.flink.apache.org -A",
                        """
                        {"items": [
                         {"kind": "FlinkDeployment", "metadata": {"namespace": "sluice-try", "name": "first", %s}},
                         {"kind": "FlinkDeployment", "metadata": {"namespace": "sluice-try", "name": "half",
                          "ownerReferences": [{"uid": "1"}]}},
                         {"kind": "FlinkDeployment", "metadata": {"namespace": "sluice-try", "name": "mine"}},
                         {"kind": "FlinkStateSnapshot", "metadata": {"namespace": "sluice-try", "name": "of-a-stop",
                          "labels": {"snapshot.trigger-type": "UPGRADE"}}},
                         {"kind": "FlinkStateSnapshot", "metadata": {"namespace": "sluice-try", "name": "by-hand",
                          "labels": {"snapshot.trigger-type": "MANUAL"}}},
                         {"kind": "FlinkDeployment", "metadata": {"namespace": "shop", "name": "orders"}}]}
                        """
                                .formatted(OWN));

        DownFacts facts =
                new TrialReader(programs).downFacts(ClusterChoice.CURRENT, "sluice-system");

        assertThat(facts.guests())
                .containsExactly("FlinkDeployment mine", "FlinkStateSnapshot by-hand");
        assertThat(facts.elsewhere()).containsExactly("FlinkDeployment shop/orders");
    }

    @Test
    void knowsAClusterOfATrialByItsWholeName() {
        programs.printing("k3d cluster list", "sluice-try-2   1/1   0/0   true\n")
                .printing("kind get clusters", "other\nsluice-try\n");
        var reader = new TrialReader(programs);

        assertThat(reader.hasMade(Maker.KIND)).isTrue();
        assertThat(reader.hasMade(Maker.K3D)).isFalse();
    }

    private ScriptedPrograms answering() {
        return programs.printing(
                "version -o json", "{\"serverVersion\": {\"gitVersion\": \"v1.34.4+k3s1\"}}");
    }

    private Facts facts() {
        return new TrialReader(programs).facts(Trials.agreed(Example.FIRST));
    }
}
