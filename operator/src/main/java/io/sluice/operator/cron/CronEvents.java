// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cron;

import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import java.time.Instant;
import java.util.Map;

/**
 * Makes the events of a cron job (docs/contract/reconciler.md, section 14; further reasons as of a
 * CronJob).
 */
final class CronEvents {
    private static final String OPERATOR = "Operator";

    private CronEvents() {}

    static ResourceEvent submitted(String run) {
        return note(
                ResourceEvent.Kind.NORMAL, "JobStatusChanged", run, "New job submitted: " + run);
    }

    static ResourceEvent removed(String run) {
        return note(ResourceEvent.Kind.NORMAL, "Cleanup", run, "Cleaned up the earlier run " + run);
    }

    static ResourceEvent released() {
        return note(
                ResourceEvent.Kind.NORMAL,
                "Cleanup",
                "Cleanup",
                "Cleaned up: no run of it is left");
    }

    /** The same word for the event as an application's spec gets that is not carried out. */
    static ResourceEvent held(Reason reason, long generation, String detail) {
        return note(
                ResourceEvent.Kind.WARNING,
                reason == Reason.SPEC_INVALID ? "ValidationError" : reason.wire(),
                reason.wire() + " generation " + generation,
                reason.text() + " " + detail);
    }

    static ResourceEvent missed(Instant fire) {
        return note(
                ResourceEvent.Kind.WARNING,
                "MissSchedule",
                fire.toString(),
                "No run began within the starting deadline of "
                        + fire
                        + "; allow more time in the annotation job.execute.cron.starting-deadline");
    }

    static ResourceEvent leftOut(Instant fire, String active) {
        return note(
                ResourceEvent.Kind.NORMAL,
                "JobAlreadyActive",
                fire.toString(),
                "The run of " + fire + " was skipped, because " + active + " is still running");
    }

    static ResourceEvent refused(String run, String why) {
        return note(
                ResourceEvent.Kind.WARNING,
                "Error",
                run,
                "The run " + run + " can't be created: " + why);
    }

    private static ResourceEvent note(
            ResourceEvent.Kind kind, String reason, String key, String message) {
        return new ResourceEvent(kind, OPERATOR, reason, key, message, Map.of());
    }
}
