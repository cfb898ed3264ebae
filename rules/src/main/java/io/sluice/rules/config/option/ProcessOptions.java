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
                    .now(
                            "The pause until a resource is reconciled again while nothing is in"
                                    + " progress.");

    public static final Option<Duration> PROGRESS_CHECK_INTERVAL =
            OPTIONS.option("observer.progress-check.interval", DURATION, "10 s")
                    .now(
                            "The pause until a resource is reconciled again while something is in"
                                    + " progress.");

    public static final Option<Boolean> DYNAMIC_CONFIG =
            OPTIONS.option("dynamic.config.enabled", FLAG, "true")
                    .atStart(
                            "Whether all three processes read the configuration's files again and"
                                    + " again.");

    public static final Option<Duration> DYNAMIC_CONFIG_INTERVAL =
            OPTIONS.option("dynamic.config.check.interval", DURATION, "5 min")
                    .where(interval -> interval.compareTo(SHORTEST) >= 0)
                    .now(
                            "How often the files are read. A change takes effect after the next"
                                    + " read.");

    public static final Option<List<String>> WATCHED_NAMESPACES =
            OPTIONS.option("watched.namespaces", LIST, "JOSDK_ALL_NAMESPACES")
                    .now(
                            "The namespaces to serve, separated by commas. The environment variable"
                                    + " SLUICE_WATCH_NAMESPACES (watchNamespaces of the chart)"
                                    + " has priority.");

    public static final Option<Optional<String>> WATCHED_NAMESPACES_SELECTOR =
            OPTIONS.option("watched.namespaces.selector", TEXT)
                    .atStart(
                            "A label selector of the namespaces to serve. It has priority over"
                                    + " watched.namespaces, and SLUICE_WATCH_NAMESPACES over"
                                    + " both.");

    public static final Option<Boolean> DYNAMIC_NAMESPACES =
            OPTIONS.option("dynamic.namespaces.enabled", FLAG, "false")
                    .now(
                            "Whether namespaces that are added to watched.namespaces are served"
                                    + " without a restart. One that is removed is served until"
                                    + " the next restart. The option has no effect with"
                                    + " SLUICE_WATCH_NAMESPACES or a selector.");

    public static final Option<Optional<String>> LABEL_SELECTOR =
            OPTIONS.option("label.selector", TEXT)
                    .atStart("A label selector of the resources to serve.");

    public static final Option<Boolean> LEADER_ELECTION =
            OPTIONS.option("leader-election.enabled", FLAG, "false")
                    .atStart("Whether several operators elect a leader. This needs lease-name.");

    public static final Option<Optional<String>> LEASE_NAME =
            OPTIONS.option("leader-election.lease-name", TEXT)
                    .atStart("The name of the Lease in the operator's namespace.");

    public static final Option<Duration> LEASE_DURATION =
            OPTIONS.option("leader-election.lease-duration", DURATION, "15 s")
                    .atStart(
                            "How long a Lease that was not renewed is respected by the other"
                                    + " operators.");

    public static final Option<Duration> LEASE_RENEW_DEADLINE =
            OPTIONS.option("leader-election.renew-deadline", DURATION, "10 s")
                    .atStart("How long the leader tries to renew the Lease before it ends.");

    public static final Option<Duration> LEASE_RETRY_PERIOD =
            OPTIONS.option("leader-election.retry-period", DURATION, "2 s")
                    .atStart("The pause between two tries.");

    public static final Option<Integer> RECONCILE_PARALLELISM =
            OPTIONS.option("reconcile.parallelism", NUMBER, "24")
                    .formerly("reconciler.max.parallelism")
                    .atStart(
                            "How many reconciliations run at a time, without those that wait for a"
                                    + " JobManager. -1 means no limit.");

    public static final Option<Duration> RETRY_INITIAL_INTERVAL =
            OPTIONS.option("retry.initial.interval", DURATION, "5 s")
                    .atStart("The pause after a reconciliation that failed.");

    public static final Option<Duration> RETRY_MAX_INTERVAL =
            OPTIONS.option("retry.max.interval", DURATION, "5 min")
                    .atStart("The longest of these pauses.");

    public static final Option<Double> RETRY_INTERVAL_MULTIPLIER =
            OPTIONS.option("retry.interval.multiplier", DECIMAL, "1.5")
                    .atStart("How much longer each of these pauses is than the one before.");

    public static final Option<Integer> RETRY_MAX_ATTEMPTS =
            OPTIONS.option("retry.max.attempts", NUMBER, "-1")
                    .atStart(
                            "How often a reconciliation that failed is repeated. -1 means without"
                                    + " limit.");

    public static final Option<Duration> RATE_LIMITER_PERIOD =
            OPTIONS.option("rate-limiter.refresh-period", DURATION, "0 s")
                    .atStart("The period of rate-limiter.limit. 0 s means no limit.");

    public static final Option<Integer> RATE_LIMITER_LIMIT =
            OPTIONS.option("rate-limiter.limit", NUMBER, "5")
                    .atStart(
                            "How many reconciliations a resource may have in each"
                                    + " rate-limiter.refresh-period.");

    public static final Option<Duration> TERMINATION_TIMEOUT =
            OPTIONS.option("termination.timeout", DURATION, "10 s")
                    .atStart(
                            "How long the operator waits for running reconciliations when it"
                                    + " ends.");

    public static final Option<Boolean> INGRESS_MANAGE =
            OPTIONS.option("ingress.manage", FLAG, "true")
                    .atStart("Whether the operator creates Ingresses for spec.ingress.");

    public static final Option<Optional<String>> INGRESS_GATEWAY =
            OPTIONS.option("ingress.gateway", TEXT)
                    .addedBySluice()
                    .atStart(
                            "A Gateway, as namespace/name or namespace/name#listener. The operator"
                                    + " then creates HTTPRoutes for spec.ingress. className and"
                                    + " tls have no effect, because the Gateway decides on them.");

    public static final Option<String> LOG_LEVEL =
            OPTIONS.option(
                            "log.level",
                            oneOf("ALL", "TRACE", "DEBUG", "INFO", "WARN", "ERROR", "OFF"),
                            "INFO")
                    .addedBySluice()
                    .now(
                            "The level of Sluice's own log messages. Until the files are read, it"
                                    + " is that of the environment variable SLUICE_LOG_LEVEL.");

    public static final Option<String> LOG_FORMAT =
            OPTIONS.option("log.format", oneOf("json", "text"), "json")
                    .addedBySluice()
                    .now(
                            "The format of log messages. Until the files are read, it is that of"
                                    + " the environment variable SLUICE_LOG_FORMAT.");

    /** All of these, in the order of the reference. */
    static final List<OperatorOption> ALL = OPTIONS.declared();

    private ProcessOptions() {}
}
