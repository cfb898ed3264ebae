// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.operator.deployment.Target.SubmissionView;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SubmissionPlacesTest {
    @Test
    void eightEndlessOnesOfOneNamespaceHoldUpNoOther() {
        var end = new CountDownLatch(1);
        var begun = new AtomicInteger();
        var isSubmitted = new AtomicBoolean();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var submissions = new Submissions(threads, InstantSource.system());
            for (int i = 0; i < 8; i++) {
                submissions.begin(
                        "greedy",
                        "uid-" + i,
                        "attempt",
                        () -> {
                            begun.incrementAndGet();
                            awaitIt(end);
                            return Optional.of(new SubmissionView.None());
                        });
            }
            await().until(() -> begun.get() == 3);

            submissions.begin(
                    "modest",
                    "uid",
                    "attempt",
                    () -> {
                        isSubmitted.set(true);
                        return Optional.of(new SubmissionView.None());
                    });

            await().untilTrue(isSubmitted);
            assertThat(begun).hasValue(3);
            end.countDown();
            await().until(() -> begun.get() == 8);
        } finally {
            end.countDown();
        }
    }

    private static void awaitIt(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
