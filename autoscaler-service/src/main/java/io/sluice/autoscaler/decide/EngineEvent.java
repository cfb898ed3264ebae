// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import java.time.Duration;
import java.util.Optional;

/**
 * What the engine wants people to know.
 *
 * @param key what makes two events the same one, instead of the message
 * @param quiet a repetition within this time is dropped
 * @param content a hash of what the event tells of; a change of it ends the quiet
 */
public record EngineEvent(
        Severity severity,
        String reason,
        String message,
        Optional<String> key,
        Optional<Duration> quiet,
        Optional<String> content) {
    public enum Severity {
        NORMAL,
        WARNING
    }

    /** Whether it announces a scaling that is about to be carried out. */
    public boolean announcesScaling() {
        return reason.equals(RecordedEvents.SCALING_REPORT_REASON) && content.isEmpty();
    }
}
