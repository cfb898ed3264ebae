// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.port;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Optional;

/** How the bytes of a request and its answer are carried. No method waits for the peer. */
sealed interface Transport permits Transport.Plain, TlsTransport {
    /** What has to happen before there is more to do. */
    sealed interface Next {
        /** The peer has to send something. */
        record AwaitInput() implements Next {}

        /** The peer has to read something. */
        record AwaitOutput() implements Next {}

        /** Something has to be computed, which takes a while. */
        record Work(Runnable work) implements Next {}

        /** The peer is gone. */
        record Gone() implements Next {}
    }

    /** Empty if bytes were added to {@code head}. */
    Optional<Next> read(ByteBuffer head) throws IOException;

    /** Empty if all is sent. */
    Optional<Next> write(ByteBuffer answer) throws IOException;

    /** Tells the peer that nothing more comes, and does not wait for it. */
    void finish() throws IOException;

    /** As it is. */
    record Plain(SocketChannel channel) implements Transport {
        @Override
        public Optional<Next> read(ByteBuffer head) throws IOException {
            int read = channel.read(head);
            return read > 0
                    ? Optional.empty()
                    : Optional.of(read < 0 ? new Next.Gone() : new Next.AwaitInput());
        }

        @Override
        public Optional<Next> write(ByteBuffer answer) throws IOException {
            channel.write(answer);
            return answer.hasRemaining() ? Optional.of(new Next.AwaitOutput()) : Optional.empty();
        }

        @Override
        public void finish() throws IOException {
            channel.shutdownOutput();
        }
    }
}
