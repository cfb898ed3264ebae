// SPDX-License-Identifier: Apache-2.0
package io.sluice.certs;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
 * Eighteen months of two replicas and an API server that learns of a bundle up to a minute late: at
 * no moment does it meet a leaf that it does not trust.
 */
class RotationSimTest {
    private static final Duration LAG = Duration.ofMinutes(1);

    private final FakeCluster cluster = new FakeCluster();
    private final List<Replica> replicas = new ArrayList<>();
    private final List<Published> history = new ArrayList<>();
    private final Set<X509Certificate> leaves = new HashSet<>();
    private final Set<X509Certificate> authorities = new HashSet<>();
    private final Map<List<X509Certificate>, Boolean> signed = new HashMap<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");

    private record Published(Instant at, String bundle) {}

    private final class Replica {
        private Rotator rotator = start();
        private Optional<CertMaterial> served = Optional.empty();

        void pass() {
            var state = rotator.pass();
            served =
                    served.map(former -> state.toServe(former.leaf()))
                            .orElseGet(state::toServe)
                            .or(() -> served);
        }

        /** The process starts again and remembers nothing. */
        void restart() {
            rotator = start();
            served = Optional.empty();
        }

        private Rotator start() {
            var policy = CertPolicy.of(CertPolicy.serviceNames("webhook", "ns"));
            return new Rotator(policy, cluster, cluster, () -> now);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2})
    void noAdmissionFailsInEighteenMonths(long seed) throws Exception {
        var random = new Random(seed);
        replicas.addAll(List.of(new Replica(), new Replica()));
        replicas.forEach(Replica::pass);
        observe();
        Instant end = now.plus(Duration.ofDays(540));
        while (now.isBefore(end)) {
            boolean quiet = history.getLast().at().isBefore(now.minus(Duration.ofMinutes(5)));
            now = now.plus(quiet ? Duration.ofHours(17) : Duration.ofSeconds(15));
            if (random.nextInt(200) == 0) {
                var replica = replicas.get(random.nextInt(2));
                replica.restart();
                replica.pass();
            }
            replicas.get(random.nextInt(2)).pass();
            observe();
            checkTrust();
            if (quiet) {
                replicas.forEach(Replica::pass);
                observe();
                checkTrust();
            }
        }
        assertThat(leaves).as("leaves").hasSizeBetween(8, 14);
        assertThat(authorities).as("authorities").hasSize(3);
    }

    private void observe() {
        if (history.isEmpty() || !history.getLast().bundle().equals(cluster.bundle())) {
            history.add(new Published(now, cluster.bundle()));
        }
        replicas.stream()
                .flatMap(replica -> replica.served.stream())
                .forEach(
                        served -> {
                            leaves.add(served.leaf());
                            authorities.addAll(served.authorities());
                        });
    }

    private void checkTrust() throws GeneralSecurityException {
        Instant learnt = now.minus(LAG);
        String late =
                history.reversed().stream()
                        .filter(published -> !published.at().isAfter(learnt))
                        .findFirst()
                        .orElse(history.getFirst())
                        .bundle();
        for (Replica replica : replicas) {
            var leaf = replica.served.orElseThrow().leaf();
            leaf.checkValidity(Date.from(now));
            for (String bundle : List.of(late, cluster.bundle())) {
                assertThat(trusts(bundle, leaf)).as("leaf trusted at " + now).isTrue();
            }
        }
    }

    private boolean trusts(String bundle, X509Certificate leaf) throws GeneralSecurityException {
        for (X509Certificate authority : Pem.certificates(bundle)) {
            boolean alive = authority.getNotAfter().toInstant().isAfter(now);
            if (alive
                    && signed.computeIfAbsent(
                            List.of(authority, leaf), _ -> signs(authority, leaf))) {
                return true;
            }
        }
        return false;
    }

    private static boolean signs(X509Certificate authority, X509Certificate leaf) {
        try {
            leaf.verify(authority.getPublicKey());
            return true;
        } catch (GeneralSecurityException another) {
            return false;
        }
    }
}
