// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.step;

import io.sluice.api.status.Condition;
import io.sluice.api.text.ShortenedText;
import io.sluice.operator.model.Reason;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * Writes the conditions of a resource. A condition that stays as it was keeps the time of its last
 * transition.
 *
 * @param before the conditions that the status has
 * @param generation of the resource that the new ones are about
 */
public record Conditions(List<Condition> before, long generation, Instant now) {
    private static final int LONGEST_MESSAGE = 2048;

    public Conditions {
        before = List.copyOf(before);
    }

    /** Ready, Reconciling and Stalled, which follow from the reason of a decision. */
    public List<Condition> of(Reason reason, String detail, boolean isReady) {
        String message = message(reason, detail);
        return List.of(
                of("Ready", isReady, reason.wire(), message),
                of(
                        "Reconciling",
                        reason.outlook() == Reason.Outlook.PROGRESSING,
                        reason.wire(),
                        message),
                of("Stalled", reason.outlook() == Reason.Outlook.STALLED, reason.wire(), message));
    }

    /** A condition that holds, or does not. */
    public Condition of(String type, boolean holds, String reason, String message) {
        Condition.Status status = holds ? Condition.Status.TRUE : Condition.Status.FALSE;
        Instant since =
                before.stream()
                        .filter(it -> it.type().equals(type) && it.status() == status)
                        .map(Condition::lastTransitionTime)
                        .findFirst()
                        .orElse(now);
        return new Condition(type, status, reason, message, since, Optional.of(generation));
    }

    /** The text of a reason, and what completes it. */
    public static String message(Reason reason, String detail) {
        return shortened(detail.isEmpty() ? reason.text() : reason.text() + " " + detail);
    }

    /** A text as long as a status may hold. */
    public static String shortened(String text) {
        return ShortenedText.of(text, LONGEST_MESSAGE);
    }
}
