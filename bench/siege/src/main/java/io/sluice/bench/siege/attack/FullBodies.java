// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.attack;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.sluice.bench.siege.installation.Pods;
import java.io.IOException;
import java.net.Socket;
import javax.net.ssl.SSLSocket;

/** Bodies of reviews that are as large as they may be, and lack their last byte. */
final class FullBodies implements Attack {
    private static final int BODY = 3 * 1024 * 1024;
    private static final int MANY = 16;
    private static final long PAUSE_MILLIS = 500;

    private final int port;
    private final HeldConnections held;

    FullBodies(int port, Counters counters) {
        this.port = port;
        held = new HeldConnections("bodies without an end", MANY, counters);
    }

    @Override
    public long pauseMillis() {
        return PAUSE_MILLIS;
    }

    @Override
    public void turn(long number) {
        held.hold(this::body);
    }

    private Socket body() throws IOException {
        SSLSocket socket = Pods.tls(port);
        var out = socket.getOutputStream();
        out.write(
                "POST /validate HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n"
                        .formatted(BODY)
                        .getBytes(US_ASCII));
        out.write(new byte[BODY - 1]);
        out.flush();
        return socket;
    }
}
