// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.cli.trial.program.Programs.Call;
import io.sluice.cli.trial.program.Programs.Outcome;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class ProcessProgramsTest {
    private final Programs programs = ProcessPrograms.endingWithThisProcess();

    @Test
    void givesAProgramItsInputAndReturnsWhatItPrints() {
        Outcome outcome = programs.run(new Call(List.of("cat"), "text", Duration.ofMinutes(1)));

        assertThat(outcome).isEqualTo(new Outcome.Ended(0, "text", ""));
    }

    @Test
    void givesAProgramItsArgumentsAsTheyAre() {
        var call = new Call(List.of("echo", "$(id); a  b"), "", Duration.ofMinutes(1));

        assertThat(programs.run(call).out()).isEqualTo("$(id); a  b\n");
    }

    @Test
    void endsAProgramWhoseTimeIsOver() {
        Duration limit = Duration.ofMillis(200);

        Outcome outcome = programs.run(new Call(List.of("sleep", "600"), "", limit));

        assertThat(outcome).isEqualTo(new Outcome.TimedOut(limit));
    }

    @Test
    void saysThatAProgramIsNotThere() {
        var call = new Call(List.of("no-such-program-of-sluice"), "", Duration.ofMinutes(1));

        assertThat(programs.run(call).complaint())
                .contains("'no-such-program-of-sluice' cannot be started");
    }
}
