// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.config;

import io.sluice.flink.rest.http.AnswerLimits;
import io.sluice.flink.rest.http.HttpLimits;
import io.sluice.process.Scope;
import io.sluice.rules.config.AnswerOptions;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.option.ClientOptions;
import io.sluice.rules.config.option.OperatorOption;
import io.sluice.rules.config.option.ProcessOptions;
import java.time.Duration;
import java.util.Optional;

/**
 * The operator's own options, read once from its configuration ({@code
 * docs/reference/configuration.md}).
 *
 * @param parallelism how many reconciliations may be at work at a time; empty for no limit
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
    /**
     * How a reconciliation that failed is tried again.
     *
     * @param attempts empty for never giving up
     */
    public record RetryTerms(
            Duration first, Duration longest, double multiplier, Optional<Integer> attempts) {
        static RetryTerms of(Options options) {
            return new RetryTerms(
                    options.get(ProcessOptions.RETRY_INITIAL_INTERVAL),
                    options.get(ProcessOptions.RETRY_MAX_INTERVAL),
                    options.get(ProcessOptions.RETRY_INTERVAL_MULTIPLIER),
                    Optional.of(options.get(ProcessOptions.RETRY_MAX_ATTEMPTS))
                            .filter(attempts -> attempts >= 0));
        }
    }

    /** So many reconciliations of a resource in each period. */
    public record RateTerms(Duration period, int limit) {
        static Optional<RateTerms> of(Options options) {
            int limit = options.get(ProcessOptions.RATE_LIMITER_LIMIT);
            return Optional.of(options.get(ProcessOptions.RATE_LIMITER_PERIOD))
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
                    options.value(ProcessOptions.LEADER_ELECTION).orElse(lease.isPresent()),
                    options.get(ProcessOptions.LEASE_NAME).or(() -> lease),
                    options.get(ProcessOptions.LEASE_DURATION),
                    options.get(ProcessOptions.LEASE_RENEW_DEADLINE),
                    options.get(ProcessOptions.LEASE_RETRY_PERIOD));
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
                        ProcessOptions.LEASE_NAME.key() + ": is missing; name the Lease");
            }
            if (renewDeadline.compareTo(lease) >= 0 || retryPeriod.compareTo(renewDeadline) >= 0) {
                throw new Settings.Unusable(
                        "%sleader-election: lease-duration %s, renew-deadline %s and retry-period %s must each be longer than the next"
                                .formatted(
                                        OperatorOption.PREFIX, lease, renewDeadline, retryPeriod));
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
        return HttpLimits.of(AnswerOptions.read(options, AnswerLimits::new))
                .withRequest(options.get(ClientOptions.TIMEOUT));
    }

    public static OperatorOptions of(DefaultConfiguration configuration, Settings settings) {
        Options options = new Options(configuration.own());
        int parallelism = options.get(ProcessOptions.RECONCILE_PARALLELISM);
        return new OperatorOptions(
                Scope.of(options, settings.watchNamespaces(), settings.namespace()),
                Optional.of(parallelism).filter(number -> number > 0),
                RetryTerms.of(options),
                RateTerms.of(options),
                options.get(ProcessOptions.TERMINATION_TIMEOUT),
                rest(options),
                LeaderElection.of(options, settings.lease()));
    }
}
