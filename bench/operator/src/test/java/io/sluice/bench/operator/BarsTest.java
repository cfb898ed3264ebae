// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BarsTest {
    @Test
    void areMetBelowTheirLimits() {
        var bars = new Bars(List.of(column("100", 120, 0), column("10000", 498, 0)));

        assertThat(bars.areMet()).isTrue();
        assertThat(bars.text()).contains("met").contains("498 (10000)").doesNotContain("MISSED");
    }

    @Test
    void areMissedByOneTrialOfSeveral() {
        var bars = new Bars(List.of(column("100", 120, 0), column("10000", 512, 0)));

        assertThat(bars.areMet()).isFalse();
        assertThat(bars.text()).containsPattern("MISSED +idle: resident, MiB: below 512");
    }

    @Test
    void areMissedByAWaitThatTimedOut() {
        assertThat(new Bars(List.of(column("100", 120, 1))).areMet()).isFalse();
    }

    /** Who never saw an answer waited for ever. */
    @Test
    void areMissedByWhatNeverCame() {
        var column = column("100", 120, 0);
        column.put(Bars.EDIT_BESIDE_SILENCE + Bars.STATUS_P99, Double.POSITIVE_INFINITY);
        assertThat(new Bars(List.of(column)).areMet()).isFalse();

        var nothing = column("100", 120, 0);
        nothing.put(Bars.EDIT + Bars.STATUS_P99, Double.NaN);
        assertThat(new Bars(List.of(nothing)).areMet()).isFalse();
    }

    @Test
    void areNotHeldAgainstATrialThatDidNotMeasureThem() {
        var bars = new Bars(List.of(column("1000s", 120, 0)));

        assertThat(bars.held()).hasSize(2);
    }

    private static Column column(String title, double resident, long timedOut) {
        var column = new Column(title);
        column.put(Bars.IDLE_RESIDENT, resident);
        column.put(Bars.TIMED_OUT, timedOut);
        return column;
    }
}
