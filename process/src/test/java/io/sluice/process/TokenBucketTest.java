// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class TokenBucketTest {
    private static final long START = 7;

    private final TokenBucket bucket = new TokenBucket(2, 5, START);

    @Test
    void givesAsManyInARowAsItHolds() {
        bucket.take();
        bucket.take();

        assertThat(bucket.hasToken(START)).isFalse();
    }

    @Test
    void isRefilledAsTimeGoesBy() {
        bucket.take();
        bucket.take();

        assertThat(bucket.hasToken(START + Duration.ofMillis(199).toNanos())).isFalse();
        assertThat(bucket.hasToken(START + Duration.ofMillis(210).toNanos())).isTrue();
    }

    @Test
    void neverHoldsMoreThanItsCapacity() {
        long later = START + Duration.ofHours(1).toNanos();
        assertThat(bucket.isFull(later)).isTrue();
        bucket.take();
        assertThat(bucket.isFull(later)).isFalse();
        bucket.take();

        assertThat(bucket.hasToken(later)).isFalse();
    }
}
