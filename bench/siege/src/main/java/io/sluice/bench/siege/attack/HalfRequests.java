// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.attack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.sluice.bench.siege.installation.Pods;
import java.io.IOException;
import java.net.Socket;
import java.util.List;

/** Requests to the plain ports of all three processes that never end. */
final class HalfRequests implements Attack {
    private static final int PER_TURN = 6;
    private static final long PAUSE_MILLIS = 100;
    private static final byte[] HALF = "GET /metrics HTTP/1.1\r\nHost: ".getBytes(US_ASCII);

    private final List<Integer> ports;
    private final HeldConnections held;

    HalfRequests(List<Integer> ports, int many, Counters counters) {
        this.ports = List.copyOf(ports);
        held = new HeldConnections("half requests", many, counters);
    }

    @Override
    public long pauseMillis() {
        return PAUSE_MILLIS;
    }

    @Override
    public void turn(long number) {
        for (int i = 0; i < PER_TURN; i++) {
            int port = ports.get((int) ((number + i) % ports.size()));
            held.hold(() -> half(port));
        }
    }

    private static Socket half(int port) throws IOException {
        Socket socket = Pods.plain(port);
        socket.getOutputStream().write(HALF);
        return socket;
    }
}
