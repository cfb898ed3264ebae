// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class FailureTest {
    @Test
    void namesEachCauseOnceInOneLine() {
        IOException first = new IOException("GET http://a: 503\nand much more");
        RuntimeException wrapper =
                new RuntimeException(new IllegalStateException("no metrics", first));

        assertThat(Failure.text(wrapper)).isEqualTo("no metrics: GET http://a: 503");
    }

    @Test
    void tellsWhatAnInterruptionMeans() {
        RuntimeException wrapper =
                new RuntimeException("An error has occurred.", new InterruptedException());

        assertThat(Failure.text(wrapper)).isEqualTo("a look took longer than its time budget");
    }

    @Test
    void namesTheClassOfWhatSaysNothing() {
        assertThat(Failure.text(new RuntimeException(new NullPointerException())))
                .isEqualTo("NullPointerException");
    }
}
