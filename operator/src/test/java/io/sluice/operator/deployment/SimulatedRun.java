// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment;

import io.sluice.api.JobState;
import io.sluice.api.JobStatus;
import io.sluice.api.SavedState;
import io.sluice.api.StateLog;
import io.sluice.api.StateTrigger;
import io.sluice.flink.rest.ClusterConfig;
import io.sluice.flink.rest.JobException;
import io.sluice.operator.deployment.RunView.ClusterFacts;
import io.sluice.testkit.sim.Environment;
import io.sluice.testkit.sim.FlinkProcess;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * What a simulated JobManager says beside the job's state, if it answers.
 *
 * @param process the one that is asked; empty if none answers
 */
record SimulatedRun(Environment environment, RunMemory memory, Optional<FlinkProcess> process) {
    static final String VERSION = "1.20.5";
    private static final Instant CREATED = Instant.parse("2026-01-01T00:00:00Z");
    private static final ClusterFacts FACTS =
            new ClusterFacts(Optional.of(new ClusterConfig(VERSION, "e1d9c1e")), Optional.of(1));

    RunView of(String uid, JobStatus status, JobView job, boolean isDescribed) {
        boolean isNews =
                job instanceof JobView.Seen(var state, var overview)
                        && (!status.state().equals(Optional.of(state))
                                || memory.isNews(
                                        uid, overview.lastChange(), environment.clock().instant()));
        boolean isUp = job instanceof JobView.Seen seen && seen.isUp();
        boolean wantsFacts =
                isUp
                        && (isNews
                                || !isDescribed
                                || !status.state().equals(Optional.of(JobState.RUNNING)));
        return new RunView(
                CREATED,
                saved(status.log().savepoints()),
                saved(status.log().checkpoints()),
                disposals(uid, status.log().savepoints()),
                isNews ? exceptions(job) : Optional.empty(),
                wantsFacts && !environment.faults().strikes(20) ? FACTS : ClusterFacts.NONE,
                Optional.empty());
    }

    private Optional<List<JobException>> exceptions(JobView job) {
        if (environment.faults().strikes(20)
                || process.isEmpty()
                || !(job instanceof JobView.Seen)) {
            return Optional.empty();
        }
        return process.map(
                it ->
                        it.exceptions().stream()
                                .map(
                                        thrown ->
                                                new JobException(
                                                        thrown.name(),
                                                        thrown.name() + ": broken",
                                                        thrown.at(),
                                                        Optional.empty()))
                                .toList());
    }

    private Map<String, Answer> disposals(String uid, StateLog log) {
        Map<String, Answer> disposals = new HashMap<>();
        for (SavedState state : log.history()) {
            String location = state.location().orElse("");
            state.disposal()
                    .flatMap(_ -> memory.request(uid, location))
                    .ifPresent(request -> disposals.put(location, disposal(request)));
        }
        return disposals;
    }

    private Answer disposal(String request) {
        return answer(it -> it.disposal(request).map(SimulatedRun::disposed));
    }

    private Answer saved(StateLog log) {
        return log.trigger()
                .flatMap(StateTrigger::id)
                .map(id -> answer(it -> it.saved(id).map(SimulatedRun::saved)))
                .orElseGet(Answer.NotAsked::new);
    }

    private Answer answer(Function<FlinkProcess, Optional<Answer>> told) {
        return process.isEmpty()
                ? new Answer.Silent("timed out")
                : process.flatMap(told).orElseGet(Answer.Unknown::new);
    }

    private static Answer saved(FlinkProcess.Stop outcome) {
        return switch (outcome) {
            case FlinkProcess.Stop.InProgress() -> new Answer.Pending();
            case FlinkProcess.Stop.Completed(var path) ->
                    new Answer.Done(Optional.of(path).filter(text -> !text.isEmpty()));
            case FlinkProcess.Stop.Failed _ -> new Answer.Failed("failed");
        };
    }

    private static Answer disposed(boolean gone) {
        return gone ? new Answer.Done(Optional.empty()) : new Answer.Failed("denied");
    }
}
