// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.port;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;

/** Bytes in TLS. What the engine has to compute in a handshake is handed back as work. */
final class TlsTransport implements Transport {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final SocketChannel channel;
    private final SSLEngine engine;
    private final ByteBuffer received;
    private final ByteBuffer plain;
    private final ByteBuffer toSend;

    TlsTransport(SocketChannel channel, SSLEngine engine) {
        this.channel = channel;
        this.engine = engine;
        received = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        plain = ByteBuffer.allocate(engine.getSession().getApplicationBufferSize());
        toSend = ByteBuffer.allocate(engine.getSession().getPacketBufferSize()).flip();
    }

    @Override
    public Optional<Next> read(ByteBuffer head) throws IOException {
        while (plain.position() == 0) {
            Optional<Next> next = handshake();
            if (next.isPresent()) {
                return next;
            }
            Optional<Next> missing = unwrap();
            if (missing.isPresent()) {
                return missing;
            }
        }
        plain.flip();
        int length = Math.min(plain.remaining(), head.remaining());
        head.put(head.position(), plain, plain.position(), length);
        head.position(head.position() + length);
        plain.position(plain.position() + length);
        plain.compact();
        return Optional.empty();
    }

    @Override
    public Optional<Next> write(ByteBuffer answer) throws IOException {
        while (true) {
            Optional<Next> next = handshake();
            if (next.isPresent() || !answer.hasRemaining()) {
                return next;
            }
            wrap(answer);
        }
    }

    @Override
    public void finish() throws IOException {
        engine.closeOutbound();
        if (!toSend.hasRemaining()) {
            wrap(NOTHING);
        }
        channel.write(toSend);
        channel.shutdownOutput();
    }

    /** Until data may flow; sends first what is to be sent. */
    private Optional<Next> handshake() throws IOException {
        while (true) {
            if (toSend.hasRemaining()) {
                channel.write(toSend);
                if (toSend.hasRemaining()) {
                    return Optional.of(new Next.AwaitOutput());
                }
            }
            switch (engine.getHandshakeStatus()) {
                case NEED_TASK -> {
                    Optional<Runnable> task = Optional.ofNullable(engine.getDelegatedTask());
                    if (task.isPresent()) {
                        return Optional.of(new Next.Work(task.get()));
                    }
                }
                case NEED_WRAP -> wrap(NOTHING);
                case NEED_UNWRAP, NEED_UNWRAP_AGAIN -> {
                    Optional<Next> missing = unwrap();
                    if (missing.isPresent()) {
                        return missing;
                    }
                }
                case FINISHED, NOT_HANDSHAKING -> {
                    return Optional.empty();
                }
            }
        }
    }

    /** Takes one record apart; says what is missing for it. */
    private Optional<Next> unwrap() throws IOException {
        received.flip();
        SSLEngineResult result = engine.unwrap(received, plain);
        received.compact();
        return switch (result.getStatus()) {
            case OK -> Optional.empty();
            case BUFFER_UNDERFLOW -> {
                int read = channel.read(received);
                yield read > 0
                        ? Optional.empty()
                        : Optional.of(read < 0 ? new Next.Gone() : new Next.AwaitInput());
            }
            case BUFFER_OVERFLOW -> throw new IOException("more than a record was sent at once");
            case CLOSED -> Optional.of(new Next.Gone());
        };
    }

    private void wrap(ByteBuffer data) throws IOException {
        toSend.clear();
        SSLEngineResult result = engine.wrap(data, toSend);
        toSend.flip();
        if (result.getStatus() == SSLEngineResult.Status.CLOSED && !toSend.hasRemaining()) {
            throw new IOException("the peer has ended the connection");
        }
    }
}
