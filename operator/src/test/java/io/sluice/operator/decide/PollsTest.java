// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.operator.model.ObservedState.Polls;
import io.sluice.rules.config.DefaultConfiguration;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PollsTest {
    private static final Polls POLLS = new Polls(Duration.ofMinutes(1), Duration.ofSeconds(5));

    @Test
    void areAsOftenAsTheOperatorIsToldForTheNamespace() {
        var configured =
                new DefaultConfiguration(
                        new FlinkConfiguration(
                                Map.of(
                                        "kubernetes.operator.reconcile.interval",
                                        "30 s",
                                        "kubernetes.operator.observer.progress-check.interval",
                                        "3 s",
                                        "kubernetes.operator.default-configuration.namespace.shop"
                                                + ".kubernetes.operator.reconcile.interval",
                                        "40 s")));

        assertThat(Polls.of(configured, "bank"))
                .isEqualTo(new Polls(Duration.ofSeconds(30), Duration.ofSeconds(3)));
        assertThat(Polls.of(configured, "shop").steady()).hasSeconds(40);
        assertThat(Polls.of(DefaultConfiguration.NONE, "shop"))
                .isEqualTo(new Polls(Duration.ofSeconds(60), Duration.ofSeconds(10)));
    }

    @Test
    void lookAtAJobThatIsBeingStoppedTheSoonerTheShorterItIsDown() {
        assertThat(POLLS.whileDown(Duration.ZERO)).isEqualTo(Duration.ofMillis(250));
        assertThat(POLLS.whileDown(Duration.ofSeconds(-3))).isEqualTo(Duration.ofMillis(250));
        assertThat(POLLS.whileDown(Duration.ofSeconds(8))).isEqualTo(Duration.ofSeconds(2));
        assertThat(POLLS.whileDown(Duration.ofMinutes(10))).isEqualTo(Duration.ofSeconds(5));
    }

    @Test
    void lookNoLaterThanIsConfigured() {
        assertThat(
                        new Polls(Duration.ofMinutes(1), Duration.ofMillis(100))
                                .whileDown(Duration.ZERO))
                .isEqualTo(Duration.ofMillis(100));
    }

    @Test
    void lookLaterAtWhatStaysAsItIs() {
        assertThat(POLLS.after(Duration.ZERO)).isEqualTo(Duration.ofSeconds(5));
        assertThat(POLLS.after(Duration.ofSeconds(20))).isEqualTo(Duration.ofSeconds(20));
        assertThat(POLLS.after(Duration.ofMinutes(5))).isEqualTo(Duration.ofMinutes(1));
    }
}
