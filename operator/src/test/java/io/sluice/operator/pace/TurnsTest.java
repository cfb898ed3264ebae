// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.pace;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TurnsTest {
    private static final int USUAL = 10;

    private final Turns turns = new Turns(1, 100 * USUAL);
    private final AtomicReference<String> whose = new AtomicReference<>("shop");
    private final AtomicInteger size = new AtomicInteger(USUAL);
    private final ExecutorService executor = turns.executor(this::submitted);
    private final CountDownLatch end = new CountDownLatch(1);
    private final List<String> done = new CopyOnWriteArrayList<>();

    @AfterEach
    void stop() {
        end.countDown();
        executor.shutdown();
    }

    @Test
    void oneThatWorksHoldsUpTheOthers() {
        AtomicInteger begun = new AtomicInteger();
        for (int i = 0; i < 3; i++) {
            executor.execute(
                    () -> {
                        begun.incrementAndGet();
                        awaitEnd();
                    });
        }

        await().during(ofMillis(200)).until(() -> begun.get() <= 1);
        end.countDown();

        await().atMost(ofSeconds(10)).until(() -> begun.get() == 3);
    }

    @Test
    void oneThatWaitsForAJobManagerHoldsUpNobody() {
        executor.execute(() -> turns.during(this::awaitEnd));

        executor.execute(() -> done.add("other"));

        await().atMost(ofSeconds(10)).until(() -> done.contains("other"));
    }

    @Test
    void whoeverWaitedGoesOnOnlyWhenItIsItsTurnAgain() {
        AtomicInteger together = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        for (int i = 0; i < 50; i++) {
            executor.execute(
                    () -> {
                        turns.during(() -> done.add("waited"));
                        most.accumulateAndGet(together.incrementAndGet(), Math::max);
                        together.decrementAndGet();
                        done.add("done");
                    });
        }

        await().atMost(ofSeconds(10)).until(() -> done.size() == 100);
        assertThat(most).hasValue(1);
    }

    @Test
    void theNewestAndTheOldestComeInTurns() {
        takeTheOnlyTurn();
        for (String name : List.of("a", "b", "c", "d")) {
            int waiting = turns.waiting();
            executor.execute(() -> done.add(name));
            await().until(() -> turns.waiting() == waiting + 1);
        }

        end.countDown();

        await().atMost(ofSeconds(10)).until(() -> done.size() == 4);
        assertThat(done).containsExactly("d", "a", "c", "b");
    }

    @Test
    void aNamespaceWithAThousandPassesDelaysAnotherByNoMoreThanOneForEachOfIts() {
        takeTheOnlyTurn();
        whose.set("busy");
        for (int i = 0; i < 1000; i++) {
            executor.execute(() -> done.add("busy"));
        }
        whose.set("quiet");
        executor.execute(() -> done.add("quiet"));
        executor.execute(() -> done.add("quiet"));

        end.countDown();

        await().atMost(ofSeconds(10)).until(() -> done.size() == 1002);
        assertThat(done.subList(0, 5)).containsExactly("busy", "quiet", "busy", "quiet", "busy");
    }

    @Test
    void notAnyNumberMayWaitForTheirJobManagers() {
        Turns few = new Turns(2, 4 * USUAL);
        AtomicInteger begun = new AtomicInteger();
        try (ExecutorService others = few.executor(this::submitted)) {
            for (int i = 0; i < 10; i++) {
                others.execute(
                        () -> {
                            begun.incrementAndGet();
                            few.during(this::awaitEnd);
                            done.add("answered");
                        });
            }

            await().atMost(ofSeconds(10)).until(() -> begun.get() == 3);
            await().during(ofMillis(200)).until(() -> begun.get() == 3);
            assertThat(few.waiting()).isEqualTo(7);
            end.countDown();

            await().atMost(ofSeconds(10)).until(() -> done.size() == 10);
        }
    }

    @Test
    void oneNamespaceLeavesAQuarterOfTheBytesToTheOthers() {
        Turns few = new Turns(10, 4 * USUAL);
        try (ExecutorService others = few.executor(this::submitted)) {
            for (int i = 0; i < 4; i++) {
                others.execute(() -> few.during(this::awaitEnd));
            }
            await().atMost(ofSeconds(10)).until(() -> few.waiting() == 1);

            whose.set("quiet");
            others.execute(() -> done.add("quiet"));

            await().atMost(ofSeconds(10)).until(() -> done.contains("quiet"));
            assertThat(few.waiting()).isOne();
            end.countDown();
        }
    }

    @Test
    void aLargeOneWaitsForItsBytesAndNobodyOvertakesIt() {
        Turns few = new Turns(10, 4 * USUAL);
        try (ExecutorService others = few.executor(this::submitted)) {
            for (String namespace : List.of("a", "b", "c")) {
                whose.set(namespace);
                others.execute(() -> few.during(this::awaitEnd));
            }
            whose.set("large");
            size.set(2 * USUAL);
            others.execute(() -> done.add("large"));
            whose.set("late");
            size.set(USUAL);
            others.execute(() -> done.add("late"));
            assertThat(few.waiting()).isEqualTo(2);

            end.countDown();

            await().atMost(ofSeconds(10)).until(() -> done.size() == 2);
            assertThat(few.waiting()).isZero();
        }
    }

    @Test
    void onlyOneBeginsThatIsLargerThanAllMayBe() {
        Turns few = new Turns(10, 4 * USUAL);
        size.set(100 * USUAL);
        try (ExecutorService others = few.executor(this::submitted)) {
            others.execute(() -> few.during(this::awaitEnd));
            others.execute(() -> done.add("second"));
            whose.set("quiet");
            size.set(USUAL);
            others.execute(() -> done.add("quiet"));
            assertThat(few.waiting()).isEqualTo(2);

            end.countDown();

            await().atMost(ofSeconds(10)).until(() -> done.size() == 2);
        }
    }

    @Test
    void threeThatHaveTheirAnswerGoOnBeforeOneBegins() {
        CountDownLatch answer = new CountDownLatch(1);
        CountDownLatch working = new CountDownLatch(1);
        CountDownLatch asked = new CountDownLatch(6);
        for (int i = 0; i < 6; i++) {
            executor.execute(
                    () -> {
                        asked.countDown();
                        turns.during(() -> awaitIt(answer));
                        done.add("answered");
                    });
        }
        await().until(() -> asked.getCount() == 0);
        executor.execute(
                () -> {
                    working.countDown();
                    awaitEnd();
                });
        await().until(() -> working.getCount() == 0);
        for (int i = 0; i < 50; i++) {
            executor.execute(() -> done.add("new"));
        }
        answer.countDown();
        await().until(() -> turns.goingOn() == 6);

        end.countDown();

        await().atMost(ofSeconds(10)).until(() -> done.size() == 56);
        assertThat(done.subList(0, 9))
                .containsExactly(
                        "answered",
                        "answered",
                        "answered",
                        "new",
                        "answered",
                        "answered",
                        "answered",
                        "new",
                        "new");
    }

    @Test
    void whatHasNotBegunWhenItIsShutDownNeverDoes() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        executor.execute(
                () -> {
                    begun.countDown();
                    awaitEnd();
                    done.add("first");
                });
        begun.await();
        for (int i = 0; i < 1000; i++) {
            executor.execute(() -> done.add("later"));
        }

        executor.shutdown();
        end.countDown();

        assertThat(executor.awaitTermination(10, TimeUnit.SECONDS)).isTrue();
        assertThat(done).containsExactly("first");
        await().atMost(ofSeconds(10)).until(() -> turns.waiting() == 0);
        assertThatExceptionOfType(RejectedExecutionException.class)
                .isThrownBy(() -> executor.execute(() -> done.add("too late")));
    }

    @Test
    void outsideOfATurnThereIsNoneToGiveAway() {
        assertThat(turns.during(() -> "answer")).isEqualTo("answer");

        executor.execute(() -> done.add("one"));
        await().atMost(ofSeconds(10)).until(() -> done.size() == 1);
        assertThat(turns.waiting()).isZero();
    }

    private Turns.Subject submitted() {
        return new Turns.Subject(whose.get(), size.get());
    }

    /** Until the end. */
    private void takeTheOnlyTurn() {
        CountDownLatch taken = new CountDownLatch(1);
        executor.execute(
                () -> {
                    taken.countDown();
                    awaitEnd();
                });
        await().until(() -> taken.getCount() == 0);
    }

    private boolean awaitEnd() {
        return awaitIt(end);
    }

    private static boolean awaitIt(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
        return true;
    }
}
