// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.option;

import static io.sluice.rules.config.option.OptionType.DECIMAL;
import static io.sluice.rules.config.option.OptionType.DURATION;
import static io.sluice.rules.config.option.OptionType.LIST;
import static io.sluice.rules.config.option.OptionType.NUMBER;
import static io.sluice.rules.config.option.OptionType.TEXT;
import static io.sluice.rules.config.option.OptionType.WEB_ADDRESS;
import static io.sluice.rules.config.option.OptionType.oneOf;

import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How the two halves of a FlinkBlueGreenDeployment take turns. What a resource may set is read from
 * its {@code spec.configuration} and from nowhere else; where Prometheus is and what it is asked
 * come from the operator's configuration only.
 */
public final class BlueGreenOptions {
    private static final String OF_PAIRS = " In spec.configuration of a FlinkBlueGreenDeployment.";
    private static final OptionGroup OPTIONS = new OptionGroup();

    public static final Option<Duration> GRACE_PERIOD =
            OPTIONS.option("bluegreen.abort.grace-period", DURATION, "10 min")
                    .where(period -> !period.isNegative())
                    .ofResourcesToo()
                    .now(
                            "How long the savepoint of a transition may take, and after it the"
                                    + " start of the other half, before the transition is aborted."
                                    + OF_PAIRS);

    public static final Option<Duration> DELETION_DELAY =
            OPTIONS.option("bluegreen.deployment-deletion.delay", DURATION, "0 s")
                    .where(delay -> !delay.isNegative())
                    .ofResourcesToo()
                    .now(
                            "How long the former half stays once the other one is promoted. Within"
                                    + " this time a half that fails is replaced by the former one."
                                    + OF_PAIRS);

    public static final Option<Duration> RESCHEDULE_INTERVAL =
            OPTIONS.option("bluegreen.reconciliation.reschedule-interval", DURATION, "15 s")
                    .where(pause -> pause.isPositive())
                    .ofResourcesToo()
                    .now(
                            "The longest pause between two looks at a transition. Changes of the"
                                    + " halves are seen at once."
                                    + OF_PAIRS);

    public static final Option<String> HANDOVER =
            OPTIONS.option("bluegreen.handover", oneOf("overlap", "stop-first"), "overlap")
                    .ofResourcesToo()
                    .addedBySluice()
                    .now(
                            "Whether the former half runs until the other one has proven itself"
                                    + " (overlap), or is stopped with a savepoint before the other"
                                    + " one is started (stop-first)."
                                    + OF_PAIRS);

    public static final Option<String> PROMOTION =
            OPTIONS.option("bluegreen.promotion", oneOf("auto", "manual"), "auto")
                    .ofResourcesToo()
                    .addedBySluice()
                    .now(
                            "Whether the other half is promoted once it has proven itself (auto),"
                                    + " or when the annotation sluice.io/promote names the"
                                    + " generation of the transition (manual)."
                                    + OF_PAIRS);

    public static final Option<Duration> PROMOTION_DEADLINE =
            OPTIONS.option("bluegreen.promotion.deadline", DURATION, "1 h")
                    .where(period -> !period.isNegative())
                    .ofResourcesToo()
                    .addedBySluice()
                    .now(
                            "How long a transition waits for its approval before it is aborted."
                                    + OF_PAIRS);

    public static final Option<Duration> ANALYSIS_DURATION =
            OPTIONS.option("bluegreen.analysis.duration", DURATION, "0 s")
                    .where(period -> !period.isNegative())
                    .ofResourcesToo()
                    .addedBySluice()
                    .now(
                            "How long the other half has to run without a break before it is"
                                    + " promoted. With 0 it is promoted as soon as it runs."
                                    + OF_PAIRS);

    public static final Option<Duration> ANALYSIS_INTERVAL =
            OPTIONS.option("bluegreen.analysis.interval", DURATION, "15 s")
                    .where(Duration::isPositive)
                    .ofResourcesToo()
                    .addedBySluice()
                    .now("The pause between two looks of the analysis." + OF_PAIRS);

    public static final Option<Integer> ANALYSIS_FAILURE_LIMIT =
            OPTIONS.option("bluegreen.analysis.failure-limit", NUMBER, "3")
                    .where(looks -> looks > 0)
                    .ofResourcesToo()
                    .addedBySluice()
                    .now(
                            "At how many looks in a row one of the checks max-lag-ratio,"
                                    + " max-watermark-delay and queries has to fail before the"
                                    + " transition is aborted. A look at which its value is not"
                                    + " known does not count, and does not end the row."
                                    + OF_PAIRS);

    public static final Option<Optional<Double>> ANALYSIS_MAX_LAG_RATIO =
            OPTIONS.option("bluegreen.analysis.max-lag-ratio", DECIMAL)
                    .where(ratio -> ratio.filter(it -> it > 0).isPresent())
                    .ofResourcesToo()
                    .addedBySluice()
                    .now(
                            "How many times as many pending records as those of the active half the"
                                    + " sources of the other half may have. Not checked unless it"
                                    + " is set."
                                    + OF_PAIRS);

