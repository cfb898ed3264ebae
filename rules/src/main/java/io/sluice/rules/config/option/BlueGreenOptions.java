// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.option;

import static io.sluice.rules.config.option.OptionType.DURATION;
import static io.sluice.rules.config.option.OptionType.NUMBER;
import static io.sluice.rules.config.option.OptionType.oneOf;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * How the two halves of a FlinkBlueGreenDeployment take turns. They are read from its {@code
 * spec.configuration} and from nowhere else.
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

    /** All of these, in the order of the reference. */
    static final List<OperatorOption> ALL = OPTIONS.declared();

    /** Their names begin so. */
    public static final String PREFIX = OperatorOption.PREFIX + "bluegreen.";

    private BlueGreenOptions() {}

    /** The option of this key; empty if there is none. */
    public static Optional<OperatorOption> of(String key) {
        return ALL.stream().filter(option -> option.key().equals(key)).findFirst();
    }
}
