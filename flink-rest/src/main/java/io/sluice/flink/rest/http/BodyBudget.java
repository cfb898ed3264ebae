// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import io.sluice.flink.rest.AnswerLimit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * How many bytes of large answers the process reads at the same time. Who finds no room waits, as
 * long as its request may take, in the order in which they came. No cluster takes more than half,
 * and one that has its half holds up nobody who came later.
 */
final class BodyBudget {
    private final long bytes;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition granted = lock.newCondition();
    private final Map<String, Long> takenBy = new HashMap<>();
    private final List<Share> waiting = new ArrayList<>();
    private long taken;

    BodyBudget(long bytes) {
        this.bytes = bytes;
    }

    /** Bytes that were granted until they are given back. */
    final class Share implements AutoCloseable {
        private final String cluster;
        private final long size;
        private boolean isGranted;

        private Share(String cluster, long size) {
            this.cluster = cluster;
            this.size = size;
        }

        @Override
        public void close() {
            giveBack(this);
        }
    }

    /**
     * @param deadline by {@link System#nanoTime}
     * @throws AnswerTooLarge if there is no room until then
     */
    Share take(String cluster, long size, long deadline)
            throws AnswerTooLarge, InterruptedException {
        var share = new Share(cluster, Math.min(size, bytes / 2));
        lock.lockInterruptibly();
        try {
            waiting.add(share);
            grant();
            while (!share.isGranted) {
                long left = deadline - System.nanoTime();
                if (left <= 0 || granted.awaitNanos(left) <= 0) {
                    break;
                }
            }
            if (!share.isGranted) {
                throw new AnswerTooLarge(
                        AnswerLimit.IN_FLIGHT, "other large answers left no room for it in time");
            }
            return share;
        } catch (InterruptedException interrupted) {
            if (share.isGranted) {
                giveBack(share);
            }
            throw interrupted;
        } finally {
            if (waiting.remove(share)) {
                grant();
            }
            lock.unlock();
        }
    }

    long taken() {
        lock.lock();
        try {
            return taken;
        } finally {
            lock.unlock();
        }
    }

    private void grant() {
        for (Iterator<Share> each = waiting.iterator(); each.hasNext(); ) {
            Share share = each.next();
            if (takenBy.getOrDefault(share.cluster, 0L) + share.size <= bytes / 2) {
                if (taken + share.size > bytes) {
                    return;
                }
                each.remove();
                taken += share.size;
                takenBy.merge(share.cluster, share.size, Long::sum);
                share.isGranted = true;
                granted.signalAll();
            }
        }
    }

    private void giveBack(Share share) {
        lock.lock();
        try {
            taken -= share.size;
            takenBy.computeIfPresent(
                    share.cluster,
                    (_, all) -> all > share.size ? Long.valueOf(all - share.size) : null);
            grant();
        } finally {
            lock.unlock();
        }
    }
}
