// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.http;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.util.Callback;
import org.jspecify.annotations.Nullable;

/**
 * Takes an answer to the end before any of it is sent, and sends it without holding a thread: a
 * caller that does not read its answer keeps none of the few threads.
 */
final class WholeAnswer extends Response.Wrapper {
    private final ByteArrayOutputStream whole = new ByteArrayOutputStream(1024);
    private final IntConsumer sending;
    private final Callback done;

    /** The answer is sent, and who made it has returned. */
    private final AtomicInteger outstanding = new AtomicInteger(1);

    private boolean sent;

    /**
     * @param sending told of the answer's bytes before they are sent
     * @param done called when the answer is sent and its maker is through
     */
    WholeAnswer(Request request, Response response, IntConsumer sending, Callback done) {
        super(request, response);
        this.sending = sending;
        this.done = done;
    }

    /** For whoever makes the answer. */
    Callback made() {
        return Callback.from(
                () -> {
                    if (!sent && whole.size() > 0) {
                        send();
                    }
                    partDone();
                },
                done::failed);
    }

    @Override
    public void reset() {
        whole.reset();
        super.reset();
    }

    @Override
    public void write(boolean last, @Nullable ByteBuffer part, Callback callback) {
        if (part != null) {
            byte[] copy = new byte[part.remaining()];
            part.get(copy);
            whole.writeBytes(copy);
        }
        if (last) {
            send();
        }
        callback.succeeded();
    }

    private void send() {
        sent = true;
        outstanding.incrementAndGet();
        sending.accept(whole.size());
        Content.Sink sink = getWrapped();
        sink.write(
                true,
                ByteBuffer.wrap(whole.toByteArray()),
                Callback.from(this::partDone, done::failed));
    }

    private void partDone() {
        if (outstanding.decrementAndGet() == 0) {
            done.succeeded();
        }
    }
}
