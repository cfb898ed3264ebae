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
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class RemovalTest {
    private static final List<DownStep> STEPS =
            List.of(
                    new DownStep.DeleteResources(List.of(Trials.CRD)),
                    new DownStep.Uninstall("sluice-system"),
                    new DownStep.DeleteCrds(List.of(Trials.CRD)),
                    new DownStep.DeleteNamespace("sluice-try"));

    private Instant now = Trials.BEGAN;
    private final StringWriter out = new StringWriter();
    private final ScriptedPrograms programs = new ScriptedPrograms();
    private final Tell tell = new Tell(new PrintWriter(out, true), () -> now);
    private final Kubectl kubectl = new Kubectl(programs, "mine");

    @Test
    void saysWhatItRemoved() {
        programs.printing("get " + Trials.CRD, "{\"items\": []}");

        removal(1).perform(kubectl, STEPS);

        assertThat(out.toString().lines().map(String::strip).filter(it -> it.startsWith("✓")))
                .containsExactly(
                        "✓ removed: the Flink resources in namespace sluice-try",
                        "✓ removed: the release sluice",
                        "✓ removed: the CRDs " + Trials.CRD,
                        "✓ removed: the namespace sluice-try");
    }

    @Test
    void removesTheOperatorOnlyOnceTheJobsAreGone() {
        programs.printing(
                "get " + Trials.CRD,
                "{\"items\": [{\"metadata\": {\"name\": \"first\"}, \"status\": {\"lifecycleState\": \"DELETING\"}}]}");

        assertThatThrownBy(() -> removal(10_000).perform(kubectl, STEPS))
                .isInstanceOf(TrialFailure.class)
                .hasMessageContaining("first DELETING");
        assertThat(programs.asked()).noneMatch(asked -> asked.startsWith("helm"));
    }

    @Test
    void removesNothingElseWhileItIsNotKnownWhetherTheJobsAreGone() {
        programs.failing("get " + Trials.CRD, "Unable to connect to the server");

        assertThatThrownBy(() -> removal(10_000).perform(kubectl, STEPS))
                .isInstanceOf(TrialFailure.class)
                .hasMessageContaining("they cannot be read");
        assertThat(programs.asked()).noneMatch(asked -> asked.startsWith("helm"));
    }

    /**
     * @param millis that pass with each look
     */
    private Removal removal(long millis) {
        var polling =
                new Polling(
                        tell,
                        () -> now,
                        _ -> {
                            Thread.onSpinWait();
                            now = now.plusMillis(millis);
                        });
        return new Removal(programs, tell, polling);
    }
}
