// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench;

import java.io.IOException;
import java.net.ServerSocket;

/** Free ports of this machine. */
final class Ports {
    private Ports() {}

    static int free() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
