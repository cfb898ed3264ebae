// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class ProcessorLoadTest {
    private static final double ALL = Double.MAX_VALUE;

    @Test
    void leavesAVertexWhatTheProcessorsLeave() {
        ProcessorLoad load = seen(0.8, 20);

        assertThat(load.share(0.4, ALL)).isCloseTo(0.5, within(1e-9));
        assertThat(load.share(0.9, ALL)).as("busier than the processors").isEqualTo(1);
        assertThat(load.share(0, ALL)).as("idle").isEqualTo(1);
    }

    @Test
    void chargesNoMoreToSubtasksThanTheyWereBusy() {
        ProcessorLoad load = seen(0.9, 20);

        assertThat(load.share(0.3, 0.5)).isCloseTo(0.6, within(1e-9));
        assertThat(load.share(0.01, 0.01)).as("a JVM that is busy with itself").isEqualTo(1);
    }

    @Test
    void knowsNothingBeforeItHasSeenEnough() {
        assertThat(seen(0.8, 7).share(0.4, ALL)).isEqualTo(1);
        assertThat(seen(0.8, 8).share(0.4, ALL)).isCloseTo(0.5, within(1e-9));
    }

    @Test
    void leavesOutWhatAJvmDoesNotKnow() {
        assertThat(seen(0, 20)).isEqualTo(ProcessorLoad.UNKNOWN);
        assertThat(seen(-1, 20)).isEqualTo(ProcessorLoad.UNKNOWN);
        assertThat(seen(Double.NaN, 20)).isEqualTo(ProcessorLoad.UNKNOWN);
    }

    @Test
    void forgetsWhatWasLongAgo() {
        ProcessorLoad busy = seen(1, 20);

        ProcessorLoad later =
                Stream.iterate(busy, load -> load.seen(0.2)).skip(60).findFirst().orElseThrow();

        assertThat(later.mean()).isCloseTo(0.2, within(0.05));
    }

    private static ProcessorLoad seen(double load, int looks) {
        return Stream.iterate(ProcessorLoad.UNKNOWN, each -> each.seen(load))
                .skip(looks)
                .findFirst()
                .orElseThrow();
    }
}
