// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.sluice.api.spec.FlinkStateSnapshotSpec;
import io.sluice.api.status.snapshot.FlinkStateSnapshotStatus;
import io.sluice.api.status.snapshot.SnapshotState;
import io.sluice.cli.cluster.StatusError;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** What a FlinkStateSnapshot says of itself. Pure. */
final class SnapshotText {
    private SnapshotText() {}

    static KindText of(StatusView view, Span span) {
        FlinkStateSnapshotStatus status = FlinkStateSnapshotStatus.of(view.status());
        FlinkStateSnapshotSpec spec = spec(view);
        List<String> sentences = new ArrayList<>();
        sentences.add(wish(spec));
        sentences.add("In the status: state " + status.state().wire() + progress(status, span));
        if (status.failures() > 0) {
            sentences.add(failures(status.failures(), spec.backoffLimit()));
        }
        status.error()
                .ifPresent(error -> sentences.add("The last error: " + StatusError.text(error)));
        status.path()
                .filter(path -> !path.isEmpty())
                .ifPresent(path -> sentences.add("It is in " + path));
        return new KindText(sentences, ofApache(status.state()));
    }

    private static FlinkStateSnapshotSpec spec(StatusView view) {
        return FlinkStateSnapshotSpec.parse(
                        Optional.ofNullable(view.resource().getSpec())
                                .orElseGet(JsonNodeFactory.instance::objectNode),
                        "spec")
                .value();
    }

    private static String wish(FlinkStateSnapshotSpec spec) {
        if (spec.isRegistration()) {
            return "It registers a savepoint that is there already.";
        }
        return spec.savepoint().isPresent()
                ? "It asks for a savepoint."
                : "It asks for a checkpoint.";
    }

    /** How many subtasks have acknowledged it, the status does not say. */
    private static String progress(FlinkStateSnapshotStatus status, Span span) {
        return switch (status.state()) {
            case IN_PROGRESS ->
                    status.triggerTimestamp().map(at -> ", " + span.since(at) + ".").orElse(".");
            case COMPLETED, FAILED, ABANDONED ->
                    status.resultTimestamp().map(at -> " " + span.since(at) + ".").orElse(".");
            case TRIGGER_PENDING ->
                    status.resultTimestamp()
                            .filter(_ -> status.failures() > 0)
                            .map(
                                    at ->
                                            "; the last try ended "
                                                    + span.distance(at)
                                                    + ", and the next one comes after a pause that"
                                                    + " grows.")
                            .orElse("; Flink has not been asked yet.");
        };
    }

    private static String failures(int failures, int limit) {
        String tries = failures == 1 ? "One try has failed" : failures + " tries have failed";
        return tries
                + (limit < 0
                        ? "; spec.backoffLimit sets no limit."
                        : ", and spec.backoffLimit allows " + limit + ".");
    }

    private static Verdict ofApache(SnapshotState state) {
        return switch (state) {
            case COMPLETED -> Verdict.READY;
            case FAILED, ABANDONED -> Verdict.STALLED;
            case TRIGGER_PENDING, IN_PROGRESS -> Verdict.AT_WORK;
        };
    }
}