    public static final Option<Integer> ANALYSIS_TOLERATED_LAG =
            OPTIONS.option("bluegreen.analysis.tolerated-lag", NUMBER, "1000")
                    .where(records -> records >= 0)
                    .ofResourcesToo()
                    .addedBySluice()
                    .now(
                            "So many pending records of the other half are never too many for"
                                    + " max-lag-ratio, whatever the active half has."
                                    + OF_PAIRS);

    public static final Option<Optional<Duration>> ANALYSIS_MAX_WATERMARK_DELAY =
            OPTIONS.option("bluegreen.analysis.max-watermark-delay", DURATION)
                    .where(delay -> delay.filter(it -> !it.isNegative()).isPresent())
                    .ofResourcesToo()
                    .addedBySluice()
                    .now(
                            "How far the watermark of the other half may be behind that of the"
                                    + " active half. Not checked unless it is set."
                                    + OF_PAIRS);

    public static final Option<List<String>> ANALYSIS_QUERIES =
            OPTIONS.option("bluegreen.analysis.queries", LIST, "")
                    .ofResourcesToo()
                    .addedBySluice()
                    .now(
                            "Names of queries of the operator's configuration"
                                    + " (kubernetes.operator.bluegreen.query.*) whose values are"
                                    + " checked. At most 10."
                                    + OF_PAIRS);

    public static final Option<Integer> ANALYSIS_MAX_RESTARTS =
            OPTIONS.option("bluegreen.analysis.max-restarts", NUMBER, "0")
                    .where(restarts -> restarts >= 0)
                    .ofResourcesToo()
                    .addedBySluice()
                    .now(
                            "How often the job of the other half may restart during the analysis"
                                    + " before the transition is aborted."
                                    + OF_PAIRS);

    public static final Option<Integer> ANALYSIS_MIN_CHECKPOINTS =
            OPTIONS.option("bluegreen.analysis.min-checkpoints", NUMBER, "1")
                    .where(checkpoints -> checkpoints >= 0)
                    .ofResourcesToo()
                    .addedBySluice()
                    .now(
                            "How many checkpoints the job of the other half has to complete during"
                                    + " the analysis."
                                    + OF_PAIRS);

    public static final Option<String> ANALYSIS_ON_INCONCLUSIVE =
            OPTIONS.option(
                            "bluegreen.analysis.on-inconclusive",
                            oneOf("promote", "abort"),
                            "promote")
                    .ofResourcesToo()
                    .addedBySluice()
                    .now(
                            "What is done at the end of an analysis of which some figure is not"
                                    + " known."
                                    + OF_PAIRS);

    public static final Option<Optional<URI>> PROMETHEUS_ADDRESS =
            OPTIONS.option("bluegreen.prometheus.address", WEB_ADDRESS)
                    .addedBySluice()
                    .now(
                            "Where the queries of analyses are asked, such as"
                                    + " http://prometheus.monitoring:9090, without /api.");

    public static final Option<Optional<String>> PROMETHEUS_TOKEN_FILE =
            OPTIONS.option("bluegreen.prometheus.token-file", TEXT)
                    .addedBySluice()
                    .now(
                            "A file in the operator's pod with a bearer token for that address,"
                                    + " which then has to begin with https. It is read for each"
                                    + " look.");

    public static final Option<Optional<String>> PROMETHEUS_CA_FILE =
            OPTIONS.option("bluegreen.prometheus.ca-file", TEXT)
                    .addedBySluice()
                    .now(
                            "A file in the operator's pod with the certificates, in PEM, that are"
                                    + " trusted at that address. Without it, those that Java"
                                    + " trusts.");

    /** Stands for every key of {@link io.sluice.rules.config.AnalysisQueries}. */
    public static final Option<Optional<String>> QUERY =
            OPTIONS.option("bluegreen.query.*", TEXT)
                    .addedBySluice()
                    .now(
                            "Queries that analyses may name: query.NAME.text in PromQL, whose"
                                    + " result has to be one value, and query.NAME.min or"
                                    + " query.NAME.max or both. {{namespace}}, {{name}}, {{half}}"
                                    + " and {{active}} stand for the namespace, the pair, and the"
                                    + " FlinkDeployments of the other half and of the active"
                                    + " half.");

    /** All of these, in the order of the reference. */
    static final List<OperatorOption> ALL = OPTIONS.declared();

    /** Their names begin so. */
    public static final String PREFIX = OperatorOption.PREFIX + "bluegreen.";

    private BlueGreenOptions() {}

    /** The option of this key; empty if there is none. */
    public static Optional<OperatorOption> of(String key) {
        return ALL.stream().filter(option -> option.isMeantBy(key)).findFirst();
    }
}
