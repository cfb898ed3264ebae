// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.autoscaler.collect.JobOptions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AlignmentTest {
    private static final String MODE = "job.autoscaler.scaling.parallelism-alignment.mode";
    private static final String OLDER = "job.autoscaler.scaling.key-group.partitions.adjust.mode";

    @ParameterizedTest
    @CsvSource({
        "OFF, 5, 12, 1, 12, 5",
        "BALANCED, 5, 12, 1, 12, 6",
        "BALANCED, 7, 128, 1, 128, 8",
        "BALANCED, 70, 100, 1, 100, 100",
        "BALANCED, 70, 100, 1, 90, 70",
        "BALANCED, 13, 31, 1, 31, 16",
        "EVENLY_SPREAD, 5, 12, 1, 12, 6",
        "EVENLY_SPREAD, 13, 31, 1, 31, 31",
        "EVENLY_SPREAD, 13, 31, 1, 30, 13",
        "EVENLY_SPREAD_OR_FEWER, 5, 12, 1, 12, 6",
        "EVENLY_SPREAD_OR_FEWER, 70, 100, 1, 90, 50",
        "EVENLY_SPREAD_OR_FEWER, 70, 100, 60, 90, 60",
        "MAXIMIZE_UTILISATION, 40, 100, 1, 44, 34",
        "MAXIMIZE_UTILISATION, 5, 12, 1, 12, 6",
        "MAXIMIZE_UTILISATION, 70, 100, 1, 90, 50",
        "MAXIMIZE_UTILISATION, 7, 100, 1, 7, 7",
        "MAXIMIZE_UTILISATION, 1, 100, 1, 100, 1"
    })
    void findsWhatItsModeLooksFor(
            Alignment alignment, int needed, int groups, int least, int most, int found) {
        assertThat(alignment.align(needed, groups, least, most)).isEqualTo(found);
    }

    @Test
    void isReadFromTheNewerOptionAndElseFromTheOlderOne() {
        assertThat(of(Map.of())).isEqualTo(Alignment.FULLEST);
        assertThat(of(Map.of(MODE, "balanced"))).isEqualTo(Alignment.BALANCED);
        assertThat(of(Map.of(MODE, "OFF", OLDER, "EVENLY_SPREAD"))).isEqualTo(Alignment.OFF);
        assertThat(of(Map.of(OLDER, "EVENLY_SPREAD"))).isEqualTo(Alignment.EVENLY_SPREAD_OR_FEWER);
        assertThat(of(Map.of(OLDER, "MAXIMIZE_UTILISATION")))
                .isEqualTo(Alignment.MAXIMIZE_UTILISATION);
    }

    @Test
    void namesAModeThatItDoesNotKnow() {
        var options = new JobOptions(new FlinkConfiguration(Map.of(MODE, "mine")));

        assertThat(Alignment.of(options)).isEqualTo(Alignment.FULLEST);
        assertThat(options.ignored()).singleElement().asString().contains(MODE, "balanced");
    }

    private static Alignment of(Map<String, String> options) {
        return Alignment.of(new JobOptions(new FlinkConfiguration(options)));
    }
}
