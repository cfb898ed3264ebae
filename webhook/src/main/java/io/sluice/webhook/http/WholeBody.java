// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.http;

import io.sluice.process.port.Connections;
import io.sluice.webhook.admission.BodyParts;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.Optional;
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
public final class WholeBody extends Handler.Wrapper {
    private static final String ATTRIBUTE = WholeBody.class.getName();
    private static final String PARTS = ATTRIBUTE + ".parts";

    private final Limits limits;
    private final InFlight inFlight;
    private final Faults faults;
    private final Workers workers;
    private final Segments segments = new Segments();

    /**
     * Who does what there is to do. A thread that went on with its connection's next request would
     * serve few callers and starve the others.
     *
     * @param large works on bodies that count for more than an ordinary one may have
     */
    record Workers(FairWork ordinary, FairWork large) {}

    WholeBody(Limits limits, InFlight inFlight, Faults faults, Workers workers) {
        this.limits = limits;
        this.inFlight = inFlight;
        this.faults = faults;
        this.workers = workers;
    }

    /** The body of a request that came through this handler. */
    public static byte[] of(jakarta.servlet.http.HttpServletRequest request) {
        return request.getAttribute(ATTRIBUTE) instanceof byte[] body ? body : new byte[0];
    }

    /** How many values and names that body has. */
    static int parts(jakarta.servlet.http.HttpServletRequest request) {
        return request.getAttribute(PARTS) instanceof Integer parts ? parts : 0;
    }

    /**
     * Whether the caller has given up, if it says when it does. The caller's time began a little
     * before its request was here.
     */
    private static boolean isExpired(Request request) {
        return Optional.ofNullable(request.getHttpURI().getQuery())
                .flatMap(CallerTimeout::of)
                .filter(
                        timeout ->
                                System.nanoTime() - request.getBeginNanoTime() > timeout.toNanos())
                .isPresent();
    }

    @Override
    public boolean handle(Request request, Response response, Callback callback) {
        if (inFlight.isLeaving()) {
            response.getHeaders().put(HttpHeader.CONNECTION, "close");
        }
        Optional<Connections.Place> place = HeldEndPoint.placeOf(request);
        place.ifPresent(Connections.Place::receiving);
        segments.trim();
        new BodyReceiver(request, response, callback, place).run();
        return true;
    }

    private static InetAddress peer(Request request) {
        return request.getConnectionMetaData().getRemoteSocketAddress()
                        instanceof InetSocketAddress remote
                ? remote.getAddress()
                : InetAddress.getLoopbackAddress();
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
    private final class BodyReceiver implements Runnable {
        private final Request request;
        private final Response response;
        private final Callback callback;
        private final Optional<Connections.Place> place;
        private final InetAddress peer;
        private final AtomicBoolean decided = new AtomicBoolean();
        private Optional<Scheduler.Task> deadline = Optional.empty();

        /** Its room may be taken away before this is set. */
        private volatile Optional<InFlight.Lease> lease = Optional.empty();

        private Optional<Fault> fault;
        private final ReceivedBody body = new ReceivedBody(segments);
        private byte[] whole = new byte[0];
        private int parts;

        BodyReceiver(
                Request request,
                Response response,
                Callback callback,
                Optional<Connections.Place> place) {
            this.request = request;
            this.response = response;
            this.place = place;
            peer = peer(request);
            fault = Optional.of(Fault.TOO_LARGE).filter(_ -> request.getLength() > limits.body());
            lease = inFlight.begin(peer, this::loseRoom);
            this.callback = Callback.from(this::end, callback);
            if (lease.isEmpty()) {
                throwAway(Fault.BUSY);
            }
        }

        /** Before the connection's next request begins. */
        private void end() {
            forget();
            lease.ifPresent(InFlight.Lease::close);
            place.ifPresent(Connections.Place::idle);
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
                    fault().ifPresentOrElse(this::answer, this::queue);
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
            if (fault().isPresent() || more == 0) {
                return;
            }
            if (size() + more > limits.body()) {
                throwAway(Fault.TOO_LARGE);
            } else if (!hasRoom(more)) {
                throwAway(Fault.BUSY);
            } else {
                keep(chunk);
            }
        }

        private synchronized int size() {
            return body.size();
        }

        /** The room is asked for without the lock, as somebody else may be made to give it up. */
        private boolean hasRoom(int more) {
            int growth = growth(more);
            return growth == 0 || lease.orElseThrow().grow(growth);
        }

        private synchronized int growth(int more) {
            return body.capacityWith(more, request.getLength()) - body.capacity();
        }

        private synchronized void keep(ByteBuffer chunk) {
            if (fault.isEmpty()) {
                body.add(chunk, request.getLength());
            }
        }

        private synchronized Optional<Fault> fault() {
            return fault;
        }

        private void loseRoom() {
            throwAway(Fault.BUSY);
        }

        private void throwAway(Fault found) {
            synchronized (this) {
                fault = Optional.of(fault.orElse(found));
                forget();
            }
            lease.ifPresent(InFlight.Lease::close);
        }

        private void expire() {
            if (decide()) {
                answer(fault().orElse(Fault.SLOW));
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

        private void answer(Fault found) {
            place.ifPresent(Connections.Place::answering);
            refuse(found, request, response, callback);
        }

        private void queue() {
            place.ifPresent(Connections.Place::working);
            FairWork work = weight() > limits.ordinary() ? workers.large() : workers.ordinary();
            work.submit(peer, new FairWork.Task(this::pass, () -> answer(Fault.BUSY)));
        }

        /** What the body counts for, now that all of it is here. */
        private synchronized int weight() {
            whole = body.takeAll();
            parts = BodyParts.count(whole);
            return BodyParts.weight(whole, Math.min(parts, BodyParts.MOST));
        }

        private void pass() {
            if (!lease.orElseThrow().work()) {
                answer(fault().orElse(Fault.BUSY));
                return;
            }
            if (isExpired(request)) {
                answer(Fault.EXPIRED);
                return;
            }
            synchronized (this) {
                request.setAttribute(ATTRIBUTE, whole);
                request.setAttribute(PARTS, parts);
            }
            var answer = new WholeAnswer(request, response, this::sending, callback);
            Callback made = answer.made();
            try {
                if (!getHandler().handle(request, answer, made)) {
                    Response.writeError(request, answer, made, 404);
                }
            } catch (Exception failure) {
                made.failed(failure);
            }
        }

        private synchronized void forget() {
            body.clear();
            whole = new byte[0];
        }

        private void sending(int bytes) {
            lease.ifPresent(held -> held.add(bytes));
            place.ifPresent(Connections.Place::answering);
        }
    }
}
