// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.share;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReplicaHeartbeatsTest {
    private static final Duration LEASE = Duration.ofSeconds(10);
    private static final long SECOND = 1_000_000_000;

    @Test
    void takesAReplicaForAliveWhileItsHeartbeatChanges() {
        ReplicaHeartbeats seen =
                ReplicaHeartbeats.NONE
                        .after(List.of(beat("a", "1")), 0)
                        .after(List.of(beat("a", "2")), 9 * SECOND);

        assertThat(names(seen, 18 * SECOND)).containsExactly("a");
    }

    @Test
    void takesAReplicaForDeadWhoseHeartbeatStandsStill() {
        ReplicaHeartbeats seen =
                ReplicaHeartbeats.NONE
                        .after(List.of(beat("a", "1"), beat("b", "1")), 0)
                        .after(List.of(beat("a", "1"), beat("b", "2")), 9 * SECOND);

        assertThat(names(seen, 10 * SECOND)).containsExactly("b");
        assertThat(seen.silentFor(LEASE, 10 * SECOND))
                .extracting(Member::name)
                .containsExactly("a");
    }

    @Test
    void forgetsAReplicaThatSignedOffAtOnce() {
        ReplicaHeartbeats seen =
                ReplicaHeartbeats.NONE
                        .after(List.of(beat("a", "1"), beat("b", "1")), 0)
                        .after(List.of(beat("b", "2")), SECOND);

        assertThat(names(seen, SECOND)).containsExactly("b");
    }

    @Test
    void welcomesAReplicaThatComesBack() {
        ReplicaHeartbeats seen =
                ReplicaHeartbeats.NONE
                        .after(List.of(beat("a", "1")), 0)
                        .after(List.of(beat("a", "2")), 60 * SECOND);

        assertThat(names(seen, 61 * SECOND)).containsExactly("a");
    }

    private static List<String> names(ReplicaHeartbeats seen, long now) {
        return seen.alive(LEASE, now).stream().map(Member::name).toList();
    }

    private static Heartbeat beat(String name, String beat) {
        return new Heartbeat(new Member(name, Optional.empty()), beat);
    }
}
