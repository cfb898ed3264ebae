// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.port;

import io.sluice.process.TokenBucket;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The connections of one port. When all places are taken, a newcomer gets the place of a connection
 * of a peer that holds more than the newcomer's, or else of its own: first of one that has not
 * asked for anything yet, then of one between two requests, then of one whose request is still
 * arriving, then of one whose caller still reads its answer; of the peer with the most, the one
 * that waits longest. Whoever opens many connections therefore loses its own, and nobody loses one
 * to a peer that holds more. A connection whose request is worked on keeps its place.
 */
public final class Connections {
    private final PortLimits limits;
    private final Consumer<Cut> count;
    private final LongSupplier nanos;
    private final Set<Place> places = new LinkedHashSet<>();
    private final Map<InetAddress, Peer> peers = new HashMap<>();

    private enum Phase {
        NEW,
        IDLE,
        RECEIVING,
        ANSWERING,
        WORKING
    }

    /** How many connections one address holds, and how many it may still open. */
    private static final class Peer {
        private final TokenBucket opening;
        private int held;

        Peer(TokenBucket opening) {
            this.opening = opening;
        }
    }

    /** One open connection. */
    public final class Place {
        private final InetAddress peer;
        private final Runnable disconnect;
        private Phase phase = Phase.NEW;
        private long since = nanos.getAsLong();

        private Place(InetAddress peer, Runnable disconnect) {
            this.peer = peer;
            this.disconnect = disconnect;
        }

        public InetAddress peer() {
            return peer;
        }

        /** The head of a request is there. */
        public void receiving() {
            enter(Phase.RECEIVING);
        }

        /** The whole request is there. */
        public void working() {
            enter(Phase.WORKING);
        }

        /** The answer is being sent. */
        public void answering() {
            enter(Phase.ANSWERING);
        }

        /** The answer was sent. */
        public void idle() {
            enter(Phase.IDLE);
        }

        /** The connection is closed; closing again changes nothing. */
        public void free() {
            remove(this);
        }

        private void enter(Phase next) {
            synchronized (Connections.this) {
                phase = next;
                since = nanos.getAsLong();
            }
        }
    }

    /**
     * @param count told of each connection that is refused or closed
     * @param nanos a clock that only goes forward
     */
    public Connections(PortLimits limits, Consumer<Cut> count, LongSupplier nanos) {
        this.limits = limits;
        this.count = count;
        this.nanos = nanos;
    }

    /**
     * A place for a new connection; empty if it is to be closed at once.
     *
     * @param disconnect closes the connection without waiting; called at most once, outside of any
     *     lock
     */
    public Optional<Place> take(InetAddress peer, Runnable disconnect) {
        Optional<Place> loser = Optional.empty();
        Optional<Place> taken = Optional.empty();
        Optional<Cut> cut = Optional.empty();
        synchronized (this) {
            if (!mayOpen(peer)) {
                cut = Optional.of(Cut.RATE);
            } else {
                if (places.size() >= limits.connections()) {
                    cut = Optional.of(Cut.FULL);
                    loser = loser(peer);
                    loser.ifPresent(this::remove);
                }
                if (places.size() < limits.connections()) {
                    taken = Optional.of(add(new Place(peer, disconnect)));
                }
            }
        }
        cut.ifPresent(count);
        loser.ifPresent(place -> place.disconnect.run());
        return taken;
    }

    /** Closes what has taken too long; to be called about once a second. */
    public void sweep() {
        List<Place> late = new ArrayList<>();
        synchronized (this) {
            long now = nanos.getAsLong();
            places.stream().filter(place -> cut(place, now).isPresent()).forEach(late::add);
            late.forEach(
                    place -> {
                        cut(place, now).ifPresent(count);
                        remove(place);
                    });
            peers.values().removeIf(peer -> peer.held == 0 && peer.opening.isFull(now));
        }
        late.forEach(place -> place.disconnect.run());
    }

    public synchronized int open() {
        return places.size();
    }

    private Place add(Place place) {
        places.add(place);
        peer(place.peer).held++;
        return place;
    }

    private synchronized void remove(Place place) {
        if (places.remove(place)) {
            peer(place.peer).held--;
        }
    }

    private Peer peer(InetAddress address) {
        return peers.computeIfAbsent(
                address,
                _ ->
                        new Peer(
                                new TokenBucket(
                                        limits.connections(),
                                        limits.newPerSecond(),
                                        nanos.getAsLong())));
    }

    private boolean mayOpen(InetAddress address) {
        TokenBucket opening = peer(address).opening;
        if (!opening.hasToken(nanos.getAsLong())) {
            return false;
        }
        opening.take();
        return true;
    }

    private Optional<Place> loser(InetAddress newcomer) {
        int own = peer(newcomer).held;
        return loser(place -> peer(place.peer).held > own)
                .or(() -> loser(place -> place.peer.equals(newcomer)));
    }

    private Optional<Place> loser(Predicate<Place> among) {
        return places.stream()
                .filter(place -> place.phase != Phase.WORKING)
                .filter(among)
                .min(
                        Comparator.<Place, Phase>comparing(place -> place.phase)
                                .thenComparingInt(place -> -peer(place.peer).held)
                                .thenComparingLong(place -> place.since));
    }

    private Optional<Cut> cut(Place place, long now) {
        return switch (place.phase) {
            case NEW -> after(limits.request(), place, now, Cut.REQUEST);
            case IDLE -> after(limits.idle(), place, now, Cut.IDLE);
            case ANSWERING -> after(limits.answer(), place, now, Cut.ANSWER);
            // A body has a time of its own, and work must end by itself.
            case RECEIVING, WORKING -> Optional.empty();
        };
    }

    private static Optional<Cut> after(Duration longest, Place place, long now, Cut cut) {
        return now - place.since > longest.toNanos() ? Optional.of(cut) : Optional.empty();
    }
}
