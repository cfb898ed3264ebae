// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.running;

import io.sluice.api.spec.StateKind;
import io.sluice.api.status.StateLog;
import io.sluice.operator.decide.step.Decision;
import io.sluice.operator.decide.step.HeldChange;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.model.Action;
import io.sluice.operator.model.Reason;
import io.sluice.rules.config.Options;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is done for a job that runs, beside running it: savepoints and checkpoints that are asked
 * for, and savepoints that are kept for long enough. It never restarts the job, and gives way to
 * whatever does.
 *
 * @param options what the job runs with
 * @param actions only such whose intent the context's draft records
 * @param again within what time something of it is due; empty if nothing is
 */
@RecordBuilder
public record RunningJob(
        StepContext context, Options options, List<Action> actions, Optional<Duration> again)
        implements RunningJobBuilder.With {
    public RunningJob {
        actions = List.copyOf(actions);
    }

    /** The decision about a job all of whose tasks run. */
    public static Decision decide(StepContext running) {
        RunningJob runningJob =
                new RunningJob(
                        running, new Options(running.effective()), List.of(), Optional.empty());
        for (StateKind kind : StateKind.values()) {
            runningJob = StateTriggers.step(runningJob, kind);
        }
        return SavepointDisposal.step(runningJob).onto();
    }

    RunningJob doing(Action action) {
        List<Action> more = new ArrayList<>(actions);
        more.add(action);
        return withActions(more);
    }

    RunningJob within(Duration time) {
        Optional<Duration> sooner = again.filter(known -> known.compareTo(time) <= 0);
        return withAgain(sooner.or(() -> Optional.of(time)));
    }

    /** Added to what the job's parallelism asks for. */
    private Decision onto() {
        Decision scaled = InPlaceScaling.decide(context);
        List<Action> all = Stream.concat(scaled.actions().stream(), actions.stream()).toList();
        Optional<Duration> soonest =
                Stream.concat(scaled.checkAgain().stream(), again.stream())
                        .min(Duration::compareTo);
        Decision decision = scaled.with().actions(all).checkAgain(soonest).build();
        return scaled.reason() == Reason.JOB_RUNNING ? reporting(decision) : decision;
    }

    private Decision reporting(Decision decision) {
        List<StateLog> logs =
                Stream.of(StateKind.values()).map(context.draft().job().log()::of).toList();
        Optional<String> failure = logs.stream().flatMap(log -> log.failure().stream()).findFirst();
        boolean isSaving =
                logs.stream()
                        .flatMap(log -> log.trigger().stream())
                        .anyMatch(trigger -> !trigger.isRegistration());
        if (isSaving) {
            return saying(decision, Reason.SAVING_STATE, "");
        }
        return failure.map(why -> saying(decision, Reason.SAVING_FAILED, why)).orElse(decision);
    }

    private Decision saying(Decision decision, Reason reason, String detail) {
        return HeldChange.withReason(decision, reason, detail, context.observed());
    }
}
