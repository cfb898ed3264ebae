// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.simulation;

import io.sluice.api.status.JobState;
import io.sluice.api.status.JobStatus;
import io.sluice.api.status.SavedState;
import io.sluice.api.status.StateLog;
import io.sluice.api.status.StateTrigger;
import io.sluice.flink.rest.ClusterConfig;
import io.sluice.flink.rest.JobException;
import io.sluice.operator.model.AsyncResult;
import io.sluice.operator.model.DisposalResult;
import io.sluice.operator.model.JobView;
import io.sluice.operator.model.RunView;
import io.sluice.operator.model.RunView.ClusterFacts;
import io.sluice.operator.observe.ObservationMemory;
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
record SimulatedRun(
        Environment environment, ObservationMemory memory, Optional<FlinkProcess> process) {
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

    private Map<String, DisposalResult> disposals(String uid, StateLog log) {
        Map<String, DisposalResult> disposals = new HashMap<>();
        for (SavedState state : log.history()) {
            String location = state.location().orElse("");
            state.disposal()
                    .flatMap(_ -> memory.request(uid, location))
                    .ifPresent(request -> disposals.put(location, disposal(request)));
        }
        return disposals;
    }

    private DisposalResult disposal(String request) {
        return process.isEmpty()
                ? new DisposalResult.Silent("timed out")
                : process.flatMap(it -> it.disposal(request))
                        .map(SimulatedRun::disposed)
                        .orElseGet(DisposalResult.Unknown::new);
    }

    private AsyncResult saved(StateLog log) {
        return log.trigger()
                .flatMap(StateTrigger::id)
                .map(id -> answer(it -> it.saved(id).map(SimulatedRun::saved)))
                .orElseGet(AsyncResult.NotAsked::new);
    }

    private AsyncResult answer(Function<FlinkProcess, Optional<AsyncResult>> told) {
        return process.isEmpty()
                ? new AsyncResult.Silent("timed out")
                : process.flatMap(told).orElseGet(AsyncResult.Unknown::new);
    }

    private static AsyncResult saved(FlinkProcess.Stop outcome) {
        return switch (outcome) {
            case FlinkProcess.Stop.InProgress() -> new AsyncResult.Pending();
            case FlinkProcess.Stop.Completed(var path) ->
                    new AsyncResult.Done(Optional.of(path).filter(text -> !text.isEmpty()));
            case FlinkProcess.Stop.Failed _ -> new AsyncResult.Failed("failed");
        };
    }

    private static DisposalResult disposed(boolean gone) {
        return gone ? new DisposalResult.Deleted() : new DisposalResult.Failed("denied");
    }
}
