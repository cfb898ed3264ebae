// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.http;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * The memory of what has been received and is not answered yet, in bytes. It is bounded, so that
 * callers can't fill the heap. Bodies larger than most leave a part of it free for the others. A
 * request that no longer fits takes the room of one that is not worked on yet, of the peer that
 * holds the most, if that holds more than its own; else it is sent away at once.
 */
final class InFlight {
    private final int capacity;
    private final int reserve;
    private final int ordinary;
    private final Set<Lease> leases = new LinkedHashSet<>();
    private final Map<InetAddress, Integer> byPeer = new HashMap<>();
    private int used;
    private volatile boolean leaving;
    private boolean closed;

    /**
     * @param reserve of {@code capacity}, for bodies of at most {@code ordinary} bytes
     */
    InFlight(int capacity, int reserve, int ordinary) {
        this.capacity = capacity;
        this.reserve = reserve;
        this.ordinary = ordinary;
    }

    /** One request's share; it takes a byte from the start, so that an empty one counts too. */
    final class Lease implements AutoCloseable {
        private final InetAddress peer;
        private final Runnable drop;
        private int held;
        private boolean over;
        private boolean worked;

        private Lease(InetAddress peer, Runnable drop) {
            this.peer = peer;
            this.drop = drop;
        }

        /** False if there is no room for {@code more}, or the request has lost its room. */
        boolean grow(int more) {
            return InFlight.this.grow(this, more);
        }

        /** Counts what is held in any case, which leaves less room for others. */
        void add(int more) {
            synchronized (InFlight.this) {
                if (!over) {
                    count(this, more);
                }
            }
        }

        /** Keeps its room from now on; false if it has lost it already. */
        boolean work() {
            synchronized (InFlight.this) {
                worked = true;
                return !over;
            }
        }

        /** Gives everything back; closing again changes nothing. */
        @Override
        public void close() {
            synchronized (InFlight.this) {
                end(this);
            }
        }
    }

    /**
     * Empty if there is no room.
     *
     * @param drop lets go of what was received when another request takes the room of this one;
     *     called outside of any lock
     */
    Optional<Lease> begin(InetAddress peer, Runnable drop) {
        var lease = new Lease(peer, drop);
        return lease.grow(1) ? Optional.of(lease) : Optional.empty();
    }

    /** Asks callers from now on to open their next connection elsewhere. */
    void leave() {
        leaving = true;
    }

    boolean isLeaving() {
        return leaving;
    }

    /** Lets nobody in any more and waits for those inside; false if some did not finish in time. */
    synchronized boolean drain(Duration most) {
        closed = true;
        long end = System.nanoTime() + most.toNanos();
        try {
            while (!leases.isEmpty()) {
                long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
                if (left <= 0) {
                    return false;
                }
                wait(left);
            }
            return true;
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private boolean grow(Lease lease, int more) {
        while (true) {
            Lease loser;
            synchronized (this) {
                if (lease.over || (closed && lease.held == 0)) {
                    return false;
                }
                if (used + more <= roomFor(lease.held + more)) {
                    count(lease, more);
                    return true;
                }
                Optional<Lease> found = loser(lease, more);
                if (found.isEmpty()) {
                    return false;
                }
                loser = found.get();
                end(loser);
            }
            loser.drop.run();
        }
    }

    private int roomFor(int size) {
        return size > ordinary ? capacity - reserve : capacity;
    }

    /** What holds most, of the peer that holds most, if that is more than {@code asking} holds. */
    private Optional<Lease> loser(Lease asking, int more) {
        int own = heldBy(asking.peer) + more;
        return leases.stream()
                .filter(lease -> !lease.worked && heldBy(lease.peer) > own)
                .max(
                        Comparator.<Lease>comparingInt(lease -> heldBy(lease.peer))
                                .thenComparingInt(lease -> lease.held));
    }

    private int heldBy(InetAddress peer) {
        return byPeer.getOrDefault(peer, 0);
    }

    private void count(Lease lease, int more) {
        leases.add(lease);
        lease.held += more;
        used += more;
        byPeer.merge(lease.peer, more, Integer::sum);
    }

    private void end(Lease lease) {
        lease.over = true;
        if (leases.remove(lease)) {
            used -= lease.held;
            byPeer.merge(lease.peer, -lease.held, InFlight::sumOrNone);
            notifyAll();
        }
    }

    private static @org.jspecify.annotations.Nullable Integer sumOrNone(int held, int change) {
        return held + change == 0 ? null : Integer.valueOf(held + change);
    }
}
