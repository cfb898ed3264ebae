// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.port;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One connection, with its one request; what it does, the selector's thread does. */
final class Call {
    private static final Logger LOG = LoggerFactory.getLogger(Call.class);
    private static final int LONGEST_HEAD = 8 * 1024;
    private static final int FIRST_BUFFER = 1024;

    private final SocketChannel channel;
    private final Owner owner;
    private Optional<Connections.Place> place = Optional.empty();
    private Optional<SelectionKey> key = Optional.empty();
    private ByteBuffer head = ByteBuffer.allocate(FIRST_BUFFER);
    private Optional<ByteBuffer> answer = Optional.empty();
    private Optional<Runnable> release = Optional.empty();
    private boolean ended;

    /** Has the request answered by {@link Call#send}, now or later. */
    @FunctionalInterface
    interface Owner {
        void ask(Call call, Request request);
    }

    Call(SocketChannel channel, Owner owner) {
        this.channel = channel;
        this.owner = owner;
    }

    void begin(Connections.Place given, SelectionKey registered) {
        place = Optional.of(given);
        key = Optional.of(registered);
    }

    /** Goes on until it has to wait for something. */
    void proceed() {
        try {
            if (answer.isPresent()) {
                write(answer.get());
            } else {
                read();
            }
        } catch (IOException gone) {
            end();
        }
    }

    /** It has lost its place, and closes. */
    void close() {
        try {
            channel.close();
        } catch (IOException already) {
            LOG.debug("closing", already);
        }
        release.ifPresent(Runnable::run);
        release = Optional.empty();
        ended = true;
    }

    /**
     * Sends the answer.
     *
     * @param after is run once, when the answer was read or never will be
     */
    void send(ByteBuffer whole, Runnable after) {
        if (ended) {
            after.run();
            return;
        }
        release = Optional.of(after);
        answer = Optional.of(whole);
        place.ifPresent(Connections.Place::answering);
        proceed();
    }

    void send(Response made) {
        send(made.bytes(), () -> {});
    }

    void end() {
        close();
        place.ifPresent(Connections.Place::free);
    }

    private void listen(int operations) {
        key.filter(SelectionKey::isValid).ifPresent(each -> each.interestOps(operations));
    }

    private void read() throws IOException {
        if (channel.read(head) < 0) {
            end();
            return;
        }
        String text = new String(head.array(), 0, head.position(), ISO_8859_1);
        if (text.contains("\r\n\r\n")) {
            ask(text);
        } else if (!head.hasRemaining()) {
            grow();
        }
    }

    private void grow() {
        if (head.capacity() >= LONGEST_HEAD) {
            send(Response.plain(431, "the head of a request may have 8 KiB\n"));
            return;
        }
        head = ByteBuffer.allocate(2 * head.capacity()).put(head.flip());
    }

    private void ask(String text) {
        listen(0);
        place.ifPresent(Connections.Place::working);
        try {
            owner.ask(this, Request.read(text, channel.socket().getInetAddress()));
        } catch (RefusedException refused) {
            send(refused.answer());
        }
    }

    private void write(ByteBuffer whole) throws IOException {
        channel.write(whole);
        if (whole.hasRemaining()) {
            listen(SelectionKey.OP_WRITE);
        } else {
            channel.shutdownOutput();
            end();
        }
    }
}
