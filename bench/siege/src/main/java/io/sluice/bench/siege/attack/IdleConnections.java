// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.attack;

import io.sluice.bench.siege.installation.Pods;

/** TLS connections to the webhook that ask for nothing. */
final class IdleConnections implements Attack {
    private static final int PER_TURN = 6;
    private static final long PAUSE_MILLIS = 100;

    private final int port;
    private final HeldConnections held;

    IdleConnections(int port, int many, Counters counters) {
        this.port = port;
        held = new HeldConnections("idle TLS connections", many, counters);
    }

    @Override
    public long pauseMillis() {
        return PAUSE_MILLIS;
    }

    @Override
    public void turn(long number) {
        for (int i = 0; i < PER_TURN; i++) {
            held.hold(() -> Pods.tls(port));
        }
    }
}
