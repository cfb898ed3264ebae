// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.collect.JobOptions;
import io.sluice.autoscaler.collect.Subject;
import io.sluice.autoscaler.decide.EngineEvent;
import io.sluice.autoscaler.decide.Evaluation;
import io.sluice.autoscaler.explain.Counts;
import io.sluice.autoscaler.explain.Explanation;
import io.sluice.autoscaler.explain.ScalingText;
import io.sluice.autoscaler.explain.Verdict;
import io.sluice.autoscaler.govern.Health;
import io.sluice.autoscaler.govern.HoldReason;
import io.sluice.autoscaler.govern.Mode;
import io.sluice.autoscaler.govern.ScalePlan;
import io.sluice.autoscaler.publish.StoredMeanwhile;
import io.sluice.autoscaler.state.Discarded;
import io.sluice.flink.rest.JobDetails;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.Reply;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One job, looked at again and again by one thread at a time: read, evaluate, decide, store, tell.
 * What is remembered between looks goes with this object.
 */
public final class JobCycle {
    private static final Logger LOG = LoggerFactory.getLogger(JobCycle.class);

    private final JobKey key;
    private final CycleDependencies world;
    private final JobMemory memory;
    private final JobCounters counters = new JobCounters();
    private boolean wiped;
    private volatile boolean late;

    JobCycle(JobKey key, CycleDependencies world) {
        this.key = key;
        this.world = world;
        memory = new JobMemory(key, world);
    }

    /** The look under way takes too long and is about to be interrupted; not for another reason. */
    void cutShort() {
        late = true;
    }

    /**
     * One look; empty if the resource asks for no autoscaling. Never throws.
     *
     * @param latest the resource as known when it is called, to see what changed meanwhile
     */
    Optional<Explanation> run(Subject subject, Supplier<Subject> latest) {
        late = false;
        try {
            return switch (subject) {
                case Subject.Off _ -> {
                    wipe();
                    yield Optional.empty();
                }
                case Subject.Unsettled(_, var why) -> {
                    discard(memory.takeOver(world.clock().instant()));
                    yield Optional.of(explain(LookResult.waiting(why)));
                }
                case Subject.Scalable scalable -> Optional.of(explain(look(scalable, latest)));
            };
        } catch (StoredMeanwhile other) {
            memory.forget();
            return Optional.of(explain(LookResult.waiting(String.valueOf(other.getMessage()))));
        } catch (RuntimeException failed) {
            memory.forget();
            return Optional.of(explain(LookResult.of(broken(failed))));
        }
    }

    private LookResult look(Subject.Scalable subject, Supplier<Subject> latest) {
        wiped = false;
        return switch (world.jobManagers().job(world.jobManagerOf(key, subject), subject.jobId())) {
            case Reply.Ok<JobDetails>(var job) when job.state().equals("RUNNING") ->
                    evaluate(subject, job, latest);
            case Reply.Ok<JobDetails>(var job) ->
                    LookResult.waiting("Flink says that the job is " + job.state());
            case Reply.JobUnknown<JobDetails> _ ->
                    LookResult.waiting("the JobManager knows no job " + subject.jobId());
            case Reply.Refused<JobDetails>(_, var message) -> LookResult.waiting(message);
            case Reply.Unreachable<JobDetails>(var message) -> LookResult.waiting(message);
            case Reply.TooLarge<JobDetails>(_, var message) -> LookResult.of(tooLarge(message));
        };
    }

    private LookResult evaluate(
            Subject.Scalable subject, JobDetails job, Supplier<Subject> latest) {
        discard(memory.recall(subject.resetNonce(), world.clock().instant()));
        world.rescaling()
                .observe(key, memory.overrides(), job.vertices(), world.uptime().instant());
        CycleResult cycleResult;
        try {
            cycleResult = memory.look(subject, context(subject, job, latest));
        } catch (Exception thrown) { // declared by the engine
            memory.forget();
            return LookResult.of(job, memory.overrides(), broken(thrown));
        }
        if (Thread.interrupted()) {
            memory.forget();
            return LookResult.of(broken(new InterruptedException()));
        }
        Verdict decided = carryOut(cycleResult, job, subject);
        Verdict verdict =
                world.realizer()
                        .carryOut(key, world.jobManagerOf(key, subject), job, memory.overrides())
                        .<Verdict>map(this::unrealized)
                        .orElse(decided);
        return LookResult.of(job, memory.overrides(), cycleResult, verdict);
    }

