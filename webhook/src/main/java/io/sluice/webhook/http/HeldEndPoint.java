// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.http;

import io.sluice.process.port.Connections;
import java.nio.channels.SelectionKey;
import java.nio.channels.SocketChannel;
import java.util.Optional;
import org.eclipse.jetty.io.EndPoint;
import org.eclipse.jetty.io.ManagedSelector;
import org.eclipse.jetty.io.SocketChannelEndPoint;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.util.thread.Scheduler;
import org.jspecify.annotations.Nullable;

/** A connection that gives its place back when it is closed. */
final class HeldEndPoint extends SocketChannelEndPoint {
    private final Connections.Place place;

    HeldEndPoint(
            SocketChannel channel,
            ManagedSelector selector,
            SelectionKey key,
            Scheduler scheduler,
            Connections.Place place) {
        super(channel, selector, key, scheduler);
        this.place = place;
    }

    /** The place of the connection that a request came by. */
    static Optional<Connections.Place> placeOf(Request request) {
        EndPoint end = request.getConnectionMetaData().getConnection().getEndPoint();
        while (end instanceof EndPoint.Wrapper wrapper) {
            end = wrapper.unwrap();
        }
        return end instanceof HeldEndPoint held ? Optional.of(held.place) : Optional.empty();
    }

    @Override
    public void onClose(@Nullable Throwable cause) {
        super.onClose(cause);
        place.free();
    }
}
