// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * How many looks go on at the same time. At the start all jobs are due at once, and so many looks
 * at once would all take longer than they may.
 *
 * @param atOnce looks
 * @param longest after this time a look does not count any more: whoever waits for a JobManager
 *     that does not answer takes nobody's place; empty if each counts until its end
 */
public record LookLimit(int atOnce, Optional<Duration> longest) {
    /** For the jobs of a Kubernetes cluster. */
    public static final LookLimit USUAL = new LookLimit(32, Optional.of(Duration.ofSeconds(1)));

    /** Places that looks wait for. */
    static final class Places {
        private final LookLimit limit;
        private final Semaphore free;
        private final ScheduledExecutorService timer;

        Places(LookLimit limit, ScheduledExecutorService timer) {
            this.limit = limit;
            this.timer = timer;
            free = new Semaphore(limit.atOnce(), true);
        }

        /** Waits for a place; whoever came first gets one first. */
        Place take() throws InterruptedException {
            free.acquire();
            Place place = new Place(free);
            limit.longest()
                    .ifPresent(
                            longest -> {
                                var _ =
                                        timer.schedule(
                                                place::close,
                                                longest.toMillis(),
                                                TimeUnit.MILLISECONDS);
                            });
            return place;
        }
    }

    /** Given back once, whoever does. */
    static final class Place implements AutoCloseable {
        private final Semaphore free;
        private final AtomicBoolean given = new AtomicBoolean();

        private Place(Semaphore free) {
            this.free = free;
        }

        @Override
        public void close() {
            if (!given.getAndSet(true)) {
                free.release();
            }
        }
    }
}
