// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.world;

import io.sluice.flink.rest.JobOverview;
import io.sluice.operator.deployment.simulation.StateOracle;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What one reconciliation was told of the end of a job, by the line of its state: it is known once
 * the job was seen to have ended before, was looked at again, and a status is stored after that.
 */
public final class ToldEnd {
    private final Set<String> ended = new HashSet<>();
    private Optional<Integer> line = Optional.empty();
    private boolean isSure;
    private boolean isUntold;

    /** A reconciliation begins. */
    public void forget() {
        ended.clear();
        line = Optional.empty();
        isSure = false;
        isUntold = false;
    }

    /** It is told what a job has left that has ended, which it may not have seen. */
    public void of(String jobId, int line) {
        if (ended.contains(jobId)) {
            this.line = Optional.of(line);
        }
    }

    /** It has asked what came of a savepoint, which may be later than all else, in vain. */
    public void untold() {
        isUntold = true;
    }

    /** It is told what jobs there are, perhaps once more. */
    public void looked(List<JobOverview> jobs) {
        isSure = line.isPresent();
        jobs.stream().filter(job -> job.endTime().isPresent()).forEach(job -> ended.add(job.id()));
    }

    /** A status is stored. */
    public void stored(StateOracle oracle) {
        line.filter(_ -> isSure && !isUntold).ifPresent(oracle::tellsEndOf);
    }
}
