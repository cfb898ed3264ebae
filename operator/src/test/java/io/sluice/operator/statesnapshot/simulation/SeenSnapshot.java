// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What the world has seen of one snapshot: what Flink told of it, and what the operator wrote. */
final class SeenSnapshot {
    private static final int MOST_RESTARTS = 3;
    private static final Duration FIRST_PAUSE = Duration.ofSeconds(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

    /** So often Flink has to say that it does not know a request, for that to be a failure. */
    private static final int UNKNOWN_IS_FAILURE = 6;

    private final Set<String> triggers = new HashSet<>();

    /** By their triggers: the failures that Flink told and the operator recorded. */
    private final Map<String, Instant> failures = new HashMap<>();

    private final List<String> messages = new ArrayList<>();
    private String state = "TRIGGER_PENDING";
    private String path = "";
    private Instant begun = Instant.MIN;
    private int counted;
    private int unknown;
    private int restarts;
    private Optional<Instant> lastFailure = Optional.empty();
    private Optional<Failure> heard = Optional.empty();

    private record Failure(String triggerId, Optional<Boolean> restartsJob, Instant at) {}

    String state() {
        return state;
    }

    String path() {
        return path;
    }

    int counted() {
        return counted;
    }

    void stores(String nextState, String nextPath, int nextCounted) {
        state = nextState;
        path = nextPath;
        counted = nextCounted;
    }

    /** When the operator recorded that it asks Flink. */
    Instant begun() {
        return begun;
    }

    void begins(Instant now) {
        begun = now;
    }

    /** Flink has said that it does not know the request. */
    void unknown() {
        unknown++;
    }

    void tells(String message) {
        messages.add(message);
    }

    boolean hasTold(String text) {
        return messages.stream().anyMatch(message -> message.contains(text));
    }

    /**
     * The operator is told of a failure.
     *
     * @param restartsJob empty if it can't know whether the job was restarted
     */
    void hears(String triggerId, Optional<Boolean> restartsJob, Instant now) {
        heard = Optional.of(new Failure(triggerId, restartsJob, now));
    }

    /**
     * The operator has recorded something after it was told of a failure. The pause begins when it
     * was told, however late the record arrives.
     */
    void recordsFailure() {
        heard.filter(it -> failures.putIfAbsent(it.triggerId(), it.at()) == null)
                .ifPresent(
                        it -> {
                            lastFailure = Optional.of(it.at());
                            it.restartsJob().ifPresent(does -> restarts = does ? restarts + 1 : 0);
                        });
        heard = Optional.empty();
    }

    /** How often it may say that a try has failed. */
    int mostFailures() {
        return failures.size() + unknown / UNKNOWN_IS_FAILURE;
    }

    /**
     * What is wrong with a request under this id now; empty if nothing is. The same id again is no
     * other try.
     *
     * @param limit so many tries may follow the first one; less than 0 for any number
     */
    Optional<String> objection(String triggerId, int limit, Instant now) {
        if (!triggers.add(triggerId)) {
            return Optional.empty();
        }
        if (limit >= 0 && failures.size() > limit) {
            return Optional.of(
                    "a try after %d that failed, and backoffLimit is %d"
                            .formatted(failures.size(), limit));
        }
        if (restarts >= MOST_RESTARTS) {
            return Optional.of("a try after " + restarts + " that made the job restart");
        }
        return lastFailure
                .map(last -> last.plus(pause()))
                .filter(now::isBefore)
                .map(next -> "a try before the pause is over, at " + next);
    }

    private Duration pause() {
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(failures.size() - 1, 6));
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }
}
