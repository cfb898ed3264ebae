// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.publish;

import io.sluice.autoscaler.collect.JobKey;
import io.sluice.autoscaler.decide.EngineEvent;

/**
 * The name that makes a repetition find its first event: the Apache operator's formula, so that
 * events go on being counted after a switch.
 */
final class EventName {
    static final String COMPONENT = "Operator";

    private EventName() {}

    static String of(EngineEvent event, JobKey key) {
        String identity =
                event.reason()
                        + event.key().orElse(event.message())
                        + type(event)
                        + key.kind().wire()
                        + key.name()
                        + key.uid();
        return COMPONENT + "." + (identity.hashCode() & 0x7FFFFFFF);
    }

    static String type(EngineEvent event) {
        return switch (event.severity()) {
            case NORMAL -> "Normal";
            case WARNING -> "Warning";
        };
    }
}
