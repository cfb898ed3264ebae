// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIOException;

import java.io.IOException;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class LoadStateTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Schedule TEN_PER_SECOND =
            LoadArguments.of("--schedule", "0s:10").schedule();

    private final LoadSplit split = new LoadSplit(START, 25);
    private final WaitingSplit.Serializer serializer = new WaitingSplit.Serializer();

    @Test
    void whatIsDueAndWasNotEmittedIsPending() {
        assertThat(split.pending(TEN_PER_SECOND, START.plusSeconds(4))).isEqualTo(15);
        assertThat(split.pending(TEN_PER_SECOND, START.plusSeconds(1))).isZero();
        assertThat(split.pending(TEN_PER_SECOND, START.minusSeconds(9))).isZero();
    }

    @Test
    void theStateIsReadAsItWasWritten() throws IOException {
        for (WaitingSplit state :
                new WaitingSplit[] {
                    new WaitingSplit(Optional.of(split)), new WaitingSplit(Optional.empty())
                }) {
            assertThat(serializer.deserialize(1, serializer.serialize(state))).isEqualTo(state);
        }
    }

    @Test
    void stateOfAnUnknownVersionIsRefused() {
        byte[] bytes = serializer.serialize(new WaitingSplit(Optional.of(split)));

        assertThatIOException().isThrownBy(() -> serializer.deserialize(2, bytes));
    }
}
