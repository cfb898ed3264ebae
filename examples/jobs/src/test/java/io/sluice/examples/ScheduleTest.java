// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;

class ScheduleTest {

    @Test
    void stepsHoldTheirRateUntilTheNextOne() {
        Schedule steps = LoadArguments.of("--schedule", "0s:200,60s:1600,120s:100").schedule();

        assertThat(steps.rate(ofSeconds(0))).isEqualTo(200);
        assertThat(steps.rate(ofSeconds(59))).isEqualTo(200);
        assertThat(steps.rate(ofSeconds(60))).isEqualTo(1600);
        assertThat(steps.rate(ofSeconds(5000))).isEqualTo(100);
    }

    @Test
    void whatIsDueIsTheSumOfTheSteps() {
        Schedule steps = LoadArguments.of("--schedule", "0s:200,60s:1600,120s:100").schedule();

        assertThat(steps.due(ofSeconds(30))).isEqualTo(6_000);
        assertThat(steps.due(ofSeconds(61))).isEqualTo(13_600);
        assertThat(steps.due(ofSeconds(220))).isEqualTo(12_000 + 96_000 + 10_000);
    }

    @Test
    void nothingIsDueBeforeTheFirstStep() {
        Schedule steps = LoadArguments.of("--schedule", "10s:50").schedule();

        assertThat(steps.due(ofSeconds(10))).isZero();
        assertThat(steps.due(ofSeconds(12))).isEqualTo(100);
    }

    @Test
    void aRepeatedScheduleBeginsAnew() {
        Schedule repeated =
                LoadArguments.of("--schedule", "0s:100,10s:200", "--repeat", "20s").schedule();

        assertThat(repeated.rate(ofSeconds(25))).isEqualTo(100);
        assertThat(repeated.rate(ofSeconds(35))).isEqualTo(200);
        assertThat(repeated.due(ofSeconds(45))).isEqualTo(2 * 3_000 + 500);
    }

    @Test
    void aSquareWaveRisesInTheMiddleOfItsPeriodOrWhenTold() {
        Schedule square =
                LoadArguments.of("--low", "10", "--high", "90", "--period", "2m").schedule();
        Schedule late = LoadArguments.of("--high", "90", "--high-after", "100s").schedule();

        assertThat(square.rate(ofSeconds(59))).isEqualTo(10);
        assertThat(square.rate(ofSeconds(61))).isEqualTo(90);
        assertThat(square.rate(ofSeconds(121))).isEqualTo(10);
        assertThat(late.rate(ofSeconds(99))).isEqualTo(200);
        assertThat(late.rate(ofSeconds(101))).isEqualTo(90);
    }

    @Test
    void aSineBeginsLowAndIsDueItsMeanOverAPeriod() {
        Schedule sine = LoadArguments.of("--shape", "sine", "--period", "100s").schedule();

        assertThat(sine.rate(ofSeconds(0))).isCloseTo(200, within(0.001));
        assertThat(sine.rate(ofSeconds(50))).isCloseTo(1600, within(0.001));
        assertThat(sine.due(ofSeconds(100))).isCloseTo(90_000, within(0.001));
        assertThat(sine.due(ofSeconds(25))).isLessThan(sine.due(ofSeconds(26)));
    }
}
