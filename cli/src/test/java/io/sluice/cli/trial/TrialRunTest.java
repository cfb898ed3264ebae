// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.cli.trial.program.Kubectl;
import io.sluice.cli.trial.program.Polling;
import io.sluice.cli.trial.program.Tell;
import io.sluice.cli.trial.program.TrialFailure;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class TrialRunTest {
    private static final TryStep.Begin BEGIN =
            new TryStep.Begin(ClusterChoice.CURRENT, "sluice-system");

    private Instant now = Trials.BEGAN;
    private final StringWriter out = new StringWriter();
    private final ScriptedPrograms programs = new ScriptedPrograms();
    private final Kubectl kubectl = new Kubectl(programs, "mine");

    @Test
    void changesNothingIfTheUserDoesNotAgree() {
        boolean done =
                run(false).perform(kubectl, List.of(new TryStep.Confirm("mine"), BEGIN), List.of());

        assertThat(done).isFalse();
        assertThat(programs.asked()).isEmpty();
    }

    @Test
    void servesTheNamespaceOfTheTrialAloneWhateverTheValuesSay() {
        var install = new TryStep.Install(Trials.CHART, "sluice-system");

        assertThat(TrialRun.installation("mine", install, List.of(Path.of("my.yaml"))))
                .containsSubsequence("-f", "my.yaml", "--set", "watchNamespaces={sluice-try}")
                .containsSubsequence("--kube-context", "mine", "-n", "sluice-system");
    }

    @Test
    void givesTheCurrentContextBackOnceTheClusterIsMade() {
        run(true).make(new TryPlan.MakeCluster(Maker.KIND, BEGIN), Optional.of("mine"));

        assertThat(programs.asked())
                .satisfiesExactly(
                        asked -> assertThat(asked).startsWith("kind create cluster"),
                        asked -> assertThat(asked).isEqualTo("kubectl config use-context mine"),
                        asked -> assertThat(asked).startsWith("kubectl --context kind-sluice-try"));
    }

    @Test
    void tellsWhyHelmHasFailed() {
        programs.failing("helm upgrade", "Error: no such chart")
                .printing(
                        "get events",
                        """
                        {"items": [{"type": "Warning", "reason": "Failed", "message": "no image",
                         "involvedObject": {"kind": "Pod", "name": "sluice-operator-0"}}]}
                        """);
        List<TryStep> steps = List.of(new TryStep.Install(Trials.CHART, "sluice-system"));

        assertThatThrownBy(() -> run(true).perform(kubectl, steps, List.of()))
                .isInstanceOfSatisfying(
                        TrialFailure.class,
                        failed ->
                                assertThat(failed.details())
                                        .contains("Warning Failed Pod sluice-operator-0: no image"))
                .hasMessage("Helm has failed: Error: no such chart");
    }

    @Test
    void saysHowPortsAreForwardedWhereItDoesNotWait() {
        List<TryStep> steps =
                List.of(new TryStep.LookAround(Example.FIRST, "sluice-system", false));

        run(true).perform(kubectl, steps, List.of());

        assertThat(out.toString())
                .contains("port-forward -n sluice-try service/first-rest 8081:8081")
                .contains("port-forward -n sluice-system service/sluice-autoscaler 8080:80");
    }

    private TrialRun run(boolean agrees) {
        var tell = new Tell(new PrintWriter(out, true), () -> now);
        Consumer<Duration> sleep =
                pause -> {
                    Thread.onSpinWait();
                    now = now.plusMillis(1);
                };
        var polling = new Polling(tell, () -> now, sleep);
        return new TrialRun(
                programs, tell, polling, new Ports(programs, tell, polling, sleep), _ -> agrees);
    }
}
