// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler;

import io.sluice.api.FlinkDeployment;
import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.collect.Subject;
import io.sluice.autoscaler.decide.Evaluation;
import io.sluice.autoscaler.decide.Measure;
import io.sluice.autoscaler.explain.Counts;
import io.sluice.autoscaler.explain.Explanation;
import io.sluice.autoscaler.explain.Verdict;
import io.sluice.autoscaler.explain.VertexView;
import io.sluice.autoscaler.govern.Budget;
import io.sluice.autoscaler.govern.Governor;
import io.sluice.autoscaler.govern.HoldReason;
import io.sluice.autoscaler.govern.Proposal;
import io.sluice.autoscaler.govern.ScalePlan;
import io.sluice.flink.rest.JobDetails;
import io.sluice.flink.rest.JobVertex;
import io.sluice.flink.rest.Reply;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One job, looked at again and again by one thread at a time: read, evaluate, decide, store, tell.
 * What is remembered between looks goes with this object.
 */
final class JobCycle {
    private static final Logger LOG = LoggerFactory.getLogger(JobCycle.class);

    private final JobKey key;
    private final World world;
    private final JobMemory memory;
    private boolean wiped;
    private long scalings;
    private long failures;

    /** What one look gave. */
    private record Look(List<VertexView> vertices, Verdict verdict) {}

    JobCycle(JobKey key, World world) {
        this.key = key;
        this.world = world;
        memory = new JobMemory(key, world);
    }

    /**
     * One look; empty if the resource asks for no autoscaling. Never throws.
     *
     * @param latest the resource as known when it is called, to see what changed meanwhile
     */
    Optional<Explanation> run(
            FlinkDeployment resource, Supplier<Optional<FlinkDeployment>> latest) {
        try {
            return switch (Subject.of(resource, world.configuration())) {
                case Subject.Off _ -> {
                    wipe();
                    yield Optional.empty();
                }
                case Subject.Unsettled(_, var why) -> Optional.of(explain(waiting(why)));
                case Subject.Scalable subject -> Optional.of(explain(look(subject, latest)));
            };
        } catch (RuntimeException failed) {
            memory.forget();
            return Optional.of(explain(new Look(List.of(), failed(failed))));
        }
    }

    private Look look(Subject.Scalable subject, Supplier<Optional<FlinkDeployment>> latest) {
        wiped = false;
        return switch (world.jobManagers().job(world.jobManagerOf(key), subject.jobId())) {
            case Reply.Ok<JobDetails>(var job) when job.state().equals("RUNNING") ->
                    evaluate(subject, job, latest);
            case Reply.Ok<JobDetails>(var job) ->
                    waiting("Flink says that the job is " + job.state());
            case Reply.JobUnknown<JobDetails> _ ->
                    waiting("the JobManager knows no job " + subject.jobId());
            case Reply.Refused<JobDetails>(_, var message) -> waiting(message);
            case Reply.Unreachable<JobDetails>(var message) -> waiting(message);
        };
    }

    private Look evaluate(
            Subject.Scalable subject, JobDetails job, Supplier<Optional<FlinkDeployment>> latest) {
        memory.recall(subject.resetNonce());
        SortedMap<String, Integer> published = memory.overrides();
        Budget budget =
                new Budget(world.clock().instant(), world.rescalePause(), memory.lastScaling());
        Evaluation evaluation;
        try {
            evaluation = memory.evaluate(subject);
        } catch (Exception thrown) { // declared by the engine
            memory.forget();
            return new Look(views(job, published, Map.of()), failed(thrown));
        }
        if (Thread.interrupted()) {
            memory.forget();
            return waiting("a look took longer than its time budget");
        }
        boolean stable =
                latest.get()
                        .map(resource -> Subject.of(resource, world.configuration()))
                        .filter(now -> isSameJob(now, subject))
                        .isPresent();
        Proposal proposal =
                new Proposal(
                        stable,
                        published,
                        evaluation.proposed(),
                        running(job),
                        highest(job),
                        evaluation.doubtful());
        Verdict verdict = carryOut(Governor.decide(proposal, budget), evaluation, job);
        return new Look(views(job, memory.overrides(), evaluation.seen()), verdict);
    }

