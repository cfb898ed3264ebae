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
}
