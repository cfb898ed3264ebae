// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.flink.rest.JarUpload;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.fake.FakeCluster;
import io.sluice.flink.rest.fake.FakeJobManager;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class CircuitBreakerTest {
    private static final URI AT = URI.create("http://orders-rest.shop:8081");
    private static final BreakerSettings SETTINGS =
            new BreakerSettings(2, Duration.ofSeconds(1), Duration.ofSeconds(3), 2);

    private final FakeJobManager jobManagers = new FakeJobManager();
    private final FakeCluster cluster = jobManagers.start(AT);
    private Instant now = Instant.EPOCH;
    private final CircuitBreaker breaker = new CircuitBreaker(jobManagers, SETTINGS, () -> now);

    @Test
    void asksAsLongAsSilencesAreFew() {
        cluster.goSilent();
        breaker.jobs(AT);
        cluster.answer();

        assertThat(breaker.jobs(AT)).isInstanceOf(Reply.Ok.class);
    }

    @Test
    void stopsAskingAfterSilencesInARow() {
        open();
        cluster.answer();

        assertThat(breaker.jobs(AT)).isInstanceOf(Reply.Unreachable.class);
    }

    @Test
    void stopsAskingAfterOneThatWasWaitedForLong() {
        oneSilence(Duration.ofMillis(1500), () -> breaker.jobs(AT));

        now = now.plusMillis(1499);
        assertThat(breaker.jobs(AT)).isInstanceOf(Reply.Unreachable.class);
        now = now.plusMillis(1);
        assertThat(breaker.jobs(AT)).isInstanceOf(Reply.Ok.class);
    }

    @Test
    void pausesNoLongerThanTheLimitHoweverLongWasWaited() {
        oneSilence(Duration.ofMinutes(1), () -> breaker.jobs(AT));

        now = now.plusSeconds(3);
        assertThat(breaker.jobs(AT)).isInstanceOf(Reply.Ok.class);
    }

    @Test
    void workThatTakesItsTimeSaysNothingOfTheRest() {
        var upload = new JarUpload(Path.of("a.jar"), "a.jar", Duration.ofMinutes(1));
        oneSilence(Duration.ofMinutes(1), () -> breaker.uploadJar(AT, upload));

        assertThat(breaker.jobs(AT)).isInstanceOf(Reply.Ok.class);
    }

    @Test
    void takesALateAnswerForAnAnswer() {
        waitsFor(Duration.ofSeconds(2));

        assertThat(breaker.jobs(AT)).isInstanceOf(Reply.Ok.class);
        assertThat(breaker.jobs(AT)).isInstanceOf(Reply.Ok.class);
    }

    @Test
    void saysWhileItPausesWhatTheLastSilenceSaid() {
        cluster.goSilent();
        var said = breaker.jobs(AT);
        open();

        assertThat(breaker.jobs(AT)).isEqualTo(said);
    }

    @Test
    void asksAgainWhenThePauseIsOver() {
        open();
        cluster.answer();
        now = now.plusSeconds(1);

        assertThat(breaker.jobs(AT)).isInstanceOf(Reply.Ok.class);
        assertThat(breaker.config(AT)).isInstanceOf(Reply.Ok.class);
    }

    @Test
    void pausesLongerEachTimeUpToALimit() {
        assertThat(SETTINGS.longer(Duration.ofSeconds(1))).hasSeconds(2);
        assertThat(SETTINGS.longer(Duration.ofSeconds(2))).hasSeconds(3);
        open();
        now = now.plusSeconds(1);
        breaker.jobs(AT);
        cluster.answer();

        now = now.plusSeconds(1);
        assertThat(breaker.jobs(AT)).isInstanceOf(Reply.Unreachable.class);
        now = now.plusSeconds(1);
        assertThat(breaker.jobs(AT)).isInstanceOf(Reply.Ok.class);
    }

    @Test
    void letsOneCallerThroughWhileProbing() {
        Circuit open = new Circuit.Open(now, Duration.ofSeconds(1));

        assertThat(open.lets(now)).isTrue();
        assertThat(open.asking(now).lets(now)).isFalse();
        assertThat(open.asking(now).lets(now.plusSeconds(1))).isTrue();
    }

    @Test
    void takesANoForAnAnswer() {
        breaker.job(AT, "unknown");
        breaker.job(AT, "unknown");
        breaker.job(AT, "unknown");

        assertThat(breaker.jobs(AT)).isInstanceOf(Reply.Ok.class);
    }

    @Test
    void keepsClustersApart() {
        open();
        URI other = URI.create("http://other-rest.shop:8081");
        jobManagers.start(other);

        assertThat(breaker.jobs(other)).isInstanceOf(Reply.Ok.class);
    }

    @Test
    void forgetsTheClusterNotAskedForLongest() {
        open();
        cluster.answer();
        breaker.jobs(URI.create("http://a:1"));
        breaker.jobs(URI.create("http://b:1"));

        assertThat(breaker.jobs(AT)).isInstanceOf(Reply.Ok.class);
    }

    @Test
    void remembersNothingOfThoseThatAnswer() {
        breaker.jobs(AT);
        assertThat(breaker.remembered()).isZero();

        cluster.goSilent();
        breaker.jobs(AT);
        assertThat(breaker.remembered()).isOne();

        cluster.answer();
        breaker.jobs(AT);
        assertThat(breaker.remembered()).isZero();
    }

    @Test
    void forgetsOneThatNobodyHasAskedForAnHourAsOthersFallSilent() {
        breaker.jobs(URI.create("http://gone-rest.shop:8081"));
        now = now.plus(Duration.ofMinutes(61));
        breaker.jobs(URI.create("http://going-rest.shop:8081"));

        assertThat(breaker.remembered()).isOne();
    }

    private void open() {
        cluster.goSilent();
        breaker.jobs(AT);
        breaker.jobs(AT);
    }

    /** The cluster answers again after {@code ask} has waited in vain. */
    private void oneSilence(Duration patience, Supplier<Reply<?>> ask) {
        cluster.goSilent();
        waitsFor(patience);
        assertThat(ask.get()).isInstanceOf(Reply.Unreachable.class);
        cluster.answer();
    }

    private void waitsFor(Duration patience) {
        cluster.meanwhile(() -> now = now.plus(patience));
    }
}
