// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.http;

import io.sluice.process.port.Connections;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.ConnectionFactory;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.thread.Scheduler;

/**
 * Accepts every connection and closes at once those that have no place. Jetty's own limit stops
 * accepting instead, and whoever holds all connections then keeps everybody else out.
 */
final class LimitedConnector extends ServerConnector {
    private static final int WAITING_TO_BE_ACCEPTED = 1024;
    private static final long SWEEP_MILLIS = 1000;

    private final Connections connections;
    private Optional<Scheduler.Task> nextSweep = Optional.empty();

    LimitedConnector(Server server, Connections connections, ConnectionFactory... factories) {
        super(server, 1, 1, factories);
        this.connections = connections;
        setAcceptQueueSize(WAITING_TO_BE_ACCEPTED);
    }

    /** A connection on its way from the socket to its endpoint. */
    private static final class Line {
        private final SocketChannel channel;
        private Optional<EndPoint> end = Optional.empty();
        private Optional<Connections.Place> place = Optional.empty();
        private boolean closed;

        Line(SocketChannel channel) {
            this.channel = channel;
        }

        synchronized void use(Connections.Place given) {
            place = Optional.of(given);
        }

        synchronized Connections.Place place() {
            return place.orElseThrow();
        }

        /** Closes it if its place was taken away meanwhile. */
        synchronized void use(EndPoint opened) {
            end = Optional.of(opened);
            if (closed) {
                opened.close();
            }
        }

        synchronized void close() {
            closed = true;
            end.ifPresentOrElse(EndPoint::close, this::closeChannel);
        }

        private void closeChannel() {
            try {
                channel.close();
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }
    }

    @Override
    public void accept(int acceptor) throws IOException {
        if (!(getTransport() instanceof ServerSocketChannel server)) {
            return;
        }
        SocketChannel channel = server.accept();
        var line = new Line(channel);
        Optional<Connections.Place> place =
                peer(channel).flatMap(peer -> connections.take(peer, line::close));
        if (place.isEmpty()) {
            channel.close();
            return;
        }
        line.use(place.get());
        channel.configureBlocking(false);
        configure(channel.socket());
        getSelectorManager().accept(channel, line);
    }

    @Override
    protected SocketChannelEndPoint newEndPoint(
            SocketChannel channel, ManagedSelector selector, SelectionKey key) {
        var line = (Line) key.attachment();
        var end = new HeldEndPoint(channel, selector, key, getScheduler(), line.place());
        end.setIdleTimeout(getIdleTimeout());
        line.use(end);
        return end;
    }

    @Override
    protected void doStart() throws Exception {
        super.doStart();
        sweep();
    }

    @Override
    protected void doStop() throws Exception {
        nextSweep.ifPresent(Scheduler.Task::cancel);
        super.doStop();
    }

    private void sweep() {
        connections.sweep();
        nextSweep =
                Optional.of(
                        getScheduler().schedule(this::sweep, SWEEP_MILLIS, TimeUnit.MILLISECONDS));
    }

    /** Empty if it was closed already. */
    private static Optional<InetAddress> peer(SocketChannel channel) {
        return Optional.ofNullable(channel.socket().getInetAddress());
    }
}
