// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.operator.model.Target.SubmissionView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SubmissionsTest {
    private final List<Runnable> waiting = new ArrayList<>();
    private final Submissions submissions = new Submissions(waiting::add, () -> Instant.EPOCH);

    /** Reconciliations come every second or so, and an upload takes minutes. */
    @Test
    void beginsNothingWhileSomethingIsUnderWay() {
        begin("first", "1.jar");
        begin("first", "2.jar");

        assertThat(waiting).hasSize(1);
        assertThat(of("first")).isInstanceOf(SubmissionView.UnderWay.class);
        waiting.removeFirst().run();
        assertThat(of("first")).isEqualTo(new SubmissionView.Uploaded("1.jar"));
    }

    @Test
    void tellsNothingOfAnAttemptThatAnotherHasFollowed() {
        begin("first", "1.jar");
        begin("second", "2.jar");

        waiting.getLast().run();
        waiting.getFirst().run();

        assertThat(of("first")).isEqualTo(new SubmissionView.None());
        assertThat(of("second")).isEqualTo(new SubmissionView.Uploaded("2.jar"));
    }

    private void begin(String attempt, String jar) {
        submissions.begin(
                "shop", "uid", attempt, () -> Optional.of(new SubmissionView.Uploaded(jar)));
    }

    private SubmissionView of(String attempt) {
        return submissions.of("uid", Optional.of(attempt));
    }
}
