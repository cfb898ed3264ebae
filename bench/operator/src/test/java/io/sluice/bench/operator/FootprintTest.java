// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.sluice.bench.operator.Footprint.Growth;
import io.sluice.bench.operator.Footprint.Measure;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FootprintTest {
    @Test
    void whatGrowsWithEachHourIsFound() {
        Growth growth = heaps(40, 42, 44, 46);

        assertThat(growth.hourly()).isCloseTo(2, within(1e-9));
        assertThat(growth.whole()).isCloseTo(6, within(1e-9));
        assertThat(growth.error()).isCloseTo(0, within(1e-9));
        assertThat(growth.isMoreThan(5)).isTrue();
        assertThat(growth.isMoreThan(6.1)).isFalse();
    }

    @Test
    void whatGoesUpAndDownIsNoGrowthHoweverFar() {
        Growth growth = heaps(40, 60, 40, 60);

        assertThat(growth.whole()).isCloseTo(12, within(1e-9));
        assertThat(growth.error()).isGreaterThan(6);
        assertThat(growth.isMoreThan(3)).isFalse();
    }

    @Test
    void growthIsFoundAmongMuchThatGoesUpAndDown() {
        double[] sawtooth =
                IntStream.range(0, 40)
                        .mapToDouble(hour -> 40 + hour * 0.5 + hour % 2 * 5)
                        .toArray();

        assertThat(heaps(sawtooth).isMoreThan(3)).isTrue();
    }

    private static Growth heaps(double... heaps) {
        List<Footprint> looks =
                IntStream.range(0, heaps.length)
                        .mapToObj(hour -> new Footprint(hour, 0, heaps[hour], 0, 0, 0, 0, 0))
                        .toList();
        return Footprint.growth(looks, Measure.HEAP);
    }
}
