// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.sessionjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.operator.model.Target.SubmissionView;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.ArtifactOptions;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SubmissionPlacesTest {
    private final AtomicInteger tickets = new AtomicInteger();

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

    @Test
    void thereAreAsManyPlacesAsTheConfigurationSays() {
        Options options =
                new Options(
                        new FlinkConfiguration(
                                Map.of(
                                        "kubernetes.operator.user.artifacts.max-concurrent", "2",
                                        "kubernetes.operator.user.artifacts.max-concurrent-per-namespace",
                                                "1")));
        var end = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var submissions =
                    new Submissions(
                            threads, InstantSource.system(), Submissions.Places.of(options));
            for (String namespace : new String[] {"one", "one", "two", "three"}) {
                String uid = namespace + tickets.incrementAndGet();
                submissions.begin(
                        namespace,
                        uid,
                        "attempt",
                        () -> {
                            awaitIt(end);
                            return Optional.of(new SubmissionView.None());
                        });
                await().until(() -> isSettled(submissions, uid));
            }

            assertThat(submissions.of("one2", Optional.of("attempt")).toString())
                    .contains(
                            "All 1 places of the namespace",
                            ArtifactOptions.MAX_CONCURRENT_PER_NAMESPACE.key());
            assertThat(submissions.of("three4", Optional.of("attempt")).toString())
                    .contains(
                            "All 2 places of all namespaces", ArtifactOptions.MAX_CONCURRENT.key());
            end.countDown();
        } finally {
            end.countDown();
        }
    }

    /** Whether it has a place, or is on record as waiting for one. */
    private boolean isSettled(Submissions submissions, String uid) {
        boolean waits =
                submissions.of(uid, Optional.of("attempt")) instanceof SubmissionView.Queued;
        return waits == (uid.equals("one2") || uid.equals("three4"));
    }

    private static void awaitIt(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
