// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import io.sluice.flink.rest.AnswerLimit;
import io.sluice.flink.rest.tls.RestTls;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.ProtocolException;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.HttpsURLConnection;

/**
 * Reads by the JDK's blocking client, each over a connection of its own that is closed at once: a
 * JobManager is asked for little and seldom, ten thousand of them all the time, and this takes half
 * the processor time of the newer client, and no memory between two reads.
 */
final class Gets implements AutoCloseable {
    /** The deadline comes before it: silence is told in one way only. */
    private static final Duration LEEWAY = Duration.ofSeconds(1);

    /** In the words of the JDK's client. */
    private static final String HEADERS_TOO_LARGE = "Header size";

    private final Duration connect;
    private final AnswerLimits limits;
    private final RestTls tls;
    private final BodyBudget budget;
    private final ScheduledThreadPoolExecutor deadlines;

    /** Makes something of a status and a body. */
    @FunctionalInterface
    interface Use<T> {
        T of(int status, InputStream body) throws IOException;
    }

    Gets(HttpLimits limits, RestTls tls) {
        this.connect = limits.connect();
        this.tls = tls;
        this.limits = limits.answers();
        budget = new BodyBudget(this.limits.bytesInFlight());
        deadlines =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().daemon().name("deadlines").factory());
        deadlines.setRemoveOnCancelPolicy(true);
    }

    /**
     * @param size the limit of the body of an answer that is no fault
     * @param weight how many bytes of memory become of each of a large one
     * @param time for all of it, the wait for room included
     * @throws AnswerTooLarge if there is more of it than is read
     * @throws IOException if there was no complete answer in time
     */
    <T> T get(URI uri, AnswerLimit size, int weight, Duration time, Use<T> use) throws IOException {
        long deadline = System.nanoTime() + time.toNanos();
        var connection = opened(uri, time);
        var isLate = new AtomicBoolean();
        Future<?> watch =
                deadlines.schedule(
                        () -> {
                            isLate.set(true);
                            Thread.startVirtualThread(connection::disconnect);
                        },
                        time.toMillis(),
                        TimeUnit.MILLISECONDS);
        try {
            return used(connection, uri.getAuthority(), size, weight, deadline, use);
        } catch (AnswerTooLarge known) {
            throw known;
        } catch (StackOverflowError endless) {
            // The JDK's client calls itself for each informational response.
            throw new IOException("only informational responses came", endless);
        } catch (ProtocolException fault) {
            throw String.valueOf(fault.getMessage()).contains(HEADERS_TOO_LARGE)
                    ? new AnswerTooLarge(AnswerLimit.HEADERS, "the answer's headers are too large")
                    : fault;
        } catch (IOException fault) {
            throw isLate.get() || System.nanoTime() - deadline > 0 ? late(time, fault) : fault;
        } catch (RuntimeException fault) {
            // The JDK's client finds its connection gone where it has just read the headers.
            if (isLate.get()) {
                throw late(time, fault);
            }
            throw fault;
        } finally {
            watch.cancel(false);
            connection.disconnect();
        }
    }

    private static IOException late(Duration time, Exception fault) {
        return new IOException("no complete answer within " + time, fault);
    }

    private HttpURLConnection opened(URI uri, Duration time) throws IOException {
        var connection = (HttpURLConnection) uri.toURL().openConnection();
        if (connection instanceof HttpsURLConnection encrypted) {
            RestTls.Terms terms = tls.terms();
            encrypted.setSSLSocketFactory(terms.context().getSocketFactory());
            if (!terms.verifiesHosts()) {
                encrypted.setHostnameVerifier((_, _) -> true);
            }
        }
        connection.setConnectTimeout(Math.toIntExact(connect.toMillis()));
        connection.setReadTimeout(Math.toIntExact(time.plus(LEEWAY).toMillis()));
        connection.setInstanceFollowRedirects(false);
        connection.setUseCaches(false);
        connection.setRequestProperty("Accept", "application/json");
        connection.setRequestProperty("Connection", "close");
        return connection;
    }

    private <T> T used(
            HttpURLConnection connection,
            String cluster,
            AnswerLimit size,
            int weight,
            long deadline,
            Use<T> use)
            throws IOException {
        int status = connection.getResponseCode();
        if (status < 0) {
            throw new IOException("the answer is no HTTP");
        }
        boolean isFault = status >= HttpURLConnection.HTTP_BAD_REQUEST;
        Optional<InputStream> stream =
                isFault
                        ? Optional.ofNullable(connection.getErrorStream())
                        : Optional.of(connection.getInputStream());
        AnswerLimit bound = isFault ? AnswerLimit.SIZE : size;
        var terms =
                new BoundedBody.Terms(
                        cluster,
                        stream.isEmpty() ? 0 : connection.getContentLengthLong(),
                        bound,
                        limits.of(bound),
                        weight,
                        deadline,
                        budget);
        try (var body = new BoundedBody(stream.orElseGet(InputStream::nullInputStream), terms)) {
            return use.of(status, body);
        }
    }

    @Override
    public void close() {
        deadlines.shutdownNow();
    }
}
