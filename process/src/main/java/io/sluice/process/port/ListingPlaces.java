// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.port;

import java.net.InetAddress;
import java.util.HashMap;
import java.util.Map;

/**
 * How many answers are made or sent that nobody shares: so many for one address, and four times as
 * many for all. Callers that don't read their answers thereby take a bounded part of the memory.
 */
final class ListingPlaces {
    private static final int EACH = 8;
    private static final int ALL = 4 * EACH;

    private final Map<InetAddress, Integer> taken = new HashMap<>();
    private int all;

    synchronized boolean take(InetAddress peer) {
        int own = taken.getOrDefault(peer, 0);
        if (own >= EACH || all >= ALL) {
            return false;
        }
        taken.put(peer, own + 1);
        all++;
        return true;
    }

    synchronized void free(InetAddress peer) {
        taken.computeIfPresent(peer, (_, own) -> own == 1 ? null : own - 1);
        all--;
    }
}
