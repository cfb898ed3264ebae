// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.flink.rest.AnswerLimit;
import io.sluice.flink.rest.http.AnswerLimits;
import io.sluice.flink.rest.http.HttpLimits;
import io.sluice.process.Scope;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.option.DeclaredOptions;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

class OperatorOptionsTest {
    private static final AnswerLimits USUAL_ANSWERS =
            new AnswerLimits(
                    8 << 20, 1 << 20, 32 << 20, 10_000, 10_000, 100, 32 << 10, 10_000, 10_000,
                    10_000, 1_000_000, 1 << 20);

    @Test
    void boundsWhatAJobManagerMayAnswer() {
        OperatorOptions options =
                options(
                        Map.ofEntries(
                                Map.entry("flink.client.answer.max-list-size", "4 m"),
                                Map.entry("flink.client.answer.max-size", "2 m"),
                                Map.entry("flink.client.answer.max-in-flight", "9 m"),
                                Map.entry("flink.client.answer.max-jobs", "11"),
                                Map.entry("flink.client.answer.max-vertices", "12"),
                                Map.entry("flink.client.answer.max-exceptions", "13"),
                                Map.entry("flink.client.answer.max-trace-length", "14"),
                                Map.entry("flink.client.answer.max-checkpoints", "15"),
                                Map.entry("flink.client.answer.max-task-managers", "16"),
                                Map.entry("flink.client.answer.max-entries", "17"),
                                Map.entry("flink.client.answer.max-tokens", "18"),
                                Map.entry("flink.client.answer.max-text-length", "19")),
                        Map.of());

        assertThat(options.rest().answers())
                .isEqualTo(
                        new AnswerLimits(
                                4 << 20, 2 << 20, 9 << 20, 11, 12, 13, 14, 15, 16, 17, 18, 19));
    }

    @Test
    void whatExceedsALimitIsToldByTheOptionThatSetsIt() {
        assertThat(AnswerLimit.values())
                .filteredOn(limit -> limit != AnswerLimit.HEADERS)
                .extracting(AnswerLimit::setBy)
                .isSubsetOf(DeclaredOptions.ALL.keySet());
    }

    @Test
    void refusesLessRoomForLargeAnswersThanTwoMayTake() {
        var little = Map.of("flink.client.answer.max-in-flight", "9 m");

        assertThatThrownBy(() -> options(little, Map.of()))
                .hasMessageContaining("kubernetes.operator.flink.client.answer.max-in-flight=");
    }

    @Test
    void hasADefaultForEverything() {
        OperatorOptions options = options(Map.of(), Map.of());

        assertThat(options)
                .isEqualTo(
                        new OperatorOptions(
                                Scope.ALL,
                                Optional.of(24),
                                new OperatorOptions.RetryTerms(
                                        Duration.ofSeconds(5),
                                        Duration.ofMinutes(5),
                                        1.5,
                                        Optional.empty()),
                                Optional.empty(),
                                Duration.ofSeconds(10),
                                HttpLimits.of(USUAL_ANSWERS).withRequest(Duration.ofSeconds(5)),
                                new OperatorOptions.LeaderElection(
                                        false,
                                        Optional.empty(),
                                        Duration.ofSeconds(15),
                                        Duration.ofSeconds(10),
                                        Duration.ofSeconds(2))));
    }

    /** Who waits for the lease looks again after up to 2.2 times the retry period. */
    @Test
    void theChartsTermsHaveAnotherOperatorLeadWithinFifteenSeconds() {
        OperatorOptions.LeaderElection terms = ChartDefaults.leaderElection();

        assertThat(terms.lease().plus(terms.retryPeriod().multipliedBy(22).dividedBy(10)))
                .isLessThan(Duration.ofMillis(14_500));
    }

