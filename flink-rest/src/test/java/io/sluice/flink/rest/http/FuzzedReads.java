// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Reads many fuzzed answers, some at a time on virtual threads, while another virtual thread counts
 * on. A process's {@code main} calls it, so that the heap is bounded and an exit is seen.
 */
public final class FuzzedReads {
    private static final int AT_ONCE = 16;

    /** How often an ordinary JobManager is asked in between. */
    private static final int ORDINARY_EVERY = 100;

    /** A read that has not ended by then hangs. */
    private static final Duration LONGEST = Duration.ofSeconds(60);

    private static final Duration LONGEST_STANDSTILL = Duration.ofSeconds(20);
    private static final long STEP_NANOS = 10_000_000;

    private FuzzedReads() {}

    /** One read; what it throws is a fault. */
    @FunctionalInterface
    public interface Read {
        void of(URI jobManager, long seed) throws Exception;
    }

    /**
     * Does {@code many} reads from {@code first} on, and prints what came of them in a line that
     * begins with {@code fuzzed}.
     *
     * @param ordinary throws unless the JobManager without jobs is understood
     * @return whether there was no fault
     */
    public static boolean run(long first, int many, Read read, Read ordinary) throws Exception {
        var faults = new ConcurrentLinkedQueue<String>();
        var steps = new AtomicLong();
        var standstill = new AtomicLong();
        Thread canary = Thread.ofVirtual().start(() -> countOn(steps, standstill));
        var places = new Semaphore(AT_ONCE);
        try (var jobManager = new FuzzedJobManager();
                var other = new FuzzedJobManager()) {
            ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
            for (long seed = first; seed < first + many; seed++) {
                if (!places.tryAcquire(LONGEST.toSeconds(), TimeUnit.SECONDS)) {
                    faults.add("no read ended in " + LONGEST + ", at seed " + seed);
                    break;
                }
                long current = seed;
                boolean isOrdinary = seed % ORDINARY_EVERY == 0;
                URI at = isOrdinary ? other.ordinary() : jobManager.at(seed);
                threads.execute(
                        () -> {
                            try {
                                (isOrdinary ? ordinary : read).of(at, current);
                            } catch (Exception | StackOverflowError fault) {
                                faults.add("seed " + current + ": " + fault);
                            } finally {
                                places.release();
                            }
                        });
            }
            if (!places.tryAcquire(AT_ONCE, LONGEST.toSeconds(), TimeUnit.SECONDS)) {
                faults.add(
                        AT_ONCE - places.availablePermits() + " reads have not ended at the end");
            }
            threads.shutdownNow();
        }
        canary.interrupt();
        faults.addAll(busyCarriers());
        if (standstill.get() > LONGEST_STANDSTILL.toNanos()) {
            faults.add("virtual threads stood still for " + standstill.get() / 1_000_000 + " ms");
        }
        System.out.printf(
                "fuzzed %d from seed %d: %d faults; the longest standstill took %d ms%n",
                many, first, faults.size(), standstill.get() / 1_000_000);
        faults.stream().limit(10).forEach(System.out::println);
        return faults.isEmpty();
    }

    private static void countOn(AtomicLong steps, AtomicLong standstill) {
        long last = System.nanoTime();
        while (!Thread.currentThread().isInterrupted()) {
            LockSupport.parkNanos(STEP_NANOS);
            long now = System.nanoTime();
            long since = now - last;
            standstill.accumulateAndGet(since, Math::max);
            steps.incrementAndGet();
            last = now;
        }
    }

    /** At the end as many virtual threads run at the same time as there are carriers. */
    private static List<String> busyCarriers() throws InterruptedException {
        int carriers = Runtime.getRuntime().availableProcessors();
        var met = new CountDownLatch(carriers);
        for (int i = 0; i < carriers; i++) {
            Thread.ofVirtual()
                    .start(
                            () -> {
                                met.countDown();
                                while (met.getCount() > 0) {
                                    Thread.onSpinWait();
                                }
                            });
        }
        return met.await(30, TimeUnit.SECONDS) ? List.of() : List.of("a carrier thread is stuck");
    }
}
