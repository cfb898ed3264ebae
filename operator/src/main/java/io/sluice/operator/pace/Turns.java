// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.pace;

import io.sluice.flink.rest.http.Waiting;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * How many reconciliations may be at work at a time: what a reconciliation holds in memory is many
 * times what it is about, and one that has not begun is no more than a place in line. A
 * reconciliation that waits for a JobManager gives its turn away meanwhile, so that a thousand
 * silent ones hold up nobody; but not any number may have begun. Three of four turns go to passes
 * that have their answer, as long as there are any, so that few are half done; the rest to those
 * that have not begun, as they stand in {@link NamespaceQueue}.
 */
public final class Turns implements Waiting {
    private static final ScopedValue<Turns> HELD = ScopedValue.newInstance();
    private static final int GOING_ON_IN_A_ROW = 3;

    private final Deque<CountDownLatch> goingOn = new ArrayDeque<>();

    /** Each begins with the turn it is given, or tells that it never will. */
    private final NamespaceQueue<BooleanSupplier> waiting = new NamespaceQueue<>();

    private final int mostBegun;
    private int free;
    private int begun;
    private int wentOn;

    /**
     * @param many at work at a time
     * @param mostBegun at work or waiting for a JobManager, at least {@code many}
     */
    public Turns(int many, int mostBegun) {
        free = many;
        this.mostBegun = mostBegun;
    }

    /**
     * Runs each task in a virtual thread of its own, which begins when it is its turn. What has not
     * begun when it is shut down never does.
     *
     * @param namespace whose task it is that the calling thread is about to submit
     */
    public ExecutorService executor(Supplier<String> namespace) {
        return new InTurns(Executors.newVirtualThreadPerTaskExecutor(), namespace);
    }

    /** Outside of a turn there is none to give away. */
    @Override
    public <T> T during(Supplier<T> wait) {
        if (!HELD.isBound() || HELD.get() != this) {
            return wait.get();
        }
        give();
        try {
            return wait.get();
        } finally {
            takeAgain();
        }
    }

    /** How many have not begun. */
    public synchronized int waiting() {
        return waiting.size();
    }

    /** How many have begun, have their answer and no turn. */
    synchronized int goingOn() {
        return goingOn.size();
    }

    private void run(Runnable task) {
        try {
            ScopedValue.where(HELD, this).run(task);
        } finally {
            ended();
            give();
        }
    }

    /** Uninterruptible, as it is given back in any case. */
    private void takeAgain() {
        CountDownLatch turn = new CountDownLatch(1);
        synchronized (this) {
            if (free > 0) {
                free--;
                return;
            }
            goingOn.addLast(turn);
        }
        boolean interrupted = false;
        while (turn.getCount() > 0) {
            try {
                turn.await();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void begin(String namespace, BooleanSupplier task) {
        synchronized (this) {
            if (free == 0 || begun == mostBegun) {
                waiting.add(namespace, task);
                return;
            }
            free--;
            begun++;
        }
        if (!task.getAsBoolean()) {
            ended();
            give();
        }
    }

    private synchronized void ended() {
        begun--;
    }

    private void give() {
        Optional<BooleanSupplier> next = next();
        while (next.isPresent() && !next.get().getAsBoolean()) {
            ended();
            next = next();
        }
    }

    /** Whose turn it is; if it is nobody's, it is free. */
    private synchronized Optional<BooleanSupplier> next() {
        boolean mayBegin = begun < mostBegun && !waiting.isEmpty();
        if (!goingOn.isEmpty() && (wentOn < GOING_ON_IN_A_ROW || !mayBegin)) {
            wentOn++;
            CountDownLatch turn = goingOn.removeFirst();
            return Optional.of(
                    () -> {
                        turn.countDown();
                        return true;
                    });
        }
        wentOn = 0;
        if (!mayBegin) {
            free++;
            return Optional.empty();
        }
        begun++;
        return waiting.next();
    }

    private final class InTurns extends AbstractExecutorService {
        private final ExecutorService threads;
        private final Supplier<String> namespace;

        private InTurns(ExecutorService threads, Supplier<String> namespace) {
            this.threads = threads;
            this.namespace = namespace;
        }

        @Override
        public void execute(Runnable task) {
            if (isShutdown()) {
                throw new RejectedExecutionException("shut down; nothing begins any more");
            }
            begin(namespace.get(), () -> starts(task));
        }

        private boolean starts(Runnable task) {
            try {
                threads.execute(() -> run(task));
                return true;
            } catch (RejectedExecutionException shutDown) {
                return false;
            }
        }

        @Override
        public void shutdown() {
            threads.shutdown();
        }

        @Override
        public List<Runnable> shutdownNow() {
            return threads.shutdownNow();
        }

        @Override
        public boolean isShutdown() {
            return threads.isShutdown();
        }

        @Override
        public boolean isTerminated() {
            return threads.isTerminated();
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) throws InterruptedException {
            return threads.awaitTermination(timeout, unit);
        }
    }
}
