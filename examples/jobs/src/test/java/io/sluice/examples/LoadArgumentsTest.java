// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LoadArgumentsTest {

    @Test
    void everythingHasADefault() {
        LoadArguments arguments = LoadArguments.of();

        assertThat(arguments.capacity()).isEqualTo(500);
        assertThat(arguments.limit()).isEmpty();
        assertThat(arguments.ledger()).isEmpty();
        assertThat(arguments.committed()).isEmpty();
        assertThat(arguments.recordSize()).isEqualTo(1024);
        assertThat(arguments.records()).isEqualTo(LoadArguments.ENDLESS);
        assertThat(arguments.schedule().rate(Duration.ofSeconds(61))).isEqualTo(1600);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--hihg 3                | argument --hihg is unknown: use one of --capacity, ",
                "--high                  | argument --high needs a value after it",
                "--high much             | argument --high has the number 'much': give one from 0",
                "--capacity 0            | argument --capacity must be above zero",
                "--limit 0               | argument --limit must be above zero",
                "--records 0             | argument --records must be above zero",
                "--period 2              | argument --period has the time '2': write a number and ms,",
                "--period 0s             | argument --period must be longer than zero",
                "--high-after 120s       | argument --high-after must be shorter than --period",
                "--shape round           | argument --shape is 'round': use square or sine",
                "--schedule 5            | argument --schedule has '5': write TIME:RATE, such as 60s:1600",
                "--schedule 9s:1,5s:2    | argument --schedule is '9s:1,5s:2': its times must rise",
            })
    void whatIsWrongIsNamed(String arguments, String message) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LoadArguments.of(arguments.split(" ")))
                .withMessageStartingWith(message);
    }
}
