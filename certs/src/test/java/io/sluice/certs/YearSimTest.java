// SPDX-License-Identifier: Apache-2.0
package io.sluice.certs;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A year of four replicas to whose certificates everything happens: one is down for a month, the
 * clock of one is wrong, the Secret is deleted and corrupted, the caBundle is overwritten. After
 * every pass, what each live replica shows is in its time and signed by somebody that is published.
 */
class YearSimTest {
    private static final Duration YEAR = Duration.ofDays(365);
    private static final Duration STEP = Duration.ofHours(19);
    private static final Duration SETTLED = Duration.ofMinutes(3);

    private final FakeCluster cluster = new FakeCluster();
    private final List<Replica> replicas = new ArrayList<>();
    private final Map<List<X509Certificate>, Boolean> signed = new HashMap<>();
    private final Set<X509Certificate> shown = new HashSet<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private final class Replica {
        private final Duration skew;
        private Rotator rotator;
        private Optional<CertMaterial> served = Optional.empty();
        private boolean up = true;

        Replica(Duration skew) {
            this.skew = skew;
            this.rotator = started();
        }

        void pass() {
            if (up) {
                var state = rotator.pass();
                served =
                        served.map(former -> state.toServe(former.leaf()))
                                .orElseGet(state::toServe)
                                .or(() -> served);
            }
        }

        void stop() {
            up = false;
            served = Optional.empty();
        }

        void start() {
            rotator = started();
            up = true;
            pass();
        }

        private Rotator started() {
            var policy = CertPolicy.of(CertPolicy.serviceNames("webhook", "ns"));
            return new Rotator(policy, cluster, cluster, () -> now.plus(skew));
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void noReplicaEverShowsWhatNobodyTrusts(long seed) throws Exception {
        var dice = new Random(seed);
        for (Duration skew :
                List.of(
                        Duration.ZERO,
                        Duration.ofHours(-11),
                        Duration.ofHours(11),
                        Duration.ZERO)) {
            replicas.add(new Replica(skew));
        }
        allPass(dice);
        Instant begin = now;
        for (Instant end = now.plus(YEAR); now.isBefore(end); now = now.plus(STEP)) {
            month(Duration.between(begin, now));
            mishap(dice);
            allPass(dice);
            now = now.plus(SETTLED);
            allPass(dice);
        }
        assertThat(shown).as("leaves in a year").hasSizeGreaterThan(6);
    }

    /** The last replica is down from the fifth month to the sixth. */
    private void month(Duration since) {
        boolean down = since.toDays() >= 150 && since.toDays() < 180;
        Replica last = replicas.getLast();
        if (down && last.up) {
            last.stop();
        } else if (!down && !last.up) {
            last.start();
        }
    }

    private void mishap(Random dice) {
        switch (dice.nextInt(30)) {
            case 0 -> cluster.deleteSecret();
            case 1 -> cluster.corrupt(CertMaterial.LEAF_KEY, "garbage");
            case 2 -> cluster.corrupt(CertMaterial.AUTHORITIES, "");
            case 3 -> cluster.writeBundle(foreignBundle());
            case 4 -> cluster.resetBundle();
            case 5 -> replicas.get(dice.nextInt(3)).start();
            default -> {}
        }
    }

    /** Each in turn, in an order of its own; from the first pass on, everybody is trusted. */
    private void allPass(Random dice) throws GeneralSecurityException {
        List<Replica> order = new ArrayList<>(replicas);
        Collections.shuffle(order, dice);
        for (Replica replica : order) {
            replica.pass();
            if (replica.up) {
                shown.add(replica.served.orElseThrow().leaf());
            }
        }
        for (Replica replica : replicas) {
            if (replica.up) {
                checkTrust(replica.served.orElseThrow().leaf());
            }
        }
    }

    private void checkTrust(X509Certificate leaf) throws GeneralSecurityException {
        leaf.checkValidity(Date.from(now));
        boolean trusted = false;
        for (X509Certificate authority : Pem.certificates(cluster.bundle())) {
            trusted |=
                    isAlive(authority)
                            && signed.computeIfAbsent(
                                    List.of(authority, leaf), _ -> signs(authority, leaf));
        }
        assertThat(trusted).as("the leaf is trusted at " + now).isTrue();
    }

    private boolean isAlive(X509Certificate authority) {
        return authority.getNotAfter().toInstant().isAfter(now)
                && authority.getNotBefore().toInstant().isBefore(now);
    }

    private static boolean signs(X509Certificate authority, X509Certificate leaf) {
        try {
            leaf.verify(authority.getPublicKey());
            return true;
        } catch (GeneralSecurityException another) {
            return false;
        }
    }

    private String foreignBundle() {
        var other = new FakeCluster();
        var policy = CertPolicy.of(List.of("other"));
        new Rotator(policy, other, other, () -> now).pass();
        return other.bundle();
    }
}
