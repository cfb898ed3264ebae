// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.pace;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

class HeapReleaseTest {
    private static final long MIB = 1024 * 1024;

    private long committed = 24 * MIB;
    private int collections;
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final HeapRelease heapRelease =
            new HeapRelease(() -> committed, this::collect, () -> now);

    @Test
    void whatABurstHasTakenIsGivenBackWhenItIsOver() {
        committed = 200 * MIB;
        heapRelease.look();
        assertThat(collections).as("it may still grow").isZero();

        heapRelease.look();

        assertThat(collections).isEqualTo(1);
    }

    @Test
    void aHeapThatGrowsIsLeftAlone() {
        for (int i = 0; i < 5; i++) {
            committed += 40 * MIB;
            heapRelease.look();
        }

        assertThat(collections).isZero();
    }

    @Test
    void littleIsNotWorthACollection() {
        committed += 30 * MIB;
        heapRelease.look();
        heapRelease.look();

        assertThat(collections).isZero();
    }

    @Test
    void thereIsAPauseBetweenTwo() {
        burst();
        burst();
        assertThat(collections).isEqualTo(1);

        now = now.plus(Duration.ofMinutes(10));
        heapRelease.look();

        assertThat(collections).isEqualTo(2);
    }

    private void burst() {
        committed = 200 * MIB;
        heapRelease.look();
        heapRelease.look();
    }

    private void collect() {
        collections++;
        committed = 60 * MIB;
    }
}
