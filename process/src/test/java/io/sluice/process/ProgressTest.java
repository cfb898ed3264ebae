// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ProgressTest {
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private final AtomicLong now = new AtomicLong();
    private final AtomicInteger waiting = new AtomicInteger();
    private final Progress progress = new Progress(LONGEST, waiting::get, now::get);

    @Test
    void nothingIsWrongWhereThereIsNothingToDo() {
        pass(LONGEST.multipliedBy(3));
        assertThat(progress.wrong()).isEmpty();

        progress.begin("FlinkDeployment a/quick").close();
        pass(LONGEST.multipliedBy(3));
        assertThat(progress.wrong()).isEmpty();
    }

    @Test
    void whatIsUnderWayTheLongestIsNamedWhenNothingElseIsFinished() {
        progress.begin("FlinkDeployment a/stuck");
        pass(Duration.ofMinutes(1));
        progress.begin("FlinkDeployment b/behind");
        assertThat(progress.wrong()).isEmpty();

        pass(LONGEST);
        assertThat(progress.wrong())
                .hasValue(
                        "nothing was finished for 360 s; 2 under way, 0 waiting; the longest is"
                                + " FlinkDeployment a/stuck, since 360 s");
        assertThat(progress.oldest()).isEqualTo(Duration.ofMinutes(6));
    }

    @Test
    void oneThatIsStuckDoesNotCountWhileOthersAreFinished() {
        progress.begin("FlinkDeployment a/stuck");
        for (int each = 0; each < 10; each++) {
            pass(Duration.ofMinutes(1));
            progress.begin("FlinkDeployment b/quick").close();
        }

        assertThat(progress.wrong()).isEmpty();
        assertThat(progress.oldest()).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void whatWaitsAndNeverBeginsIsWrong() {
        assertThat(progress.wrong()).isEmpty();
        waiting.set(3);
        pass(LONGEST);

        assertThat(progress.wrong())
                .hasValue("nothing was finished for 300 s; 0 under way, 3 waiting");
        waiting.set(0);
        assertThat(progress.wrong()).isEmpty();
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }
}
