// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.cron;

import io.sluice.operator.deployment.Note;
import io.sluice.operator.deployment.Reason;
import java.time.Instant;
import java.util.Map;

/**
 * What is told of a cron job (docs/contract/reconciler.md, section 14; further reasons as of a
 * CronJob).
 */
final class CronNote {
    private static final String OPERATOR = "Operator";

    private CronNote() {}

    static Note submitted(String run) {
        return note(Note.Kind.NORMAL, "JobStatusChanged", run, "New job submitted: " + run);
    }

    static Note removed(String run) {
        return note(Note.Kind.NORMAL, "Cleanup", run, "Cleaned up the earlier run " + run);
    }

    static Note released() {
        return note(Note.Kind.NORMAL, "Cleanup", "Cleanup", "Cleaned up: no run of it is left");
    }

    /** The same word for the event as an application's spec gets that is not carried out. */
    static Note held(Reason reason, long generation, String detail) {
        return note(
                Note.Kind.WARNING,
                reason == Reason.SPEC_INVALID ? "ValidationError" : reason.wire(),
                reason.wire() + " generation " + generation,
                reason.text() + " " + detail);
    }

    static Note missed(Instant fire) {
        return note(
                Note.Kind.WARNING,
                "MissSchedule",
                fire.toString(),
                "No run began within the starting deadline of "
                        + fire
                        + "; allow more time in the annotation job.execute.cron.starting-deadline");
    }

    static Note leftOut(Instant fire, String active) {
        return note(
                Note.Kind.NORMAL,
                "JobAlreadyActive",
                fire.toString(),
                "The run of " + fire + " was left out, as " + active + " is under way");
    }

    static Note refused(String run, String why) {
        return note(
                Note.Kind.WARNING, "Error", run, "The run " + run + " can't be created: " + why);
    }

    private static Note note(Note.Kind kind, String reason, String key, String message) {
        return new Note(kind, OPERATOR, reason, key, message, Map.of());
    }
}
