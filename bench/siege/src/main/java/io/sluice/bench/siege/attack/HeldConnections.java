// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.attack;

import java.io.IOException;
import java.net.Socket;
import java.util.concurrent.Semaphore;

/** Holds connections open until the other side closes them, a virtual thread for each. */
final class HeldConnections {
    private final String name;
    private final Semaphore room;
    private final Counters counters;

    /**
     * @param most held at once
     */
    HeldConnections(String name, int most, Counters counters) {
        this.name = name;
        this.room = new Semaphore(most);
        this.counters = counters;
    }

    /** Opens a socket, and sends what it wants over it. */
    @FunctionalInterface
    interface Opening {
        Socket open() throws IOException;
    }

    /** Does nothing if there are as many as there are to be. */
    void hold(Opening opening) {
        if (room.tryAcquire()) {
            Thread.ofVirtual().start(() -> holdUntilClosed(opening));
        }
    }

    private void holdUntilClosed(Opening opening) {
        try (Socket socket = opening.open()) {
            counters.add(name + ": opened");
            while (socket.getInputStream().read() >= 0) {
                // What is answered is of no interest.
            }
            counters.add(name + ": closed by the other side");
        } catch (IOException closed) {
            counters.add(name + ": cut by the other side");
        } finally {
            room.release();
        }
    }
}
