// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cache;

import io.sluice.flink.rest.http.Waiting;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;

/**
 * How many passes may be at work at a time: what a pass holds in memory is many times what it is
 * about. A pass that waits for a JobManager gives its turn away meanwhile, so that a thousand
 * silent ones hold up nobody. A turn goes to the newest and to the oldest that waits for one, in
 * turns: what a user just did is seen to at once, and no poll waits for ever.
 */
public final class Turns implements Waiting {
    private static final ScopedValue<Turns> HELD = ScopedValue.newInstance();

    private final Deque<CountDownLatch> waiting = new ArrayDeque<>();
    private int free;
    private boolean newestNext = true;

    public Turns(int many) {
        free = many;
    }

    /** Runs each task in a virtual thread of its own, once it is its turn. */
    public ExecutorService executor() {
        return Executors.newThreadPerTaskExecutor(
                task -> Thread.ofVirtual().unstarted(() -> run(task)));
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
            take();
        }
    }

    /** How many wait for a turn now. */
    synchronized int waiting() {
        return waiting.size();
    }

    private void run(Runnable task) {
        take();
        try {
            ScopedValue.where(HELD, this).run(task);
        } finally {
            give();
        }
    }

    /** Uninterruptible, as it is given back in any case. */
    private void take() {
        CountDownLatch turn = new CountDownLatch(1);
        synchronized (this) {
            if (free > 0) {
                free--;
                return;
            }
            waiting.addLast(turn);
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

    private synchronized void give() {
        CountDownLatch next = newestNext ? waiting.pollLast() : waiting.pollFirst();
        newestNext = !newestNext;
        if (next == null) {
            free++;
        } else {
            next.countDown();
        }
    }
}