    private Verdict carryOut(ScalePlan plan, Evaluation evaluation, JobDetails job) {
        return switch (plan) {
            case ScalePlan.Apply(var overrides) -> {
                memory.accept();
                scalings++;
                evaluation.events().forEach(event -> world.events().publish(key, event));
                LOG.atInfo()
                        .addKeyValue("job", key.path())
                        .log("scaled: {}", ScalingText.of(job, overrides, evaluation.seen()));
                yield new Verdict.Scaled(overrides);
            }
            case ScalePlan.Hold(var reason) when reason == HoldReason.NOTHING_CHANGED -> {
                memory.accept();
                evaluation.events().forEach(event -> world.events().publish(key, event));
                yield quiet(evaluation);
            }
            case ScalePlan.Hold(var reason) -> {
                memory.reject();
                evaluation.events().stream()
                        .filter(event -> !event.announcesScaling())
                        .forEach(event -> world.events().publish(key, event));
                LOG.atInfo()
                        .addKeyValue("job", key.path())
                        .addKeyValue("reason", reason)
                        .log(
                                "scaling held: {}",
                                ScalingText.of(job, evaluation.proposed(), evaluation.seen()));
                yield new Verdict.Held(reason, evaluation.proposed());
            }
        };
    }

    private Verdict quiet(Evaluation evaluation) {
        if (evaluation.failure().isPresent()) {
            return failed(evaluation.failure().get());
        }
        if (evaluation.notReady().isPresent()) {
            return new Verdict.Waiting(evaluation.notReady().get());
        }
        return evaluation.windowFull()
                ? new Verdict.Balanced()
                : new Verdict.Collecting(evaluation.samples());
    }

    private void wipe() {
        if (!wiped) {
            world.states().wipe(key);
            memory.forget();
            wiped = true;
        }
    }

    private Verdict failed(Throwable thrown) {
        failures++;
        LOG.atWarn().addKeyValue("job", key.path()).setCause(thrown).log("look at job failed");
        return new Verdict.Failed(
                Optional.ofNullable(thrown.getMessage()).orElse(thrown.getClass().getSimpleName()));
    }

    private Explanation explain(Look look) {
        return new Explanation(
                key,
                world.clock().instant(),
                look.vertices(),
                look.verdict(),
                new Counts(scalings, failures, memory.balanced()));
    }

    private static Look waiting(String why) {
        return new Look(List.of(), new Verdict.Waiting(why));
    }

    private static boolean isSameJob(Subject now, Subject.Scalable before) {
        return now instanceof Subject.Scalable scalable && scalable.jobId().equals(before.jobId());
    }

    private static Map<String, Integer> running(JobDetails job) {
        return job.vertices().stream()
                .collect(Collectors.toMap(JobVertex::id, JobVertex::parallelism));
    }

    private static Map<String, Integer> highest(JobDetails job) {
        return job.vertices().stream()
                .filter(vertex -> vertex.maxParallelism() > 0)
                .collect(Collectors.toMap(JobVertex::id, JobVertex::maxParallelism));
    }

    private static List<VertexView> views(
            JobDetails job,
            Map<String, Integer> published,
            Map<String, SortedMap<String, Measure>> seen) {
        return job.vertices().stream()
                .map(
                        vertex ->
                                new VertexView(
                                        vertex.id(),
                                        vertex.name(),
                                        vertex.parallelism(),
                                        vertex.maxParallelism(),
                                        Optional.ofNullable(published.get(vertex.id())),
                                        seen.getOrDefault(
                                                vertex.id(), Collections.emptySortedMap())))
                .toList();
    }
}
