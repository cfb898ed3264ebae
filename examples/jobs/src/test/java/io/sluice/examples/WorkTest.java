// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class WorkTest {

    @Test
    void recordsWithoutGapDoNotDeviate() {
        assertThat(seen(0, 1, 2, 3).deviation()).isZero();
    }

    @Test
    void aLostRecordIsTold() {
        assertThat(seen(0, 1, 3).deviation()).isEqualTo(1);
    }

    @Test
    void aRecordCountedTwiceIsTold() {
        assertThat(seen(0, 1, 1, 2).deviation()).isEqualTo(-1);
    }

    private static Work.Seen seen(long... numbers) {
        var seen = new Work.Seen(0, 0);
        for (Event event : LongStream.of(numbers).mapToObj(n -> new Event(n, "")).toList()) {
            seen = seen.and(event);
        }
        return seen;
    }
}
