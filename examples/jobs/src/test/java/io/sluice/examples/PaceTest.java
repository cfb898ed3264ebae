// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PaceTest {

    private static final long LATE = 300_000;

    private final AtomicLong nanos = new AtomicLong();

    @Test
    void aThousandRecordsTakeASecondAtAThousandPerSecondThoughEachPauseEndsLate() {
        Pace pace = new Pace(1000, asked -> took(asked + LATE));

        IntStream.range(0, 1000).forEach(i -> pace.one());

        assertThat(nanos.get()).isBetween(980_000_000L, 1_002_000_000L);
    }

    @Test
    void aLongHaltIsNotMadeUpForByABurst() {
        Pace pace = new Pace(1000, asked -> took(nanos.get() == 0 ? 5_000_000_000L : asked));

        IntStream.range(0, 1000).forEach(i -> pace.one());

        assertThat(nanos.get()).isGreaterThan(5_950_000_000L);
    }

    private long took(long time) {
        nanos.addAndGet(time);
        return time;
    }
}
