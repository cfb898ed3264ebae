// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cron;

import io.sluice.api.status.Condition;
import io.sluice.api.status.CronStatus;
import io.sluice.operator.model.Refusal;
import io.sluice.operator.model.SpecView;
import io.sluice.rules.cron.CronPlan;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Everything a decision about a template looks at.
 *
 * @param plan empty if {@code objection} says why
 * @param objection what is wrong with the annotations or the spec
 * @param suspended whether {@code spec.job.state} asks for no runs
 * @param conditions as they are stored
 * @param runs as the API server has them now
 * @param refusal why the run that is being made was refused, if it was
 * @param created when the template was
 * @param polls how long to wait before the next look
 */
@RecordBuilder
record CronObservedState(
        Identity identity,
        Optional<CronPlan> plan,
        Optional<SpecView.Invalid> objection,
        boolean suspended,
        CronStatus memory,
        List<Condition> conditions,
        List<CronRun> runs,
        Optional<Refusal> refusal,
        Instant created,
        Instant now,
        Polls polls)
        implements CronObservedStateBuilder.With {
    CronObservedState {
        conditions = List.copyOf(conditions);
        runs = List.copyOf(runs);
    }

    /** Which template this is. */
    record Identity(String name, long generation, boolean deleting) {}

    /**
     * How long to wait.
     *
     * @param steady while nothing is under way
     * @param progress while something is
     */
    record Polls(Duration steady, Duration progress) {}

    List<CronRun> active() {
        return runs.stream().filter(CronRun::isActive).toList();
    }

    Optional<CronRun> named(String name) {
        return runs.stream().filter(run -> run.name().equals(name)).findFirst();
    }
}
