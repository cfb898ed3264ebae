// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cron;

import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import java.time.Instant;

/**
 * Makes the events of a cron job (docs/contract/reconciler.md, section 14; further reasons as of a
 * CronJob).
 */
final class CronEvents {
    private static final String OPERATOR = "Operator";

    private CronEvents() {}

    static ResourceEvent submitted(String run) {
        return note(OperatorEvent.JOB_STATUS_CHANGED, run, "New job submitted: " + run);
    }

    static ResourceEvent removed(String run) {
        return note(OperatorEvent.CLEANUP, run, "Cleaned up the earlier run " + run);
    }

    static ResourceEvent released() {
        return note(OperatorEvent.CLEANUP, "Cleanup", "Cleaned up: no run of it is left");
    }

    /** The same word for the event as an application's spec gets that is not carried out. */
    static ResourceEvent held(Reason reason, long generation, String detail) {
        String key = reason.wire() + " generation " + generation;
        String message = reason.text() + " " + detail;
        return reason == Reason.SPEC_INVALID
                ? note(OperatorEvent.VALIDATION_ERROR, key, message)
                : ResourceEvent.warning(OPERATOR, reason, key, message);
    }

    static ResourceEvent missed(Instant fire) {
        return note(
                OperatorEvent.MISS_SCHEDULE,
                fire.toString(),
                "No run began within the starting deadline of "
                        + fire
                        + "; allow more time in the annotation job.execute.cron.starting-deadline");
    }

    static ResourceEvent leftOut(Instant fire, String active) {
        return note(
                OperatorEvent.JOB_ALREADY_ACTIVE,
                fire.toString(),
                "The run of " + fire + " was skipped, because " + active + " is still running");
    }

    static ResourceEvent refused(String run, String why) {
        return note(OperatorEvent.ERROR, run, "The run " + run + " can't be created: " + why);
    }

    private static ResourceEvent note(OperatorEvent event, String key, String message) {
        return ResourceEvent.of(OPERATOR, event, key, message);
    }
}
