// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RefusedNamespacesTest {
    private final Set<String> broken = new HashSet<>(Set.of("b"));
    private final List<String> told = new ArrayList<>();
    private final List<String> tried = new ArrayList<>();
    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final RefusedNamespaces refused =
            new RefusedNamespaces(
                    name -> {
                        tried.add(name);
                        return broken.contains(name) ? Optional.of("forbidden") : Optional.empty();
                    },
                    new RefusedNamespaces.Report() {
                        @Override
                        public void refused(String namespace, String why) {
                            told.add(namespace + " " + why);
                        }

                        @Override
                        public void served(String namespace, boolean again) {
                            told.add(namespace + (again ? " again" : ""));
                        }
                    },
                    () -> now);

    @Test
    void servesAllButWhatIsRefusedAndTellsEachOnce() {
        assertThat(refused.accepted(Set.of("a", "b"))).containsExactly("a");
        assertThat(refused.accepted(Set.of("a", "b"))).containsExactly("a");

        assertThat(told).containsExactly("a", "b forbidden");
        assertThat(refused.names()).containsExactly("b");
    }

    @Test
    void triesAgainAfterAPauseThatGrowsToTwoMinutes() {
        refused.accepted(Set.of("b"));
        List<Long> pauses = new ArrayList<>();
        Instant last = now;
        tried.clear();

        while (pauses.size() < 7) {
            now = now.plusSeconds(1);
            refused.recovered();
            if (!tried.isEmpty()) {
                pauses.add(Duration.between(last, now).toSeconds());
                last = now;
                tried.clear();
            }
        }

        assertThat(pauses).containsExactly(5L, 10L, 20L, 40L, 80L, 120L, 120L);
    }

    @Test
    void servesItOnceItIsAcceptedAndBeginsAnewWhenItIsRefusedAgain() {
        refused.accepted(Set.of("a", "b"));
        broken.clear();
        now = now.plusSeconds(5);

        assertThat(refused.recovered()).containsExactly("b");
        assertThat(refused.names()).isEmpty();
        broken.add("a");
        assertThat(refused.accepted(Set.of("a"))).isEmpty();

        assertThat(told).containsExactly("a", "b forbidden", "b again", "a forbidden");
    }

    /** A watch that ended for want of rights is opened again only after a pause. */
    @Test
    void excusesWatchesOfWhatIsRefusedAndOfWhatWasLately() {
        refused.accepted(Set.of("a", "b"));
        now = now.plus(Duration.ofMinutes(3));
        assertThat(refused.interrupted()).containsExactly("b");

        broken.clear();
        refused.recovered();
        assertThat(refused.interrupted()).containsExactly("b");

        now = now.plus(Duration.ofMinutes(3));
        assertThat(refused.interrupted()).isEmpty();
    }

    @Test
    void watchesWhatRecoveredBesideTheOthersAndNothingThatIsNotNamedAnyMore() {
        List<Set<String>> followed = new ArrayList<>();
        Set<String> first = refused.accepted(Set.of("a", "b"));
        try (var namespaces = new Namespaces(first, followed::add, refused)) {
            broken.add("c");
            namespaces.change(Set.of("a", "c"));
            broken.clear();
            now = now.plusSeconds(5);

            namespaces.tryAgain();
        }

        assertThat(followed).containsExactly(Set.of("a", "c"));
    }

    @Test
    void looksAtWhatIsWatchedAndNotAtWhatIsRefusedAlready() {
        Set<String> first = refused.accepted(Set.of("a", "b"));
        try (var namespaces = new Namespaces(first, _ -> {}, refused)) {
            tried.clear();
            broken.add("a");

            namespaces.look();
            namespaces.look();
        }

        assertThat(tried).containsExactly("a");
        assertThat(refused.names()).containsExactlyInAnyOrder("a", "b");
    }
}
