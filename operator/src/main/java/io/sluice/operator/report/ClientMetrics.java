// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.report;

import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.Interceptor;
import io.prometheus.client.Collector;
import io.prometheus.client.Counter;
import io.prometheus.client.Histogram;
import io.sluice.process.metric.Series;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.function.LongSupplier;

/** Counts and times requests to the API server. What is asked for, or of whom, is no label. */
public final class ClientMetrics implements Interceptor {
    private final Counter requests;
    private final Counter slow;
    private final Histogram seconds;
    private final Duration isSlow;
    private final LongSupplier nanos;
    private final UnderWay<Long> underWay = new UnderWay<>();

    /**
     * @param isSlow what takes longer is counted as slow
     * @param nanos a clock that only goes forward
     */
    public ClientMetrics(Series series, Duration isSlow, LongSupplier nanos) {
        this.isSlow = isSlow;
        this.nanos = nanos;
        requests = series.counter("sluice_operator_api_requests");
        slow = series.counter("sluice_operator_api_slow_requests");
        seconds = series.seconds("sluice_operator_api_request_seconds");
    }

    /**
     * The last to be called before a request is sent, and the first with the id that its end is
     * told with: {@code before} sees another. Watches do not come here.
     */
    @Override
    public AsyncBody.Consumer<List<ByteBuffer>> consumer(
            AsyncBody.Consumer<List<ByteBuffer>> consumer, HttpRequest request) {
        underWay.begin(request, nanos.getAsLong());
        return consumer;
    }

    @Override
    public void after(
            HttpRequest request,
            HttpResponse<?> response,
            AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        requests.labels(request.method(), Integer.toString(response.code())).inc();
        underWay.end(request)
                .map(begin -> nanos.getAsLong() - begin)
                .ifPresent(took -> answered(request.method(), took));
    }

    private void answered(String method, long took) {
        seconds.labels(method).observe(took / Collector.NANOSECONDS_PER_SECOND);
        if (took > isSlow.toNanos()) {
            slow.labels(method).inc();
        }
    }

    /** Told of each attempt that is followed by another, with an id of its own. */
    @Override
    public void afterConnectionFailure(HttpRequest request, Throwable failure) {
        requests.labels(request.method(), "none").inc();
    }
}