    private CycleContext context(
            Subject.Scalable subject, JobDetails job, Supplier<Subject> latest) {
        return new CycleContext(
                world.clock().instant(),
                world.uptime().instant(),
                subject.options(),
                job.vertices(),
                () -> health(job, subject, latest),
                added ->
                        world.rescaling()
                                .rescalingLimits(key, subject, added, world.uptime().instant()),
                subject.taskManager(),
                subject.slotsEach(),
                world.rescalePause());
    }

    private Health health(JobDetails job, Subject.Scalable subject, Supplier<Subject> latest) {
        boolean same =
                latest.get() instanceof Subject.Scalable now && now.jobId().equals(subject.jobId());
        if (!same) {
            return Health.UNSETTLED;
        }
        boolean allRun =
                job.vertices().stream()
                        .allMatch(
                                vertex ->
                                        vertex.state().equals("RUNNING")
                                                || vertex.state().equals("FINISHED"));
        if (!allRun) {
            return Health.RECOVERING;
        }
        return world.pairs().isBetweenHalves(key) ? Health.BETWEEN_HALVES : Health.STEADY;
    }

    private Verdict carryOut(CycleResult cycleResult, JobDetails job, Subject.Scalable subject) {
        Instant now = cycleResult.proposal().now();
        return switch (cycleResult.plan()) {
            case ScalePlan.Apply plan ->
                    world.rescaling()
                            .begin(
                                    key,
                                    subject,
                                    cycleResult.proposal(),
                                    cycleResult.budget(),
                                    world.uptime().instant())
                            .map(reason -> tooLate(cycleResult, reason, job, subject))
                            .orElseGet(() -> scaled(cycleResult, plan, job));
            case ScalePlan.Hold(var reason, _) when reason == HoldReason.NOTHING_CHANGED -> {
                if (cycleResult.evaluation().isJudged()) {
                    memory.free(now);
                } else {
                    memory.hold(now);
                }
                publish(cycleResult.evaluation(), job);
                yield quiet(cycleResult.evaluation());
            }
            case ScalePlan.Hold hold -> held(cycleResult, hold, job, subject);
        };
    }

    private Verdict scaled(CycleResult cycleResult, ScalePlan.Apply plan, JobDetails job) {
        EngineEvent report;
        try {
            report = memory.apply(plan, cycleResult.proposal().now());
        } catch (RuntimeException unpublished) {
            world.rescaling().end(key);
            throw unpublished;
        }
        counters.scaled();
        publish(cycleResult.evaluation(), job);
        world.events().publish(key, report.naming(names(job)));
        LOG.atInfo()
                .addKeyValue("job", key.path())
                .log("scaled: {}", scaling(cycleResult, job, plan.overrides()));
        return new Verdict.Scaled(
                plan.overrides(), cycleResult.fitted(), cycleResult.governed().leftOut());
    }

    /** Another job took the room since it was looked at. */
    private Verdict tooLate(
            CycleResult cycleResult, HoldReason reason, JobDetails job, Subject.Scalable subject) {
        memory.reject();
        return held(cycleResult, new ScalePlan.Hold(reason), job, subject);
    }

    private Verdict held(
            CycleResult cycleResult,
            ScalePlan.Hold hold,
            JobDetails job,
            Subject.Scalable subject) {
        boolean proposed = !cycleResult.proposal().overrides().equals(memory.overrides());
        Instant now = cycleResult.proposal().now();
        if (hold.reason() == HoldReason.SWITCHED_OFF && !proposed) {
            memory.free(now);
            publish(cycleResult.evaluation(), job);
            return quiet(cycleResult.evaluation());
        }
        String scaling = scaling(cycleResult, job, cycleResult.proposal().overrides());
        Optional<HoldNotice.Told> news = memory.hold(hold.reason(), scaling, now);
        publish(cycleResult.evaluation(), job);
        if (counters.held(hold.reason())) {
            LOG.atInfo()
                    .addKeyValue("job", key.path())
                    .addKeyValue("reason", hold.reason())
                    .log("scaling held: {}", scaling);
        }
        JobOptions options = new JobOptions(subject.options());
        CycleEvents.quota(hold.reason(), options, scaling)
                .or(() -> news.map(told -> CycleEvents.held(told, options)))
                .ifPresent(event -> world.events().publish(key, event));
        return cycleResult.budget().mode() == Mode.RECOMMEND
                        && hold.reason() == HoldReason.RECOMMEND_ONLY
                ? new Verdict.Recommended(cycleResult.proposal().overrides())
                : new Verdict.Held(hold.reason(), hold.until(), cycleResult.proposal().overrides());
    }

