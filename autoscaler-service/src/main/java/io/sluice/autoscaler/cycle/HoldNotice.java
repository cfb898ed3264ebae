// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.cycle;

import io.sluice.api.text.ShortenedText;
import io.sluice.autoscaler.govern.HoldReason;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;

/**
 * Decides which hold of a job users are told of. The autoscaler tells of a hold that has lasted for
 * five minutes, by an event and by an entry of the job's ConfigMap, from which the operator makes a
 * condition of the resource. The entry stays until the job is rescaled, or until nothing has been
 * held for five minutes. So a load that rises and falls within minutes causes neither events nor
 * writes.
 *
 * @param held what is held at present; empty if nothing is
 * @param freeSince since when nothing has been held, by a clock that never steps
 * @param told the hold that users have been told of; empty if there is none
 */
record HoldNotice(Optional<Held> held, Optional<Instant> freeSince, Optional<Told> told) {
    static final HoldNotice NONE =
            new HoldNotice(Optional.empty(), Optional.empty(), Optional.empty());

    private static final Duration LASTING = Duration.ofMinutes(5);
    private static final int LONGEST = 1000;
    private static final String SEPARATOR = ": ";

    /**
     * @param begin since when something has been held, for whatever reason
     * @param since since when this has been the reason
     */
    record Held(HoldReason reason, Instant begin, Instant since) {}

    /**
     * @param why for people: the reason, and the change that is held
     */
    record Told(HoldReason reason, String why) {}

    /** Parses what {@link #text} returns; empty if {@code text} is anything else. */
    static Optional<Told> read(String text) {
        int end = text.indexOf(SEPARATOR);
        return Arrays.stream(HoldReason.values())
                .filter(reason -> end > 0 && reason.name().equals(text.substring(0, end)))
                .map(reason -> new Told(reason, text.substring(end + SEPARATOR.length())))
                .findFirst();
    }

    /** Returns the entry of the ConfigMap; empty if users are told of no hold. */
    Optional<String> text() {
        return told.map(it -> it.reason() + SEPARATOR + it.why());
    }

    /** Returns the same notice, with {@code stored} as the hold that users have been told of. */
    HoldNotice knowing(Optional<Told> stored) {
        return new HoldNotice(held, freeSince, stored);
    }

    /**
     * A change is held.
     *
     * @param scaling the change, for people
     */
    HoldNotice held(HoldReason reason, String scaling, Instant now) {
        Held next =
                new Held(
                        reason,
                        held.map(Held::begin).orElse(now),
                        held.filter(it -> it.reason() == reason).map(Held::since).orElse(now));
        boolean isKnown = told.filter(it -> it.reason() == reason).isPresent();
        // While reasons take turns, the first one that was told stands for all.
        Instant since = told.isPresent() ? next.since() : next.begin();
        return new HoldNotice(
                Optional.of(next),
                Optional.empty(),
                isKnown || !lasts(since, now)
                        ? told
                        : Optional.of(
                                new Told(
                                        reason,
                                        ShortenedText.of(
                                                "%s; not carried out: %s"
                                                        .formatted(reason.text(), scaling),
                                                LONGEST))));
    }

    /** The job was looked at, and nothing is held. */
    HoldNotice free(Instant now) {
        Instant since = freeSince.orElse(now);
        return new HoldNotice(
                Optional.empty(), Optional.of(since), told.filter(_ -> !lasts(since, now)));
    }

    /** Returns the hold that users are told of now, if {@code before} has not told them of it. */
    Optional<Told> newsSince(HoldNotice before) {
        return told.filter(
                it -> before.told().map(Told::reason).filter(it.reason()::equals).isEmpty());
    }

    private static boolean lasts(Instant since, Instant now) {
        return !now.isBefore(since.plus(LASTING));
    }
}
