// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiFunction;

/**
 * Reads by the JDK's blocking client, each over a connection of its own that is closed at once: a
 * JobManager is asked for little and seldom, ten thousand of them all the time, and this takes half
 * the processor time of the newer client, and no memory between two reads.
 */
final class Gets implements AutoCloseable {
    private static final int BUFFER = 4096;

    /** The deadline comes before it: silence is told in one way only. */
    private static final Duration LEEWAY = Duration.ofSeconds(1);

    private final HttpLimits limits;
    private final ScheduledThreadPoolExecutor deadlines;

    Gets(HttpLimits limits) {
        this.limits = limits;
        deadlines =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().daemon().name("deadlines").factory());
        deadlines.setRemoveOnCancelPolicy(true);
    }

    /**
     * @param read makes something of the status and the body
     * @throws IOException if there was no complete answer in time
     */
    <T> T get(URI uri, BiFunction<Integer, byte[], T> read) throws IOException {
        var connection = (HttpURLConnection) uri.toURL().openConnection();
        connection.setConnectTimeout(Math.toIntExact(limits.connect().toMillis()));
        connection.setReadTimeout(Math.toIntExact(limits.request().plus(LEEWAY).toMillis()));
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setRequestProperty("Accept", "application/json");
        connection.setRequestProperty("Connection", "close");
        var isLate = new AtomicBoolean();
        Future<?> deadline =
                deadlines.schedule(
                        () -> {
                            isLate.set(true);
                            Thread.startVirtualThread(connection::disconnect);
                        },
                        limits.request().toMillis(),
                        TimeUnit.MILLISECONDS);
        try {
            return read.apply(connection.getResponseCode(), body(connection, isLate));
        } catch (IOException fault) {
            throw isLate.get()
                    ? new IOException("no complete answer within " + limits.request(), fault)
                    : fault;
        } finally {
            deadline.cancel(false);
            connection.disconnect();
        }
    }

    private byte[] body(HttpURLConnection connection, AtomicBoolean isLate) throws IOException {
        int status = connection.getResponseCode();
        if (status < 0) {
            throw new IOException("the answer is no HTTP");
        }
        boolean isFault = status >= HttpURLConnection.HTTP_BAD_REQUEST;
        Optional<InputStream> stream =
                isFault
                        ? Optional.ofNullable(connection.getErrorStream())
                        : Optional.of(connection.getInputStream());
        if (stream.isEmpty()) {
            return new byte[0];
        }
        try (var in = stream.get()) {
            byte[] body = read(in, isLate);
            if (body.length < connection.getContentLengthLong()) {
                throw new IOException("the answer was cut off");
            }
            return body;
        }
    }

    /** What comes drop by drop is late too, and whoever waits for a drop is not disconnected. */
    private byte[] read(InputStream in, AtomicBoolean isLate) throws IOException {
        var body = new ByteArrayOutputStream();
        byte[] part = new byte[BUFFER];
        for (int many = in.read(part); many >= 0; many = in.read(part)) {
            body.write(part, 0, many);
            if (isLate.get()) {
                throw new IOException("only a part of it came in time");
            }
            if (body.size() > limits.maxBodyBytes()) {
                throw new IOException(
                        "the answer has more than " + limits.maxBodyBytes() + " bytes");
            }
        }
        return body.toByteArray();
    }

    @Override
    public void close() {
        deadlines.shutdownNow();
    }
}