    private String scaling(CycleResult cycleResult, JobDetails job, Map<String, Integer> wanted) {
        return ScalingText.full(
                LookResult.views(job, memory.overrides(), cycleResult.evaluation().seen()), wanted);
    }

    /** Whether a scaling happens is not the engine's to tell. */
    private void publish(Evaluation evaluation, JobDetails job) {
        evaluation.events().stream()
                .filter(event -> !event.announcesScaling())
                .forEach(event -> world.events().publish(key, event.naming(names(job))));
    }

    private static Map<String, String> names(JobDetails job) {
        return job.vertices().stream()
                .collect(Collectors.toMap(JobVertex::id, JobVertex::name, (first, _) -> first));
    }

    private Verdict quiet(Evaluation evaluation) {
        if (evaluation.failure().isPresent()) {
            return failed(evaluation.failure().get());
        }
        if (evaluation.notReady().isPresent()) {
            return new Verdict.Waiting(evaluation.notReady().get());
        }
        return evaluation.windowFull()
                ? new Verdict.Balanced(evaluation.wantsScaling())
                : new Verdict.Collecting(evaluation.samples());
    }

    private void wipe() {
        world.rescaling().end(key);
        if (!wiped) {
            world.states().wipe(key, JobMemory::isHistory);
            memory.forget();
            wiped = true;
        }
    }

    /**
     * Tells of discarded entries once: they stay in the ConfigMap until the next write replaces
     * them.
     */
    private void discard(List<Discarded> discarded) {
        if (counters.discarded(discarded)) {
            String why = discarded.stream().map(Discarded::text).collect(Collectors.joining("; "));
            LOG.atWarn().addKeyValue("job", key.path()).log("stored state discarded: {}", why);
            world.events().publish(key, CycleEvents.discarded(why));
        }
    }

    private Verdict unrealized(String why) {
        if (counters.failed(why)) {
            LOG.atWarn().addKeyValue("job", key.path()).log("scaling not carried out: {}", why);
        }
        return new Verdict.Failed(why);
    }

    private Verdict failed(Throwable thrown) {
        if (Failure.isTooLarge(thrown)) {
            return tooLarge(Failure.text(thrown));
        }
        count(thrown);
        return new Verdict.Failed(Failure.text(thrown));
    }

    /** The job is left as it is, and asked again with a later look. */
    private Verdict tooLarge(String why) {
        if (counters.failed(why)) {
            LOG.atWarn().addKeyValue("job", key.path()).log("look at job failed: {}", why);
            world.events().publish(key, CycleEvents.tooLarge(why));
        }
        return new Verdict.Failed(why);
    }

    /** Failed outside the engine. Of a look that was given up for good nobody is told. */
    private Verdict broken(Throwable thrown) {
        if (Failure.isTooLarge(thrown)) {
            return tooLarge(Failure.text(thrown));
        }
        String why = Failure.text(thrown);
        boolean interrupted = Thread.interrupted() || why.equals(Failure.TOO_LONG);
        if (count(thrown) && (late || !interrupted)) {
            world.events().publish(key, CycleEvents.failure(why));
        }
        return new Verdict.Failed(why);
    }

    /**
     * One line for each reason, however often it comes back; how it came about is for debugging.
     * Says whether it is another one than the last.
     */
    private boolean count(Throwable thrown) {
        String why = Failure.text(thrown);
        boolean news = counters.failed(why);
        if (news) {
            LOG.atWarn().addKeyValue("job", key.path()).log("look at job failed: {}", why);
        }
        LOG.atDebug().addKeyValue("job", key.path()).setCause(thrown).log("look at job failed");
        return news;
    }

    private Explanation explain(LookResult result) {
        Instant now = world.clock().instant();
        Explanation explanation =
                new Explanation(
                        key,
                        now,
                        result.vertices(),
                        result.graph(),
                        result.verdict(),
                        new Counts(
                                counters.scalings(),
                                counters.failures(),
                                memory.balanced(),
                                counters.holds(),
                                counters.discarded(),
                                memory.history().ofDay(now),
                                result.budgetOfDay()),
                        result.restart(),
                        result.consumption(),
                        counters.behind(result.pace(), now),
                        result.ignored(),
                        counters.timeline(),
                        memory.hours());
        CycleEvents.behind(explanation).ifPresent(event -> world.events().publish(key, event));
        return counters.explained(explanation);
    }
}
