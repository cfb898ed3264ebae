// SPDX-License-Identifier: Apache-2.0
package io.sluice.certs;

import static org.assertj.core.api.Assertions.assertThat;

import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RotatorTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final List<String> NAMES = CertPolicy.serviceNames("webhook", "ns");

    private final FakeCluster cluster = new FakeCluster();
    private Instant now = START;
    private final Rotator rotator = replica();

    @Test
    void issuesAndPublishesInOnePass() throws Exception {
        var state = rotator.pass();

        assertThat(state.trusted()).isTrue();
        var material = state.material().orElseThrow();
        assertThat(cluster.bundle()).isEqualTo(material.bundle());
        var leaf = material.leaf();
        leaf.verify(material.newestAuthority().getPublicKey());
        assertThat(leaf.getSigAlgName()).isEqualTo("SHA256withECDSA");
        assertThat(leaf.getExtendedKeyUsage()).containsExactly("1.3.6.1.5.5.7.3.1");
        assertThat(leaf.getBasicConstraints()).isEqualTo(-1);
        assertThat(material.newestAuthority().getBasicConstraints()).isZero();
        assertThat(leaf.getNotAfter()).isEqualTo(START.plus(Duration.ofDays(90)));
        assertThat(leaf.getSubjectAlternativeNames())
                .extracting(name -> String.valueOf(name.get(1)))
                .containsExactly(
                        "webhook", "webhook.ns", "webhook.ns.svc", "webhook.ns.svc.cluster.local");
    }

    @Test
    void changesNothingWhileAllIsWell() {
        rotator.pass();
        var before = cluster.secret();
        now = START.plus(Duration.ofDays(59));
        assertThat(rotator.pass().trusted()).isTrue();
        assertThat(cluster.secret()).isEqualTo(before);
    }

    @Test
    void renewsTheLeafAtTwoThirdsOfItsLifeUnderTheSameAuthority() {
        var first = rotator.pass().material().orElseThrow();
        now = START.plus(Duration.ofDays(60));
        var second = rotator.pass().material().orElseThrow();

        assertThat(second.leaf()).isNotEqualTo(first.leaf());
        assertThat(second.authorities()).isEqualTo(first.authorities());
    }

    @Test
    void publishesOldAndNewAuthorityAndOnlyThenSwapsTheLeaf() {
        // Given
        var first = rotator.pass().material().orElseThrow();
        now = START.plus(Duration.ofDays(244));
        // When
        var rotating = rotator.pass();
        now = now.plus(Duration.ofMinutes(2));
        var rotated = rotator.pass();
        // Then
        var between = rotating.material().orElseThrow();
        assertThat(rotating.trusted()).isTrue();
        assertThat(between.leaf()).isEqualTo(first.leaf());
        assertThat(between.authorities()).hasSize(2).contains(first.newestAuthority());
        var last = rotated.material().orElseThrow();
        assertThat(last.leafIsOfNewestAuthority()).isTrue();
        assertThat(last.authorities()).isEqualTo(between.authorities());
    }

    @Test
    void renewsTheLeafWhenItsNamesChange() {
        var first = rotator.pass().material().orElseThrow();
        var renamed =
                new Rotator(
                        CertPolicy.of(List.of("other", "127.0.0.1")), cluster, cluster, () -> now);

        var second = renamed.pass().material().orElseThrow();

        assertThat(second.leaf()).isNotEqualTo(first.leaf());
        assertThat(second.leafServes(List.of("127.0.0.1", "other"))).isTrue();
    }

    @Test
    void publishesAgainWhatSomebodyTookAway() {
        var before = rotator.pass().material().orElseThrow();
        cluster.resetBundle();
        assertThat(rotator.pass().trusted()).isTrue();
        assertThat(cluster.bundle()).isEqualTo(before.bundle());
    }

    @Test
    void namesTheConfigurationThatIsMissingAndRecoversOnceItIsThere() {
        cluster.withConfiguration(false);
        var waiting = rotator.pass();
        cluster.withConfiguration(true);
        var state = rotator.pass();

        assertThat(waiting.trusted()).isFalse();
        assertThat(waiting.absent()).containsExactly("the configuration");
        assertThat(state.trusted()).isTrue();
        assertThat(state.material()).isEqualTo(waiting.material());
    }

    @ParameterizedTest
    @CsvSource({"tls.crt, garbage", "tls.key, garbage", "ca.crt, ''", "ca.key, ''"})
    void issuesAnewWhenTheSecretIsCorruptedAndStillTrustsTheLeafInUse(String key, String value)
            throws Exception {
        var before = rotator.pass().material().orElseThrow();
        cluster.corrupt(key, value);

        var state = rotator.pass();

        assertThat(state.trusted()).isTrue();
        var after = state.material().orElseThrow();
        assertThat(after.leaf()).isNotEqualTo(before.leaf());
        assertThat(after.authorities()).contains(before.newestAuthority());
    }

    @Test
    void takesNoKeyThatBelongsToAnotherCertificate() {
        rotator.pass();
        var foreign = new FakeCluster();
        new Rotator(CertPolicy.of(NAMES), foreign, foreign, () -> now).pass();
        cluster.corrupt(CertMaterial.LEAF_KEY, foreign.secret().get(CertMaterial.LEAF_KEY));

        assertThat(cluster.load().stored())
                .isEqualTo(new Stored.Broken("the leaf's key belongs to another certificate"));
        assertThat(rotator.pass().trusted()).isTrue();
    }

    @Test
    void theLoserOfARaceTakesTheWinnersChoice() {
        // Given
        var other = replica();
        cluster.beforeNextSave(other::pass);
        // When
        var loser = rotator.pass();
        // Then
        assertThat(loser.trusted()).isTrue();
        assertThat(leaf(loser)).isEqualTo(leaf(other.pass()));
    }

    @RepeatedTest(5)
    void manyReplicasAtOnceAgreeOnOneLeaf() throws Exception {
        List<Callable<X509Certificate>> starts =
                java.util.stream.Stream.generate(this::replica)
                        .limit(4)
                        .map(each -> (Callable<X509Certificate>) () -> leaf(each.pass()))
                        .toList();

        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var leaves =
                    threads.invokeAll(starts).stream().map(java.util.concurrent.Future::resultNow);
            assertThat(leaves.distinct()).hasSize(1);
        }
    }

    @Test
    void aReplicaWithAnOldViewTakesNothingBack() {
        // Given
        rotator.pass();
        var oldView = cluster.read();
        var oldBundle = cluster.bundle();
        now = START.plus(Duration.ofDays(244));
        rotator.pass();
        var newBundle = cluster.bundle();
        // When
        cluster.publish(oldBundle, oldView);
        // Then
        assertThat(cluster.bundle()).isEqualTo(newBundle).isNotEqualTo(oldBundle);
    }

    private Rotator replica() {
        InstantSource clock = () -> now;
        return new Rotator(CertPolicy.of(NAMES), cluster, cluster, clock);
    }

    private static X509Certificate leaf(CertState state) {
        return state.material().orElseThrow().leaf();
    }
}
