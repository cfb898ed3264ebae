// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import java.time.Duration;
import java.util.Map;
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
    private static final String VERTEX = "Vertex ID ";
    private static final int LONGEST_NAME = 40;

    public enum Severity {
        NORMAL,
        WARNING
    }

    /** An event of the service itself, of which each repetition is told. */
    public static EngineEvent of(AutoscalerEvent event, String message) {
        return new EngineEvent(
                event.severity(),
                event.wire(),
                message,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
    }

    /** The same event, of which a repetition within {@code time} is dropped. */
    public EngineEvent quietFor(Duration time) {
        return new EngineEvent(severity, reason, message, key, Optional.of(time), content);
    }

    /** The same event, which is another one only if {@code other} differs. */
    public EngineEvent keyed(String other) {
        return new EngineEvent(severity, reason, message, Optional.of(other), quiet, content);
    }

    /**
     * Returns the event with the name of each vertex behind its id in the message.
     *
     * @param names by vertex id
     */
    public EngineEvent naming(Map<String, String> names) {
        String named = message;
        for (Map.Entry<String, String> vertex : names.entrySet()) {
            String id = VERTEX + vertex.getKey();
            named = named.replace(id, id + " (" + shortened(vertex.getValue()) + ")");
        }
        return new EngineEvent(severity, reason, named, key, quiet, content);
    }

    /** Flink names a vertex after all operators that are chained in it. */
    private static String shortened(String name) {
        return name.length() <= LONGEST_NAME ? name : name.substring(0, LONGEST_NAME) + "…";
    }

    /** Whether it announces a scaling that is about to be carried out. */
    public boolean announcesScaling() {
        return reason.equals(RecordedEvents.SCALING_REPORT_REASON) && content.isEmpty();
    }
}
