// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import io.sluice.autoscaler.collect.EngineOptions;
import io.sluice.autoscaler.collect.Ineffective;
import io.sluice.autoscaler.collect.JobKind;
import io.sluice.autoscaler.collect.JobOptions;
import io.sluice.autoscaler.decide.Engine;
import io.sluice.autoscaler.decide.EngineEvent;
import io.sluice.autoscaler.decide.EngineJob;
import io.sluice.autoscaler.decide.Evaluation;
import io.sluice.autoscaler.explain.Pace;
import io.sluice.autoscaler.govern.Bottlenecks;
import io.sluice.autoscaler.govern.Budget;
import io.sluice.autoscaler.govern.Capacities;
import io.sluice.autoscaler.govern.Consumption;
import io.sluice.autoscaler.govern.GovernedProposal;
import io.sluice.autoscaler.govern.Governor;
import io.sluice.autoscaler.govern.GovernorState;
import io.sluice.autoscaler.govern.Prices;
import io.sluice.autoscaler.govern.Proposal;
import io.sluice.autoscaler.govern.Saturation;
import io.sluice.autoscaler.govern.ScalePlan;
import io.sluice.autoscaler.govern.Sizing;
import io.sluice.autoscaler.govern.SteadyLoad;
import io.sluice.autoscaler.history.Arrivals;
import io.sluice.autoscaler.history.Direction;
import io.sluice.autoscaler.history.History;
import io.sluice.autoscaler.history.Rescale;
import io.sluice.rules.config.option.AutoscalerOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Steers one job: the engine proposes, the sizing sizes, the governor decides. Knows of no cluster;
 * whoever looks carries out what it says, or the look leaves no trace but its samples.
 */
public final class JobScaler {
    private static final Logger LOG = LoggerFactory.getLogger(JobScaler.class);
    private static final Duration EXPECTED_UPGRADE = Duration.ofMinutes(2);
    private static final Duration EXPECTED_IN_PLACE = Duration.ofSeconds(15);
    private static final Duration LONGEST_IDLE = Duration.ofMinutes(10);

    private final Engine engine;
    private History history = History.NONE;
    private SteadyLoad steadyLoad = SteadyLoad.NONE;
    private Arrivals arrivals = Arrivals.NONE;
    private Capacities capacities = Capacities.NONE;
    private Saturation saturation = Saturation.NONE;
    private boolean isLate;
    private Optional<Rescale> underWay = Optional.empty();
    private boolean isFitting;
    private Optional<Reading> lastLook = Optional.empty();
    private Optional<Instant> shortSince = Optional.empty();
    private List<String> ignored = List.of();
    private Duration sinceLastLook = Duration.ZERO;

    public JobScaler(Engine engine) {
        this.engine = engine;
    }

    public Engine engine() {
        return engine;
    }

    public History history() {
        return history;
    }

    /** The scaler goes on with what was stored. */
    public void recall(GovernorState stored) {
        history = stored.history();
        steadyLoad = stored.steadyLoad();
        arrivals = stored.arrivals();
        capacities = stored.capacities();
        saturation = stored.saturation();
    }

    /** Returns what {@link #recall} needs to go on after a restart. */
    public GovernorState governorState() {
        return new GovernorState(history, steadyLoad, arrivals, capacities, saturation);
    }

    /** One look. What is held is forgotten by the engine too. Throws what the engine throws. */
    public CycleResult look(EngineJob job, CycleContext at) throws Exception {
        mindTheClock(new Reading(at.now(), at.uptime()));
        var published = engine.overrides();
        JobOptions options = new JobOptions(at.options());
        Budget usual = Budget.of(options, at.pause());
        boolean isCalm = steadyLoad.lasts(usual.calm(), at.now());
        Budget budget = isCalm ? usual.whileCalm() : usual;
        Evaluation evaluation =
                engine.evaluate(
                        isLate
                                ? job.with(EngineOptions.hurried(at.options()))
                                : isCalm ? job.with(EngineOptions.exactly(at.options())) : job);
        boolean wantsChange = !evaluation.proposed().equals(published);
        arrivals = arrivals.seen(evaluation.arrivals(), at.now());
        Duration restart =
                restart(options, EngineOptions.isRestarted(at.options()), engine.restartTime());
        Proposal asked =
                new Proposal(
                        at.now(),
                        at.health().get(),
                        new Vertices(evaluation, published, engine.observations(), capacities)
                                .of(at.vertices(), ratio(options, restart)),
                        evaluation.trend(),
                        Duration.ZERO,
                        Duration.ZERO,
                        restart,
                        at.taskManager(),
                        at.slotsEach(),
                        arePaidTogether(job, usual) ? at.slotsEach() : 1,
                        0);
        asked = asked.withPendingFor(pendingFor(asked));
        asked = wantsChange ? asked.withEnvelope(envelope(asked, usual)) : asked;
        isLate = usual.isLate(Bottlenecks.respected(asked));
        Pace pace = pace(evaluation, asked, usual);
        isFitting = isCalm;
        steadyLoad = evaluation.windowFull() ? steadyLoad.seen(asked) : steadyLoad.interrupted();
        capacities = evaluation.windowFull() ? capacities.seen(asked) : capacities;
        saturation = evaluation.windowFull() ? saturation.seen(asked) : saturation;
        asked = saturation.respected(asked);
        Sizing sizing = Sizing.of(options);
        Proposal proposal =
                !wantsChange
                        ? asked
                        : isCalm ? steadyLoad.fit(asked, sizing, budget) : sizing.of(asked);
        GovernedProposal governed =
                GovernedProposal.of(proposal.withShortFor(shortFor(proposal)), history);
        remember(evaluation, governed.shown());
        ScalePlan plan =
                Governor.decide(
                        governed,
                        budget,
                        at.rescalingLimits().apply(governed.rest().added()),
                        history);
        if (wantsChange && plan instanceof ScalePlan.Hold) {
            engine.reject();
        }
        var consumption = Consumption.of(asked, sizing.target(), Prices.of(options));
        return new CycleResult(
                evaluation,
                governed,
                budget,
                plan,
                consumption,
                pace,
                isCalm,
                ignored(options, at));
    }