    @Test
    void readsEachOfItsKeys() {
        OperatorOptions options =
                options(
                        Map.ofEntries(
                                Map.entry("watched.namespaces", "a, b"),
                                Map.entry("reconcile.parallelism", "7"),
                                Map.entry("retry.initial.interval", "1 s"),
                                Map.entry("retry.max.interval", "1 min"),
                                Map.entry("retry.interval.multiplier", "2.5"),
                                Map.entry("retry.max.attempts", "3"),
                                Map.entry("rate-limiter.refresh-period", "15 s"),
                                Map.entry("rate-limiter.limit", "4"),
                                Map.entry("termination.timeout", "20 s"),
                                Map.entry("flink.client.timeout", "8 s"),
                                Map.entry("leader-election.enabled", "true"),
                                Map.entry("leader-election.lease-name", "mine"),
                                Map.entry("leader-election.lease-duration", "9 s"),
                                Map.entry("leader-election.renew-deadline", "6 s"),
                                Map.entry("leader-election.retry-period", "1 s")),
                        Map.of());

        assertThat(options)
                .isEqualTo(
                        new OperatorOptions(
                                new Scope(
                                        Set.of("a", "b"),
                                        Optional.empty(),
                                        false,
                                        Optional.empty()),
                                Optional.of(7),
                                new OperatorOptions.RetryTerms(
                                        Duration.ofSeconds(1),
                                        Duration.ofMinutes(1),
                                        2.5,
                                        Optional.of(3)),
                                Optional.of(
                                        new OperatorOptions.RateTerms(Duration.ofSeconds(15), 4)),
                                Duration.ofSeconds(20),
                                HttpLimits.of(USUAL_ANSWERS).withRequest(Duration.ofSeconds(8)),
                                new OperatorOptions.LeaderElection(
                                        true,
                                        Optional.of("mine"),
                                        Duration.ofSeconds(9),
                                        Duration.ofSeconds(6),
                                        Duration.ofSeconds(1))));
        assertThat(options.leaderElection().terms(settings(Map.of())))
                .contains(
                        new LeaseTerms(
                                "home",
                                "mine",
                                "pod-1",
                                Duration.ofSeconds(9),
                                Duration.ofSeconds(6),
                                Duration.ofSeconds(1)));
    }

    @Test
    void readsAnOlderSpelling() {
        assertThat(options(Map.of("reconciler.max.parallelism", "7"), Map.of()).parallelism())
                .contains(7);
        assertThat(
                        options(Map.of("observer.flink.client.timeout", "8 s"), Map.of())
                                .rest()
                                .request())
                .hasSeconds(8);
    }

    @Test
    void takesMinusOneForNoLimit() {
        assertThat(options(Map.of("reconcile.parallelism", "-1"), Map.of()).parallelism())
                .isEmpty();
    }

    @Test
    void takesTheEnvironmentsNamespacesBeforeThoseOfTheFiles() {
        assertThat(
                        options(
                                        Map.of("watched.namespaces", "a"),
                                        Map.of("SLUICE_WATCH_NAMESPACES", "b"))
                                .scope()
                                .namespaces())
                .containsExactly("b");
    }

    @Test
    void refusesALeaseThatCannotBeKept() {
        assertThatThrownBy(
                        () ->
                                options(Map.of("leader-election.enabled", "true"), Map.of())
                                        .leaderElection()
                                        .terms(settings(Map.of())))
                .hasMessageContaining("lease-name: is missing");
        assertThatThrownBy(
                        () ->
                                options(
                                                Map.of(
                                                        "leader-election.enabled", "true",
                                                        "leader-election.lease-name", "mine",
                                                        "leader-election.lease-duration", "5 s"),
                                                Map.of())
                                        .leaderElection()
                                        .terms(settings(Map.of())))
                .hasMessageContaining("must each be longer than the next");
    }

    private static OperatorOptions options(
            Map<String, String> keys, Map<String, String> environment) {
        Map<String, String> full = new HashMap<>();
        keys.forEach((key, value) -> full.put("kubernetes.operator." + key, value));
        return OperatorOptions.of(
                new DefaultConfiguration(new FlinkConfiguration(full)), settings(environment));
    }

    private static Settings settings(Map<String, String> more) {
        Map<String, String> environment = new HashMap<>(more);
        environment.put("SLUICE_NAMESPACE", "home");
        environment.put("POD_NAME", "pod-1");
        return Settings.from(environment);
    }
}
