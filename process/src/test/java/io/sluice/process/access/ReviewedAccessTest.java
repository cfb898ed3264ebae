// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.sluice.process.port.RefusedException;
import io.sluice.process.port.Request;
import io.sluice.process.port.Response;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicLong;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ReviewedAccessTest {
    private static final String GOOD = "Bearer good";
    private static final Permission METRICS = new Permission.Path("/metrics");
    private static final Caller.User OWNER =
            new Caller.User("prometheus", "u-1", List.of("scrapers"), Map.of());

    private final AtomicLong nanos = new AtomicLong();
    private final List<AccessOutcome> outcomes = new CopyOnWriteArrayList<>();
    private final CountingReviews reviews = new CountingReviews();
    private final Access access =
            new ReviewedAccess(
                    reviews,
                    new ReviewedAccess.Audiences(
                            Optional.empty(), "replicas", () -> Optional.of("own")),
                    outcomes::add,
                    nanos::get);

    /** Counts what it is asked, and knows two tokens. */
    private static final class CountingReviews implements Reviews {
        private final List<String> asked = new CopyOnWriteArrayList<>();
        private final CountDownLatch held = new CountDownLatch(1);
        private volatile boolean hold;
        private volatile boolean away;
        private volatile boolean allowed = true;

        @Override
        public Optional<Caller.User> owner(String token, Optional<String> audience) {
            ask(token);
            return switch (token + audience.orElse("")) {
                case "good" -> Optional.of(OWNER);
                case "ownreplicas", "peerreplicas" ->
                        Optional.of(new Caller.User("autoscaler", "u-2", List.of(), Map.of()));
                case "foreignreplicas" -> Optional.of(OWNER);
                default -> Optional.empty();
            };
        }

        @Override
        public boolean allows(Caller.User user, Permission permission) {
            ask(permission.text());
            return allowed;
        }

        private void ask(String what) {
            asked.add(what);
            if (hold) {
                try {
                    held.await();
                } catch (InterruptedException stopped) {
                    Thread.currentThread().interrupt();
                }
            }
            if (away) {
                throw new KubernetesClientException("connection refused");
            }
        }
    }

    @Test
    void whoHasTheRightMayRead() {
        access.require(access.caller(request(GOOD)), METRICS);

        assertThat(reviews.asked).containsExactly("good", "get the path /metrics");
    }

    @Test
    void whoHasNoTokenIsToldHowToGetOne() {
        Response answer = refused(() -> access.caller(request(Optional.empty())));

        assertThat(answer.status()).isEqualTo(401);
        assertThat(answer.headers()).containsKey("WWW-Authenticate");
        assertThat(answer.text()).contains("kubectl create token");
        assertThat(reviews.asked).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Bearer",
                "Bearer ",
                "Basic Z29vZA==",
                "Bearer a b",
                "Bearer a\tb",
                "Bearer =a",
                "Bearer ä"
            })
    void whatCanNotBeATokenIsRefusedWithoutAQuestion(String header) {
        assertThat(refused(() -> access.caller(request(header))).status()).isEqualTo(401);
        assertThat(refused(() -> access.caller(request("Bearer " + "a".repeat(7000)))).status())
                .isEqualTo(401);
        assertThat(reviews.asked).isEmpty();
        assertThat(outcomes).containsOnly(AccessOutcome.MALFORMED);
    }

    @Test
    void whoHasNotTheRightIsToldWhichOneIsMissing() {
        reviews.allowed = false;

        Response answer = refused(() -> access.require(access.caller(request(GOOD)), METRICS));

        assertThat(answer.status()).isEqualTo(403);
        assertThat(answer.text()).contains("prometheus may not get the path /metrics");
    }

    @Test
    void answersAreRememberedForAShortTimeGoodOnesLongerThanBadOnes() {
        access.require(access.caller(request(GOOD)), METRICS);
        refused(() -> access.caller(request("Bearer bad")));
        nanos.addAndGet(Duration.ofSeconds(9).toNanos());
        access.require(access.caller(request(GOOD)), METRICS);
        refused(() -> access.caller(request("Bearer bad")));
        assertThat(reviews.asked).hasSize(3);

        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        refused(() -> access.caller(request("Bearer bad")));
        assertThat(reviews.asked).hasSize(4).last().isEqualTo("bad");

        nanos.addAndGet(Duration.ofSeconds(50).toNanos());
        access.require(access.caller(request(GOOD)), METRICS);
        assertThat(reviews.asked).hasSize(6);
    }

    @Test
    void nobodyMayReadWhileTheApiServerIsAwayAndItIsAskedOnceASecond() {
        reviews.away = true;

        for (int i = 0; i < 5; i++) {
            Response answer = refused(() -> access.caller(request(GOOD)));
            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.text()).contains("the API server can't be asked");
        }
        assertThat(reviews.asked).hasSize(1);

        reviews.away = false;
        nanos.addAndGet(Duration.ofSeconds(2).toNanos());
        access.require(access.caller(request(GOOD)), METRICS);
    }

    @Test
    void oneAddressMayAskAboutFewUnknownTokensAndKnownOnesDoNotSufferFromIt() {
        access.require(access.caller(request(GOOD)), METRICS);
        nanos.addAndGet(Duration.ofMinutes(2).toNanos());
        for (int i = 0; i < 1_000; i++) {
            String random = "Bearer random" + i;
            refused(() -> access.caller(request(random)));
        }

        assertThat(reviews.asked).hasSizeLessThan(25);
        assertThat(outcomes).contains(AccessOutcome.THROTTLED);
        access.require(access.caller(request(GOOD)), METRICS);
    }

    @Test
    void manyAddressesTogetherMayAskAboutFewUnknownTokensToo() throws UnknownHostException {
        for (int i = 0; i < 200; i++) {
            for (int j = 0; j < 5; j++) {
                var from = InetAddress.getByName("10.0.0." + i);
                var request =
                        new Request(
                                "/metrics", Set.of(), Optional.of("Bearer t" + i + "-" + j), from);
                refused(() -> access.caller(request));
            }
        }

        assertThat(reviews.asked).hasSizeLessThan(85);
    }

    @Test
    void callersOfOneTokenAskOnceTogether() throws Exception {
        reviews.hold = true;
        try (var threads = Executors.newFixedThreadPool(4)) {
            List<Future<Caller>> callers = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                callers.add(threads.submit(() -> access.caller(request(GOOD))));
            }
            await().until(() -> !reviews.asked.isEmpty());
            reviews.held.countDown();
            for (Future<Caller> caller : callers) {
                assertThat(caller.get()).isEqualTo(OWNER);
            }
        }
        assertThat(reviews.asked).containsExactly("good");
    }

    @Test
    void aReplicaIsWhoHasTheSameAccountAndATokenForReplicas() {
        assertThat(access.replica(request("Bearer peer"))).isInstanceOf(Caller.User.class);
        assertThat(refused(() -> access.replica(request("Bearer foreign"))).status())
                .isEqualTo(403);
        assertThat(refused(() -> access.replica(request(GOOD))).status()).isEqualTo(401);
        assertThat(refused(() -> access.caller(request("Bearer peer"))).status()).isEqualTo(401);
    }

    @Test
    void tokensAreNotShown() {
        assertThat(Credentials.of(Optional.of("Bearer secret")).toString())
                .doesNotContain("secret");
    }

    private static Response refused(ThrowingCallable call) {
        var thrown = new ArrayList<RefusedException>();
        assertThatThrownBy(call).isInstanceOfSatisfying(RefusedException.class, thrown::add);
        return thrown.getFirst().answer();
    }

    private static Request request(String authorization) {
        return request(Optional.of(authorization));
    }

    private static Request request(Optional<String> authorization) {
        return new Request("/metrics", Set.of(), authorization, InetAddress.getLoopbackAddress());
    }
}