    /** The proposal is published: it counts. Returns the report of it. */
    public EngineEvent apply(ScalePlan.Apply plan, Instant now) {
        steadyLoad = isFitting ? steadyLoad.met() : steadyLoad;
        underWay =
                Optional.of(
                        new Rescale(
                                now, plan.direction(), isLate && plan.direction() == Direction.UP));
        history = underWay.map(history::with).orElse(history);
        return engine.accept(plan.overrides());
    }

    /**
     * How long a rescale stops a job: what was measured, or what the user says while nothing was or
     * nothing may be. What is measured begins with the decision; in place the job goes on until its
     * new slots are there, so that more than a little of it is no pause.
     *
     * @param upgraded whether a rescale is an upgrade
     */
    static Duration restart(JobOptions options, boolean upgraded, Optional<Duration> measured) {
        Optional<Duration> said = options.durationIfSet(AutoscalerOptions.RESTART_TIME);
        Optional<Duration> felt =
                measured.filter(time -> upgraded || time.compareTo(EXPECTED_IN_PLACE) < 0);
        boolean tracked = options.flag(AutoscalerOptions.RESTART_TIME_TRACKING);
        return (tracked && measured.isPresent() ? felt : said.or(() -> felt))
                .orElse(upgraded ? EXPECTED_UPGRADE : EXPECTED_IN_PLACE);
    }

    /** What a restart takes of the time in which its backlog is worked off; 0 where none is. */
    static double ratio(JobOptions options, Duration restart) {
        Duration catchUp = options.duration(AutoscalerOptions.CATCH_UP_DURATION);
        return catchUp.isPositive() ? (double) restart.toMillis() / catchUp.toMillis() : 0;
    }

    private static Pace pace(Evaluation evaluation, Proposal asked, Budget budget) {
        if (!evaluation.windowFull()) {
            return Pace.UNKNOWN;
        }
        return budget.isBehind(asked) ? Pace.BEHIND : Pace.KEEPS_UP;
    }

    /** A rescale that never came about has stopped nobody, and does not count. */
    private Duration pendingFor(Proposal seen) {
        if (seen.isAsPublished()) {
            underWay = Optional.empty();
        }
        Duration pending =
                underWay.map(rescale -> Duration.between(rescale.at(), seen.now()))
                        .filter(Duration::isPositive)
                        .orElse(Duration.ZERO);
        if (pending.compareTo(Rescaling.LONGEST) > 0) {
            history = underWay.map(history::without).orElse(history);
        }
        return pending;
    }

    /**
     * Whether the job pays for all slots of its TaskManagers. The other slots of a session job's
     * TaskManagers are used by other jobs, and where a rescale costs nothing no slot is kept.
     */
    private static boolean arePaidTogether(EngineJob job, Budget budget) {
        return job.key().kind() == JobKind.FLINK_DEPLOYMENT && !budget.unrest().isZero();
    }

    /** By what comes in now. */
    private double envelope(Proposal asked, Budget budget) {
        double now = asked.arrivals();
        return now > 0 && budget.lagObjective().isPositive()
                ? arrivals.envelope(budget.lagObjective()) / now
                : 0;
    }

    private Duration shortFor(Proposal proposal) {
        boolean isShort = proposal.isUrgent() || isLate;
        shortSince = isShort ? shortSince.or(() -> Optional.of(proposal.now())) : Optional.empty();
        return shortSince
                .map(since -> Duration.between(since, proposal.now()))
                .filter(Duration::isPositive)
                .orElse(Duration.ZERO);
    }

    /** Told in each explanation, and in the log when it changes. */
    private List<String> ignored(JobOptions options, CycleContext at) {
        List<String> all = new ArrayList<>(options.ignored());
        all.addAll(Ineffective.in(at.options()));
        if (!all.equals(ignored)) {
            all.forEach(LOG::warn);
            ignored = List.copyOf(all);
        }
        return all;
    }

    /** Rates over a time that never passed are wrong: samples from before a jump are dropped. */
    private void mindTheClock(Reading reading) {
        Duration jump = lastLook.map(reading::jumpSince).orElse(Duration.ZERO);
        if (!jump.isZero()) {
            LOG.atWarn()
                    .addKeyValue("jump", jump)
                    .log("the clock was set: samples are collected anew");
            engine.forgetSamples();
            steadyLoad = SteadyLoad.NONE;
            arrivals = Arrivals.NONE;
        }
        sinceLastLook =
                lastLook.map(last -> Duration.between(last.uptime(), reading.uptime()))
                        .filter(time -> time.compareTo(LONGEST_IDLE) < 0)
                        .orElse(Duration.ZERO);
        lastLook = Optional.of(reading);
    }

    /** What is too much counts only while it can be told. */
    private void remember(Evaluation evaluation, Proposal proposal) {
        if (evaluation.windowFull()) {
            history = Governor.remember(proposal, history, sinceLastLook);
        }
    }
}
