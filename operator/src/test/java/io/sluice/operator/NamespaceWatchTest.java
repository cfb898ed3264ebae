// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.javaoperatorsdk.operator.Operator;
import io.sluice.operator.config.RefusedNamespaces;
import io.sluice.operator.config.Watched;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;

class NamespaceWatchTest {
    private static final Watched WANTED = Watched.always(Set.of("bank", "shop"));

    private final AtomicInteger trials = new AtomicInteger();
    private Instant now = Instant.EPOCH;

    @Test
    void watchesWhatIsAcceptedAtOnce() throws InterruptedException {
        try (var watch = watch(refusing("bank"))) {
            assertThat(watch.first(WANTED)).isEqualTo(new Watched(Set.of("shop"), true));
        }
    }

    @Test
    void waitsUntilOneOfThemIsAccepted() throws InterruptedException {
        try (var watch =
                watch(
                        name ->
                                trials.incrementAndGet() < 5 || name.equals("bank")
                                        ? Optional.of("forbidden")
                                        : Optional.empty())) {
            assertThat(watch.first(WANTED)).isEqualTo(new Watched(Set.of("shop"), true));
        }
    }

    @Test
    void doesNotWaitForWhatCanNotBeTried() {
        try (var watch =
                watch(
                        _ -> {
                            if (trials.incrementAndGet() > 2) {
                                throw new IllegalStateException("no answer");
                            }
                            return Optional.of("forbidden");
                        })) {
            assertThatThrownBy(() -> watch.first(WANTED)).hasRootCauseMessage("no answer");
        }
    }

    private static final class SilentReport implements RefusedNamespaces.Report {
        @Override
        public void refused(String namespace, String why) {}

        @Override
        public void served(String namespace, boolean again) {}
    }

    private static Function<String, Optional<String>> refusing(String namespace) {
        return name -> name.equals(namespace) ? Optional.of("forbidden") : Optional.empty();
    }

    /** Each look at the clock finds an hour gone: whoever is refused is due again. */
    private NamespaceWatch watch(Function<String, Optional<String>> refusal) {
        var client = new KubernetesClientBuilder().build();
        return new NamespaceWatch(
                new Operator(overrider -> overrider.withKubernetesClient(client)),
                new RefusedNamespaces(refusal, new SilentReport(), this::later),
                () -> {},
                Duration.ofMillis(1));
    }

    private synchronized Instant later() {
        now = now.plus(Duration.ofHours(1));
        return now;
    }
}
