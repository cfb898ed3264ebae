// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.observe;

import io.sluice.operator.model.Refusal;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What was refused of the current attempts, by resource uid. Kept in memory only: after a restart
 * the next try is refused again and says so anew.
 */
public final class RejectedManifests {
    /** The API server names every field that it refuses, and a spec may have thousands. */
    private static final int LONGEST_MESSAGE = 4000;

    private record Rejection(String attempt, Refusal refusal) {}

    private final Map<String, Rejection> byUid = new ConcurrentHashMap<>();
    private final InstantSource clock;

    public RejectedManifests(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * @param attempt what was refused: the job id of an attempt, or the name of a run
     */
    public void remember(String uid, String attempt, String message) {
        byUid.merge(
                uid,
                new Rejection(attempt, new Refusal(shortened(message), 1, now())),
                RejectedManifests::again);
    }

    public void forget(String uid) {
        byUid.remove(uid);
    }

    /** Why {@code attempt} was refused, if it was. */
    public Optional<Refusal> of(String uid, Optional<String> attempt) {
        return Optional.ofNullable(byUid.get(uid))
                .filter(rejection -> attempt.equals(Optional.of(rejection.attempt())))
                .map(Rejection::refusal);
    }

    private static Rejection again(Rejection before, Rejection now) {
        int times = before.attempt().equals(now.attempt()) ? before.refusal().times() + 1 : 1;
        return new Rejection(
                now.attempt(), new Refusal(now.refusal().message(), times, now.refusal().at()));
    }

    private Instant now() {
        return clock.instant().truncatedTo(ChronoUnit.MILLIS);
    }

    private static String shortened(String message) {
        return message.length() <= LONGEST_MESSAGE
                ? message
                : message.substring(0, LONGEST_MESSAGE - 1) + "\u2026";
    }
}
