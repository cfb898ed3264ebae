// SPDX-License-Identifier: Apache-2.0
package io.sluice.examples;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LimitedTest {
    private final Limited limited = new Limited(60, 120);

    @Test
    void aFewSubtasksDoWhatEachCan() {
        assertThat(limited.rateOfOne(1)).isEqualTo(60);
        assertThat(limited.rateOfOne(2)).isEqualTo(60);
    }

    @Test
    void manySubtasksShareTheLimit() {
        assertThat(limited.rateOfOne(8)).isEqualTo(15);
    }
}
