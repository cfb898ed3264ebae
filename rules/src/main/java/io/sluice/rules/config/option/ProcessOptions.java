// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.option;

import static io.sluice.rules.config.option.OptionType.DECIMAL;
import static io.sluice.rules.config.option.OptionType.DURATION;
import static io.sluice.rules.config.option.OptionType.FLAG;
import static io.sluice.rules.config.option.OptionType.LIST;
import static io.sluice.rules.config.option.OptionType.NUMBER;
import static io.sluice.rules.config.option.OptionType.TEXT;
import static io.sluice.rules.config.option.OptionType.oneOf;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** What the operator reconciles, how often and how many at a time, who leads, and what it logs. */
public final class ProcessOptions {
    private static final OptionGroup OPTIONS = new OptionGroup();

    /** What would not be waited for at all counts as not set. */
    private static final Duration SHORTEST = Duration.ofMillis(1);

    public static final Option<Duration> RECONCILE_INTERVAL =
            OPTIONS.option("reconcile.interval", DURATION, "60 s")
                    .formerly("reconciler.reschedule.interval")
                    .checkedInResources()
                    .now("how long until a resource at rest is looked at again");

    public static final Option<Duration> PROGRESS_CHECK_INTERVAL =
            OPTIONS.option("observer.progress-check.interval", DURATION, "10 s")
                    .now("the same while something is under way");

    public static final Option<Boolean> DYNAMIC_CONFIG =
            OPTIONS.option("dynamic.config.enabled", FLAG, "true")
                    .atStart(
                            "read the configuration's files again and again, in all three"
                                    + " processes");

    public static final Option<Duration> DYNAMIC_CONFIG_INTERVAL =
            OPTIONS.option("dynamic.config.check.interval", DURATION, "5 min")
                    .where(interval -> interval.compareTo(SHORTEST) >= 0)
                    .now("how often; another one holds from the next look on");

    public static final Option<List<String>> WATCHED_NAMESPACES =
            OPTIONS.option("watched.namespaces", LIST, "JOSDK_ALL_NAMESPACES")
                    .now(
                            "names with commas between; the environment variable"
                                    + " SLUICE_WATCH_NAMESPACES (watchNamespaces of the chart)"
                                    + " goes before it");

    public static final Option<Optional<String>> WATCHED_NAMESPACES_SELECTOR =
            OPTIONS.option("watched.namespaces.selector", TEXT)
                    .atStart(
                            "a label selector of namespaces; goes before watched.namespaces, and"
                                    + " SLUICE_WATCH_NAMESPACES before both");

    public static final Option<Boolean> DYNAMIC_NAMESPACES =
            OPTIONS.option("dynamic.namespaces.enabled", FLAG, "false")
                    .now(
                            "take up namespaces added to watched.namespaces without a restart; one"
                                    + " that is left out is served until the next; without effect"
                                    + " beside SLUICE_WATCH_NAMESPACES or a selector");

    public static final Option<Optional<String>> LABEL_SELECTOR =
            OPTIONS.option("label.selector", TEXT)
                    .atStart("a label selector of resources");

    public static final Option<Boolean> LEADER_ELECTION =
            OPTIONS.option("leader-election.enabled", FLAG, "false")
                    .atStart("several operators of which one acts; needs lease-name");

    public static final Option<Optional<String>> LEASE_NAME =
            OPTIONS.option("leader-election.lease-name", TEXT)
                    .atStart("name of the Lease in the operator's namespace");

    public static final Option<Duration> LEASE_DURATION =
            OPTIONS.option("leader-election.lease-duration", DURATION, "15 s")
                    .atStart("after which others may take a lease that was not renewed");

    public static final Option<Duration> LEASE_RENEW_DEADLINE =
            OPTIONS.option("leader-election.renew-deadline", DURATION, "10 s")
                    .atStart("after which a leader that can't renew it ends");

    public static final Option<Duration> LEASE_RETRY_PERIOD =
            OPTIONS.option("leader-election.retry-period", DURATION, "2 s")
                    .atStart("between two tries");

    public static final Option<Integer> RECONCILE_PARALLELISM =
            OPTIONS.option("reconcile.parallelism", NUMBER, "24")
                    .formerly("reconciler.max.parallelism")
                    .atStart(
                            "passes at work at a time, not counting those that wait for a"
                                    + " JobManager; -1 for no limit");

    public static final Option<Duration> RETRY_INITIAL_INTERVAL =
            OPTIONS.option("retry.initial.interval", DURATION, "5 s")
                    .atStart("after a pass that failed");

    public static final Option<Duration> RETRY_MAX_INTERVAL =
            OPTIONS.option("retry.max.interval", DURATION, "5 min")
                    .atStart("the longest of these");

    public static final Option<Double> RETRY_INTERVAL_MULTIPLIER =
            OPTIONS.option("retry.interval.multiplier", DECIMAL, "1.5")
                    .atStart("by which each is longer than the one before");

    public static final Option<Integer> RETRY_MAX_ATTEMPTS =
            OPTIONS.option("retry.max.attempts", NUMBER, "-1")
                    .atStart("-1 for never giving up");

    public static final Option<Duration> RATE_LIMITER_PERIOD =
            OPTIONS.option("rate-limiter.refresh-period", DURATION, "0 s")
                    .atStart(
                            "with rate-limiter.limit: so many passes for a resource in each"
                                    + " period");

    public static final Option<Integer> RATE_LIMITER_LIMIT =
            OPTIONS.option("rate-limiter.limit", NUMBER, "5")
                    .atStart("no limit while the period is nothing");

    public static final Option<Duration> TERMINATION_TIMEOUT =
            OPTIONS.option("termination.timeout", DURATION, "10 s")
                    .atStart("for passes under way when the operator ends");

    public static final Option<Boolean> INGRESS_MANAGE =
            OPTIONS.option("ingress.manage", FLAG, "true")
                    .atStart("make Ingresses of spec.ingress");

    public static final Option<Optional<String>> INGRESS_GATEWAY =
            OPTIONS.option("ingress.gateway", TEXT)
                    .atStart(
                            "namespace/name or namespace/name#listener of a Gateway: spec.ingress"
                                    + " then makes HTTPRoutes to it; className and tls have no"
                                    + " effect, as they are the Gateway's");

    public static final Option<String> LOG_LEVEL =
            OPTIONS.option(
                            "log.level",
                            oneOf("ALL", "TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF"),
                            "INFO")
                    .now(
                            "of Sluice's own logs; the environment variable SLUICE_LOG_LEVEL"
                                    + " before the files were read");

    public static final Option<String> LOG_FORMAT =
            OPTIONS.option("log.format", oneOf("json", "text"), "json")
                    .now("the environment variable SLUICE_LOG_FORMAT before the files were read");

    /** All of these, in the order of the reference. */
    static final List<OperatorOption> ALL = OPTIONS.declared();

    private ProcessOptions() {}
}
