// SPDX-License-Identifier: Apache-2.0
package io.sluice.process;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** Does something now and again, in a thread of its own, until it is closed. */
public final class Loop implements AutoCloseable {
    private final String name;
    private final Runnable pass;
    private final Supplier<Duration> pause;
    private final CountDownLatch stop = new CountDownLatch(1);

    /**
     * @param pass must not throw
     * @param pause how long to wait after a pass; what is waited lies between 3/4 and 5/4 of it, so
     *     that replicas started together drift apart
     */
    public Loop(String name, Runnable pass, Supplier<Duration> pause) {
        this.name = name;
        this.pass = pass;
        this.pause = pause;
    }

    public void start() {
        Thread.ofVirtual().name(name).start(this::run);
    }

    @Override
    public void close() {
        stop.countDown();
    }

    private void run() {
        try {
            do {
                pass.run();
            } while (!stop.await(pauseMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    private long pauseMillis() {
        long usual = pause.get().toMillis();
        return usual * 3 / 4 + RandomGenerator.getDefault().nextLong(usual / 2 + 1);
    }
}
