// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.port;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class ConnectionsTest {
    private static final InetAddress API_SERVER = address(1);
    private static final InetAddress POD = address(2);
    private static final PortLimits LIMITS =
            new PortLimits(
                    4, 2, Duration.ofSeconds(10), Duration.ofMinutes(2), Duration.ofSeconds(5));

    private final AtomicLong now = new AtomicLong();
    private final List<Cut> cuts = new ArrayList<>();
    private final List<String> closed = new ArrayList<>();
    private final Connections connections = new Connections(LIMITS, cuts::add, now::get);

    @Test
    void aNewcomerGetsThePlaceOfTheOldestOfWhomeverHoldsMost() {
        assertThat(take(API_SERVER, "api")).isPresent();
        pods(3);

        assertThat(take(API_SERVER, "another")).isPresent();

        assertThat(closed).containsExactly("pod 0");
        assertThat(cuts).containsExactly(Cut.FULL);
        assertThat(connections.open()).isEqualTo(4);
    }

    @Test
    void whatNeverAskedGoesBeforeWhatWaitsForItsNextRequest() {
        take(POD, "idle").orElseThrow().idle();
        now.incrementAndGet();
        take(POD, "receiving").orElseThrow().receiving();
        now.incrementAndGet();
        assertThat(take(POD, "new")).isPresent();
        assertThat(take(API_SERVER, "api")).isPresent();

        assertThat(take(API_SERVER, "another")).isPresent();
        assertThat(closed).containsExactly("new");
    }

    @Test
    void aPeerThatHoldsMoreTakesNoPlaceOfOneThatHoldsLess() {
        for (int each = 0; each < 3; each++) {
            take(POD, "pod " + each).orElseThrow().receiving();
        }
        assertThat(take(API_SERVER, "api")).isPresent();

        assertThat(take(POD, "another")).isPresent();
        assertThat(closed).containsExactly("pod 0");
    }

    @Test
    void noConnectionIsClosedWhoseRequestIsWorkedOn() {
        for (int each = 0; each < LIMITS.connections(); each++) {
            take(POD, "pod " + each).orElseThrow().working();
        }

        assertThat(take(API_SERVER, "api")).isEmpty();
        assertThat(closed).isEmpty();
    }

    @Test
    void aPeerThatOpensConnectionsTooFastIsRefusedAndOthersAreNot() {
        for (int each = 0; each < LIMITS.connections(); each++) {
            take(POD, "pod " + each).orElseThrow().free();
        }

        assertThat(take(POD, "one more")).isEmpty();
        assertThat(cuts).containsExactly(Cut.RATE);
        assertThat(take(API_SERVER, "api")).isPresent();

        pass(Duration.ofMillis(500));
        assertThat(take(POD, "half a second later")).isPresent();
    }

    @Test
    void everyPhaseThatACallerCanDrawOutEnds() {
        assertThat(take(POD, "new")).isPresent();
        take(POD, "idle").orElseThrow().idle();
        take(POD, "not reading").orElseThrow().answering();
        take(POD, "worked on").orElseThrow().working();

        pass(Duration.ofSeconds(6));
        connections.sweep();
        assertThat(closed).containsExactly("not reading");
        pass(Duration.ofSeconds(6));
        connections.sweep();
        assertThat(closed).containsExactly("not reading", "new");
        pass(Duration.ofMinutes(2));
        connections.sweep();
        assertThat(closed).containsExactly("not reading", "new", "idle");
        assertThat(cuts).containsExactly(Cut.ANSWER, Cut.REQUEST, Cut.IDLE);
        assertThat(connections.open()).isEqualTo(1);
    }

    @Test
    void aPlaceIsGivenBackOnce() {
        var place = take(POD, "pod").orElseThrow();
        place.free();
        place.free();
        assertThat(connections.open()).isZero();
        pass(Duration.ofSeconds(1));
        pods(4);
        assertThat(connections.open()).isEqualTo(4);
    }

    private void pods(int many) {
        for (int each = 0; each < many; each++) {
            now.incrementAndGet();
            assertThat(take(POD, "pod " + each)).isPresent();
        }
    }

    private Optional<Connections.Place> take(InetAddress peer, String name) {
        return connections.take(peer, () -> closed.add(name));
    }

    private void pass(Duration time) {
        now.addAndGet(time.toNanos());
    }

    private static InetAddress address(int last) {
        try {
            return InetAddress.getByAddress(new byte[] {10, 0, 0, (byte) last});
        } catch (UnknownHostException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
