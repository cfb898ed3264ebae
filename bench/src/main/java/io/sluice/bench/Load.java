// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLContext;

/** Callers that send what a script says. */
final class Load {
    /** Callers of an open loop: enough for a rate of 1000 a second at 50 ms each. */
    private static final int OPEN_CALLERS = 50;

    /** From when all are connected until the first call is due. */
    private static final Duration SETTLING = Duration.ofMillis(200);

    private final SSLContext trust;
    private final int port;
    private final Script script;
    private final Supplier<Duration> processor;

    /**
     * @param processor the server's processor time so far
     */
    Load(SSLContext trust, int port, Script script, Supplier<Duration> processor) {
        this.trust = trust;
        this.port = port;
        this.script = script;
        this.processor = processor;
    }

    /** Each caller asks again as soon as it is answered. */
    Sample closed(int callers, Duration length) {
        return run(
                callers,
                (number, caller, begin, end) -> {
                    var times = new Times();
                    Pauses.until(begin);
                    for (long call = 0; System.nanoTime() < end; call++) {
                        byte[] request = script.request(number, call);
                        long start = System.nanoTime();
                        caller.call(request);
                        times.add(System.nanoTime() - start);
                    }
                    return times.toArray();
                },
                length);
    }

    /**
     * Requests are due at even distances, whatever became of those before; a call that waits for
     * its caller is late, and counts from when it was due.
     */
    Sample open(int perSecond, Duration length) {
        long distance = 1_000_000_000L / perSecond;
        return run(
                OPEN_CALLERS,
                (number, caller, begin, end) -> {
                    var times = new Times();
                    LongSupplier due =
                            new LongSupplier() {
                                private long next = begin + number * distance;

                                @Override
                                public long getAsLong() {
                                    long now = next;
                                    next += OPEN_CALLERS * distance;
                                    return now;
                                }
                            };
                    long call = 0;
                    for (long at = due.getAsLong(); at < end; at = due.getAsLong()) {
                        Pauses.until(at);
                        caller.call(script.request(number, call++));
                        times.add(System.nanoTime() - at);
                    }
                    return times.toArray();
                },
                length);
    }

    /** What one caller does from {@code begin} until {@code end}; how long each call took. */
    private interface Behaviour {
        long[] run(int number, Caller caller, long begin, long end) throws IOException;
    }

    private Sample run(int callers, Behaviour behaviour, Duration length) {
        List<Caller> connected = new ArrayList<>();
        try (var threads = Executors.newFixedThreadPool(callers)) {
            for (int i = 0; i < callers; i++) {
                var caller = new Caller(trust, port);
                caller.call(script.request(i, 0));
                connected.add(caller);
            }
            Duration before = processor.get();
            long begin = System.nanoTime() + SETTLING.toNanos();
            long end = begin + length.toNanos();
            List<Callable<long[]>> runs = new ArrayList<>();
            for (int i = 0; i < callers; i++) {
                int number = i;
                runs.add(() -> behaviour.run(number, connected.get(number), begin, end));
            }
            List<long[]> nanos = new ArrayList<>();
            for (Future<long[]> each : threads.invokeAll(runs)) {
                nanos.add(each.get());
            }
            Duration took = Duration.ofNanos(System.nanoTime() - begin);
            Duration used = processor.get().minus(before);
            for (Caller caller : connected) {
                caller.close();
            }
            return new Sample(nanos, took, used);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        } catch (ExecutionException failed) {
            throw new IllegalStateException("a call failed", failed.getCause());
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException("interrupted", stopped);
        }
    }

    /** A growing list of longs. */
    private static final class Times {
        private long[] values = new long[1024];
        private int size;

        void add(long value) {
            if (size == values.length) {
                values = Arrays.copyOf(values, 2 * size);
            }
            values[size++] = value;
        }

        long[] toArray() {
            return Arrays.copyOf(values, size);
        }
    }
}
