// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Optional;
import org.junit.jupiter.api.Test;

class TransitionCheckTest {
    @Test
    void readsItsBoundsFromWhatPeopleAreTold() {
        assertThat(bound("at most 1.5").most()).contains(1.5);
        assertThat(bound("at most 1.5").least()).isEmpty();
        assertThat(bound("at most 60 s").most()).contains(60.0);
        assertThat(bound("at least 3").least()).contains(3.0);
        assertThat(bound("at least -0.5 and at most 10").least()).contains(-0.5);
        assertThat(bound("at least -0.5 and at most 10").most()).contains(10.0);
    }

    @Test
    void hasNoBoundsWhereNoneIsTold() {
        assertThat(bound("").least()).isEmpty();
        assertThat(bound("at most many").most()).isEmpty();
    }

    private static TransitionCheck bound(String text) {
        return new TransitionCheck("max-lag-ratio", Optional.empty(), text, 0, Optional.empty());
    }
}
