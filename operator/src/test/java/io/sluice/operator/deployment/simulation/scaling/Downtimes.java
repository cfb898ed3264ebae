// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.deployment.simulation.scaling;

import com.fasterxml.jackson.databind.JsonNode;
import io.sluice.operator.model.Reason;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** When the jobs of a resource have run, and whether a status tells the truth of a downtime. */
public final class Downtimes {
    /** How far a figure may be from what was seen. */
    private static final Duration CLOSE = Duration.ofSeconds(1);

    private static final Duration WHILE = Duration.ofMinutes(1);

    /**
     * All tasks of a job of that Deployment have run.
     *
     * @param until empty if they still do
     */
    private record Run(String deployment, Instant since, Optional<Instant> until) {
        boolean covers(Instant at) {
            return !since.isAfter(at.plus(CLOSE))
                    && until.filter(end -> end.isBefore(at.minus(CLOSE))).isEmpty();
        }

        boolean isOverBy(Instant at) {
            return until.filter(end -> !end.isAfter(at.plus(CLOSE))).isPresent();
        }
    }

    private final List<Run> runs = new ArrayList<>();
    private final Map<String, Integer> failedStops = new HashMap<>();

    /** When Flink failed to stop a job, which ran on. */
    private final List<Instant> failures = new ArrayList<>();

    /** When the resource was said to be suspended last. */
    private Instant suspended = Instant.EPOCH;

    private Optional<JsonNode> told = Optional.empty();

    /** Another resource of the name: what was before is not its own. */
    public void forget() {
        runs.clear();
        failures.clear();
        suspended = Instant.EPOCH;
        told = Optional.empty();
    }

    /**
     * @param up the uids of the Deployments of which all tasks run now
     */
    public void look(Set<String> up, Instant now) {
        for (int at = 0; at < runs.size(); at++) {
            Run run = runs.get(at);
            if (run.until().isEmpty() && !up.contains(run.deployment())) {
                runs.set(at, new Run(run.deployment(), run.since(), Optional.of(now)));
            }
        }
        up.stream()
                .filter(
                        uid ->
                                runs.stream()
                                        .noneMatch(
                                                run ->
                                                        run.until().isEmpty()
                                                                && run.deployment().equals(uid)))
                .forEach(uid -> runs.add(new Run(uid, now, Optional.empty())));
    }

    /** So many stops have failed in the process of a Deployment. */
    public void stopsFailed(String deployment, int count, Instant now) {
        if (count > failedStops.getOrDefault(deployment, 0)) {
            failures.add(now);
        }
        failedStops.put(deployment, count);
    }

    /** Since when all tasks of that Deployment run; empty if they do not. */
    public Optional<Instant> since(String deployment) {
        return runs.stream()
                .filter(run -> run.until().isEmpty() && run.deployment().equals(deployment))
                .map(Run::since)
                .findFirst();
    }

    /** What is wrong with the last upgrade that the status tells of, if that is news. */
    public Optional<String> wrong(JsonNode status, Instant now) {
        if (status.at("/conditions/1/reason").asText().equals(Reason.SUSPENDED.wire())) {
            suspended = now;
        }
        Optional<JsonNode> next =
                Optional.of(status.path("lastUpgrade")).filter(each -> !each.isMissingNode());
        if (next.equals(told)) {
            return Optional.empty();
        }
        told = next;
        return next.filter(each -> !isTrue(each, now))
                .map(each -> "a downtime that was none: " + each + " of " + runs);
    }

    private boolean isTrue(JsonNode upgrade, Instant now) {
        Instant stopped = Instant.parse(upgrade.path("stopRequestedTime").asText());
        Instant running = Instant.parse(upgrade.path("runningTime").asText());
        return !running.isAfter(now)
                && !stopped.isAfter(running)
                && !isWithin(suspended, stopped, running)
                && failures.stream().noneMatch(at -> isWithin(at, stopped, running) && ranOn(at))
                && runs.stream()
                        .filter(run -> run.covers(running))
                        .anyMatch(run -> isBetween(stopped, running, run.deployment()));
    }

    private static boolean isWithin(Instant at, Instant stopped, Instant running) {
        return at.isAfter(stopped.plus(CLOSE)) && at.isBefore(running.minus(CLOSE));
    }

    /** Whether the job went on for a minute after its stop had failed. */
    private boolean ranOn(Instant failure) {
        return runs.stream()
                .anyMatch(run -> run.covers(failure) && run.covers(failure.plus(WHILE)));
    }

    /** Whether a job of another Deployment ran before, and that one began to run in that time. */
    private boolean isBetween(Instant stopped, Instant running, String next) {
        boolean ranBefore =
                runs.stream()
                        .filter(run -> !run.deployment().equals(next))
                        .anyMatch(
                                run ->
                                        !run.since().isAfter(stopped.plus(CLOSE))
                                                && run.isOverBy(running));
        boolean beginsWithin =
                runs.stream()
                        .filter(run -> run.deployment().equals(next))
                        .map(Run::since)
                        .anyMatch(
                                since ->
                                        !since.isBefore(stopped.minus(CLOSE))
                                                && !since.isAfter(running.plus(CLOSE))
                                                && !since.isBefore(running.minus(CLOSE)));
        return ranBefore && beginsWithin;
    }
}
