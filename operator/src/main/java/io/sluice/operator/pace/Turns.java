// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.pace;

import io.sluice.flink.rest.http.Waiting;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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
 * silent ones hold up nobody. But their resources may have only so many bytes together, and those
 * of one namespace three quarters of that. Three of four turns go to those that have their answer,
 * as long as there are any, so that few are half done; the rest to those that have not begun, as
 * they stand in {@link NamespaceQueue}.
 */
public final class Turns implements Waiting {
    private static final ScopedValue<Turns> HELD = ScopedValue.newInstance();
    private static final int GOING_ON_IN_A_ROW = 3;

    private final Deque<CountDownLatch> goingOn = new ArrayDeque<>();
    private final NamespaceQueue<Task> waiting = new NamespaceQueue<>();
    private final Map<String, Long> bytesByNamespace = new HashMap<>();
    private final long mostBytes;
    private int free;
    private long bytes;
    private int wentOn;

    /**
     * What is to be reconciled.
     *
     * @param bytes how large it is
     */
    public record Subject(String namespace, int bytes) {}

    /**
     * @param start begins with the turn that it is given, or tells that it never will
     */
    private record Task(Subject subject, BooleanSupplier start) {}

    /**
     * @param many at work at a time
     * @param mostBytes of all resources that are at work or wait for a JobManager; a larger
     *     resource is alone
     */
    public Turns(int many, long mostBytes) {
        free = many;
        this.mostBytes = mostBytes;
    }

    /**
     * Runs each task in a virtual thread of its own, which begins when it is its turn. What has not
     * begun when it is shut down never does.
     *
     * @param submitted what the task is about that the calling thread is going to submit
     */
    public ExecutorService executor(Supplier<Subject> submitted) {
        return new InTurns(Executors.newVirtualThreadPerTaskExecutor(), submitted);
    }

    /** Outside of a turn there is none to give away. */
    @Override
    public <T> T during(Supplier<T> wait) {
        if (!HELD.isBound() || HELD.get() != this) {
            return wait.get();
        }
        synchronized (this) {
            free++;
        }
        goOn();
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

    private void run(Subject subject, Runnable task) {
        try {
            ScopedValue.where(HELD, this).run(task);
        } finally {
            leave(subject);
            goOn();
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

    private void begin(Task task) {
        synchronized (this) {
            waiting.add(task.subject().namespace(), task);
        }
        goOn();
    }

    private synchronized void leave(Subject subject) {
        free++;
        bytes -= subject.bytes();
        long held = bytesByNamespace.getOrDefault(subject.namespace(), 0L) - subject.bytes();
        if (held > 0) {
            bytesByNamespace.put(subject.namespace(), held);
        } else {
            bytesByNamespace.remove(subject.namespace());
        }
    }

    /** Gives the turns that are free to those whose turn it is. */
    private void goOn() {
        Optional<Runnable> next = next();
        while (next.isPresent()) {
            next.get().run();
            next = next();
        }
    }

    /** Whose turn it is; empty if there is no turn, or nobody may take it. */
    private synchronized Optional<Runnable> next() {
        if (free == 0) {
            return Optional.empty();
        }
        Optional<Task> first = waiting.peek(this::isWithinItsShare).filter(this::fits);
        if (!goingOn.isEmpty() && (wentOn < GOING_ON_IN_A_ROW || first.isEmpty())) {
            free--;
            wentOn++;
            return Optional.of(goingOn.removeFirst()::countDown);
        }
        wentOn = 0;
        return first.flatMap(_ -> waiting.next(this::isWithinItsShare)).map(this::taken);
    }

    private Runnable taken(Task task) {
        Subject subject = task.subject();
        free--;
        bytes += subject.bytes();
        bytesByNamespace.merge(subject.namespace(), (long) subject.bytes(), Long::sum);
        return () -> {
            if (!task.start().getAsBoolean()) {
                leave(subject);
            }
        };
    }

    private boolean isWithinItsShare(Task task) {
        long held = bytesByNamespace.getOrDefault(task.subject().namespace(), 0L);
        return held == 0 || held + task.subject().bytes() <= mostBytes / 4 * 3;
    }

    /** If it does not, nobody overtakes it: it would wait for ever. */
    private boolean fits(Task task) {
        return bytes == 0 || bytes + task.subject().bytes() <= mostBytes;
    }

    private final class InTurns extends AbstractExecutorService {
        private final ExecutorService threads;
        private final Supplier<Subject> submitted;

        private InTurns(ExecutorService threads, Supplier<Subject> submitted) {
            this.threads = threads;
            this.submitted = submitted;
        }

        @Override
        public void execute(Runnable task) {
            if (isShutdown()) {
                throw new RejectedExecutionException("shut down; nothing begins any more");
            }
            Subject subject = submitted.get();
            begin(new Task(subject, () -> starts(subject, task)));
        }

        private boolean starts(Subject subject, Runnable task) {
            try {
                threads.execute(() -> run(subject, task));
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
