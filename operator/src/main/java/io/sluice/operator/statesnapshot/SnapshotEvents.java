// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.statesnapshot;

import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.Reason;
import io.sluice.operator.model.ResourceEvent;
import java.util.Locale;
import java.util.Optional;

/**
 * The events of a snapshot (docs/contract/events.md, section 2). Those of the Apache operator keep
 * their words.
 */
final class SnapshotEvents {
    private static final String COMPONENT = "Snapshot";

    private SnapshotEvents() {}

    static ResourceEvent failed(SnapshotObservedState observed, String message) {
        return warning(observed, error(observed), "failed", message);
    }

    static ResourceEvent unnamed(SnapshotObservedState observed) {
        return warning(
                observed,
                error(observed),
                "unnamed",
                "The checkpoint is complete, and Flink does not say where it is.");
    }

    static ResourceEvent notKept(SnapshotObservedState observed, String why) {
        return warning(observed, error(observed), "not kept", why);
    }

    static ResourceEvent askedAgain(SnapshotObservedState observed, Optional<String> folder) {
        return warning(
                observed,
                error(observed),
                "again",
                "The JobManager does not know the request, and is asked again."
                        + folder.map(
                                        it ->
                                                " If it restarted meanwhile, files of a savepoint"
                                                        + " that was not finished may lie in "
                                                        + it
                                                        + ".")
                                .orElse(""));
    }

    static ResourceEvent abandoned(SnapshotObservedState observed, String why) {
        return ResourceEvent.warning(
                COMPONENT,
                Reason.SNAPSHOT_ABANDONED,
                key(observed, "abandoned"),
                "The snapshot is abandoned: " + why + ".");
    }

    static ResourceEvent held(SnapshotObservedState observed, Reason reason, String detail) {
        String key = reason.wire() + " generation " + observed.identity().generation();
        String message = reason.text() + " " + detail;
        return reason == Reason.SPEC_INVALID
                ? ResourceEvent.of("Operator", OperatorEvent.VALIDATION_ERROR, key, message)
                : ResourceEvent.warning("Operator", reason, key, message);
    }

    static ResourceEvent kept(String path, String by) {
        return ResourceEvent.of(
                COMPONENT,
                OperatorEvent.CLEANUP,
                "kept " + path,
                "The savepoint " + path + " is not deleted with the resource: " + by + ".");
    }

    static ResourceEvent disposalFailed(String path, String message) {
        return ResourceEvent.of(
                COMPONENT,
                OperatorEvent.CLEANUP_FAILED,
                "failed " + path,
                "The savepoint "
                        + path
                        + " could not be deleted and is tried again until"
                        + " kubernetes.operator.resource.cleanup.timeout has passed: "
                        + message);
    }

    static ResourceEvent undeleted(String path, String why) {
        return ResourceEvent.of(
                COMPONENT,
                OperatorEvent.CLEANUP_FAILED,
                "undeleted " + path,
                "The savepoint " + path + " is left behind: " + why + ". Delete it by hand.");
    }

    /** What Flink was asked for may still be written when nobody looks any more. */
    static ResourceEvent leftInProgress(SnapshotObservedState observed) {
        return warning(
                observed,
                OperatorEvent.CLEANUP_FAILED,
                "left",
                "The savepoint of trigger "
                        + observed.status().triggerId().orElse("")
                        + " was in progress, and its files may be left in "
                        + SnapshotTrigger.folder(observed).orElse("the job's folder for savepoints")
                        + ". Delete them by hand.");
    }

    /** A clause as a sentence. */
    static String sentence(String clause) {
        return clause.isEmpty()
                ? ""
                : clause.substring(0, 1).toUpperCase(Locale.ROOT) + clause.substring(1) + ".";
    }

    private static OperatorEvent error(SnapshotObservedState observed) {
        return observed.spec().checkpoint()
                ? OperatorEvent.CHECKPOINT_ERROR
                : OperatorEvent.SAVEPOINT_ERROR;
    }

    private static ResourceEvent warning(
            SnapshotObservedState observed, OperatorEvent event, String key, String message) {
        return ResourceEvent.of(COMPONENT, event, key(observed, key), message);
    }

    /** One for each try. */
    private static String key(SnapshotObservedState observed, String key) {
        var status = observed.status();
        return String.join(
                " ", key, status.triggerId().orElse(""), Integer.toString(status.failures()));
    }
}
