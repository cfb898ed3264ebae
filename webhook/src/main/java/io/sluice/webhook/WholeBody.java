// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Receives a request's whole body before anybody works on it, and without holding a thread
 * meanwhile: who sends slowly keeps nobody else waiting. Bodies that are too large, too slow or too
 * many are refused here.
 */
final class WholeBody extends Handler.Wrapper {
    private static final String ATTRIBUTE = WholeBody.class.getName();
    private static final int FIRST_BUFFER = 64 * 1024;

    private final Limits limits;
    private final InFlight inFlight;
    private final Faults faults;
    private final Executor work;

    /**
     * @param work does what there is to do in the order it came; a thread that went on with its
     *     connection's next request would serve few callers and starve the others
     */
    WholeBody(Limits limits, InFlight inFlight, Faults faults, Executor work) {
        this.limits = limits;
        this.inFlight = inFlight;
        this.faults = faults;
        this.work = work;
    }

    /** The body of a request that came through this handler. */
    static byte[] of(jakarta.servlet.http.HttpServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof byte[] body ? body : new byte[0];
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        if (inFlight.isLeaving()) {
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
        }
        Optional<InFlight.Lease> lease = inFlight.begin();
        var release = Callback.from(callback, () -> lease.ifPresent(InFlight.Lease::close));
        new Intake(request, response, release, lease).run();
        return true;
    }

    private void refuse(Fault fault, Request request, Response response, Callback callback) {
        byte[] text = faults.tell(request.getHttpURI().getPath(), fault, Optional.empty());
        response.setStatus(fault.status());
        response.getHeaders().put(HttpHeader.CONTENT_TYPE, "application/json");
        // What is left of the body is not worth reading.
        response.getHeaders().put(HttpHeader.CONNECTION, "close");
        if (fault == Fault.BUSY) {
            response.getHeaders().put(HttpHeader.RETRY_AFTER, "1");
        }
        response.write(true, ByteBuffer.wrap(text), callback);
    }

    /**
     * One body on its way in. What is refused is received all the same, and thrown away: a caller
     * that is still sending would not see the answer.
     */
    private final class Intake implements Runnable {
        private final Request request;
        private final Response response;
        private final Callback callback;
        private final Optional<InFlight.Lease> lease;
        private final AtomicBoolean decided = new AtomicBoolean();
        private Optional<Scheduler.Task> deadline = Optional.empty();
        private volatile Optional<Fault> fault;
        private byte[] body;
        private int size;

        Intake(
                Request request,
                Response response,
                Callback callback,
                Optional<InFlight.Lease> lease) {
            this.request = request;
            this.response = response;
            this.callback = callback;
            this.lease = lease;
            long announced = request.getLength();
            fault =
                    lease.isEmpty()
                            ? Optional.of(Fault.BUSY)
                            : Optional.of(Fault.TOO_LARGE).filter(_ -> announced > limits.body());
            body = new byte[Math.clamp(announced, 0, FIRST_BUFFER)];
        }

        /** Takes what is there; it runs again when there is more. */
        @Override
        public void run() {
            while (!decided.get()) {
                Content.Chunk chunk = request.read();
                if (chunk == null) {
                    awaitMore();
                    return;
                }
                if (Content.Chunk.isFailure(chunk)) {
                    if (decide()) {
                        callback.failed(chunk.getFailure());
                    }
                    return;
                }
                take(chunk.getByteBuffer());
                chunk.release();
                if (chunk.isLast() && decide()) {
                    fault.ifPresentOrElse(
                            found -> refuse(found, request, response, callback),
                            () -> work.execute(this::pass));
                }
            }
        }

        private void awaitMore() {
            if (deadline.isEmpty()) {
                deadline =
                        Optional.of(
                                request.getComponents()
                                        .getScheduler()
                                        .schedule(
                                                this::expire,
                                                limits.receive().toMillis(),
                                                TimeUnit.MILLISECONDS));
            }
            request.demand(this);
        }

        private void take(ByteBuffer chunk) {
            int more = chunk.remaining();
            if (fault.isPresent() || more == 0) {
                return;
            }
            if (size + more > limits.body()) {
                throwAway(Fault.TOO_LARGE);
            } else if (!lease.orElseThrow().grow(more)) {
                throwAway(Fault.BUSY);
            } else {
                if (size + more > body.length) {
                    body = Arrays.copyOf(body, Math.max(size + more, 2 * body.length));
                }
                chunk.get(body, size, more);
                size += more;
            }
        }

        private void throwAway(Fault found) {
            fault = Optional.of(found);
            body = new byte[0];
            lease.ifPresent(InFlight.Lease::close);
        }

        private void expire() {
            if (decide()) {
                refuse(fault.orElse(Fault.SLOW), request, response, callback);
            }
        }

        /** True for whoever comes first; the others leave the request alone. */
        private boolean decide() {
            boolean first = decided.compareAndSet(false, true);
            if (first) {
                deadline.ifPresent(Scheduler.Task::cancel);
            }
            return first;
        }

        private void pass() {
            request.setAttribute(ATTRIBUTE, size == body.length ? body : Arrays.copyOf(body, size));
            try {
                if (!getHandler().handle(request, response, callback)) {
                    Response.writeError(request, response, callback, 404);
                }
            } catch (Exception failure) {
                callback.failed(failure);
            }
        }
    }
}
