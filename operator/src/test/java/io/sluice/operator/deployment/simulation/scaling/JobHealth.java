// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.scaling;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * How a job does in a process of a JobManager: its failures and its counters. An answer about these
 * is what an earlier question had fetched, which is done every ten seconds at most.
 */
public final class JobHealth {
    private static final Duration FETCHED = Duration.ofSeconds(10);

    private final boolean countsRescales;
    private final List<Instant> failures = new ArrayList<>();
    private boolean isIll;
    private int restarts;
    private int rescales;
    private int checkpoints;
    private Map<String, Double> fetched = Map.of();
    private Instant due = Instant.EPOCH;

    /**
     * @param isNewer whether it is a Flink 2, which counts rescales, and full restarts no more
     */
    public JobHealth(boolean isNewer) {
        countsRescales = isNewer;
    }

    /** Its tasks fail again and again from now on. */
    public void fallIll() {
        isIll = true;
    }

    public void heal() {
        isIll = false;
    }

    public boolean isIll() {
        return isIll;
    }

    public void failed(Instant now) {
        failures.add(now);
    }

    public List<Instant> failures() {
        return failures;
    }

    public void restarted() {
        restarts++;
    }

    /** It takes a restart, which is counted on its own. */
    public void rescaled() {
        rescales++;
    }

    public void completedCheckpoint() {
        checkpoints++;
    }

    public Map<String, Double> answer(List<String> names, Instant now) {
        Map<String, Double> answer = new TreeMap<>(fetched);
        answer.keySet().retainAll(names);
        if (!now.isBefore(due)) {
            due = now.plus(FETCHED);
            fetched =
                    Map.of(
                            "numRestarts",
                            (double) restarts,
                            countsRescales ? "numRescales" : "fullRestarts",
                            (double) (countsRescales ? rescales : restarts),
                            "numberOfCompletedCheckpoints",
                            (double) checkpoints);
        }
        return answer;
    }
}
