// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.config;

import io.sluice.flink.rest.http.AnswerLimits;
import io.sluice.flink.rest.http.HttpLimits;
import io.sluice.process.Scope;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import java.time.Duration;
import java.util.Optional;

/**
 * The operator's own options, read once from its configuration ({@code
 * docs/reference/configuration.md}).
 *
 * @param parallelism passes at a time; empty for no limit
 * @param termination for reconciliations under way when the operator ends
 * @param rest how long and how much a JobManager may answer
 */
public record OperatorOptions(
        Scope scope,
        Optional<Integer> parallelism,
        RetryTerms retry,
        Optional<RateTerms> rate,
        Duration termination,
        HttpLimits rest,
        LeaderElection leaderElection) {
    private static final String PREFIX = "kubernetes.operator.";
    private static final int PASSES = 24;

    /**
     * How a reconciliation that failed is tried again.
     *
     * @param attempts empty for never giving up
     */
    public record RetryTerms(
            Duration first, Duration longest, double multiplier, Optional<Integer> attempts) {
        static RetryTerms of(Options options) {
            return new RetryTerms(
                    options.duration("kubernetes.operator.retry.initial.interval")
                            .orElse(Duration.ofSeconds(5)),
                    options.duration("kubernetes.operator.retry.max.interval")
                            .orElse(Duration.ofMinutes(5)),
                    options.decimal("kubernetes.operator.retry.interval.multiplier").orElse(1.5),
                    Optional.of(options.number("kubernetes.operator.retry.max.attempts", -1))
                            .filter(attempts -> attempts >= 0));
        }
    }

    /** So many reconciliations of a resource in each period. */
    public record RateTerms(Duration period, int limit) {
        private static final int LIMIT = 5;

        static Optional<RateTerms> of(Options options) {
            int limit = options.number("kubernetes.operator.rate-limiter.limit", LIMIT);
            return options.duration("kubernetes.operator.rate-limiter.refresh-period")
                    .filter(Duration::isPositive)
                    .filter(_ -> limit > 0)
                    .map(period -> new RateTerms(period, limit));
        }
    }

    /**
     * As configured.
     *
     * @param leaseName empty if it is not named
     */
    public record LeaderElection(
            boolean enabled,
            Optional<String> leaseName,
            Duration lease,
            Duration renewDeadline,
            Duration retryPeriod) {
        static LeaderElection of(Options options, Optional<String> lease) {
            return new LeaderElection(
                    options.flag("kubernetes.operator.leader-election.enabled", lease.isPresent()),
                    options.text("kubernetes.operator.leader-election.lease-name").or(() -> lease),
                    options.duration("kubernetes.operator.leader-election.lease-duration")
                            .orElse(Duration.ofSeconds(15)),
                    options.duration("kubernetes.operator.leader-election.renew-deadline")
                            .orElse(Duration.ofSeconds(10)),
                    options.duration("kubernetes.operator.leader-election.retry-period")
                            .orElse(Duration.ofSeconds(2)));
        }

        /**
         * @return empty without leader election
         * @throws Settings.Unusable if the terms can't be kept
         */
        public Optional<LeaseTerms> terms(Settings settings) {
            if (!enabled) {
                return Optional.empty();
            }
            if (leaseName.isEmpty()) {
                throw new Settings.Unusable(
                        PREFIX + "leader-election.lease-name: is missing; name the Lease");
            }
            if (renewDeadline.compareTo(lease) >= 0 || retryPeriod.compareTo(renewDeadline) >= 0) {
                throw new Settings.Unusable(
                        "%sleader-election: lease-duration %s, renew-deadline %s and retry-period %s must each be longer than the next"
                                .formatted(PREFIX, lease, renewDeadline, retryPeriod));
            }
            return Optional.of(
                    new LeaseTerms(
                            settings.namespace(),
                            leaseName.get(),
                            settings.identity(),
                            lease,
                            renewDeadline,
                            retryPeriod));
        }
    }

    private static HttpLimits rest(Options options) {
        return HttpLimits.DEFAULT
                .withRequest(
                        options.duration("kubernetes.operator.flink.client.timeout")
                                .filter(Duration::isPositive)
                                .orElse(Duration.ofSeconds(5)))
                .withAnswers(
                        AnswerLimits.of(
                                (key, otherwise) ->
                                        options.memory(key)
                                                .map(size -> Math.toIntExact(size.bytes()))
                                                .orElse(otherwise),
                                options::number));
    }

    public static OperatorOptions of(DefaultConfiguration configuration, Settings settings) {
        Options options = new Options(configuration.own());
        int parallelism = options.number("kubernetes.operator.reconcile.parallelism", PASSES);
        return new OperatorOptions(
                Scope.of(options, settings.watchNamespaces(), settings.namespace()),
                Optional.of(parallelism).filter(number -> number > 0),
                RetryTerms.of(options),
                RateTerms.of(options),
                options.duration("kubernetes.operator.termination.timeout")
                        .orElse(Duration.ofSeconds(10)),
                rest(options),
                LeaderElection.of(options, settings.lease()));
    }
}
