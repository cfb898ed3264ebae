// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.savepoint;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.cli.trial.program.Tell;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The last lines of a command that has waited, and the code that it exits with. Pure.
 *
 * @param result lines for the standard output
 * @param told lines for the error output
 */
record Ending(int code, List<String> result, List<String> told) {
    static final int COMPLETED = 0;
    static final int NOT_COMPLETED = 1;
    static final int NOT_CREATED = 2;
    static final int UNKNOWN = 3;

    Ending {
        result = List.copyOf(result);
        told = List.copyOf(told);
    }

    /**
     * @param name of the snapshot
     */
    static Ending of(Outcome outcome, Job job, String namespace, String name) {
        var snapshot = new Snapshot(job, namespace, name);
        return switch (outcome) {
            case Outcome.AtRest(var last) -> atRest(last, snapshot);
            case Outcome.Deleted() ->
                    failed(
                            snapshot.text() + " was deleted before it was complete.",
                            "If that was not meant, run the command again.");
            case Outcome.TimedOut timedOut -> timedOut(timedOut, snapshot);
            case Outcome.NotFollowed(var why) ->
                    unknown(
                            snapshot.text() + " was created and goes on, but " + why + ".",
                            "To look at it: " + snapshot.kubectl("get", List.of()));
        };
    }

    /** The snapshot in messages and commands. */
    private record Snapshot(Job job, String namespace, String name) {
        String text() {
            return "FlinkStateSnapshot " + namespace + "/" + name;
        }

        String kubectl(String verb, List<String> options) {
            return command(verb, "flinksnp/" + name, options);
        }

        String describeJob() {
            return command("describe", job.argument(), List.of());
        }

        String command(String verb, String resource, List<String> options) {
            List<String> words =
                    new ArrayList<>(List.of("kubectl", verb, resource, "-n", namespace));
            words.addAll(options);
            return Tell.typed(words);
        }
    }

    private static Ending atRest(SnapshotView last, Snapshot snapshot) {
        return switch (last.state()) {
            case COMPLETED -> completed(last, snapshot);
            case FAILED -> failed(told(last, snapshot, "has failed"), remedy(last, snapshot));
            case ABANDONED ->
                    failed(
                            told(last, snapshot, "was abandoned"),
                            "Run the command again once the job runs. To see why it does not: "
                                    + snapshot.describeJob());
            case TRIGGER_PENDING, IN_PROGRESS ->
                    failed(
                            told(last, snapshot, "waits for a correction"),
                            "It goes on by itself once that is corrected. To give it up: "
                                    + snapshot.kubectl("delete", List.of()));
        };
    }

    private static String told(SnapshotView last, Snapshot snapshot, String what) {
        String reason = last.reason().isEmpty() ? "" : " (" + last.reason() + ")";
        String why = last.error().isEmpty() ? last.message() : last.error();
        return snapshot.text() + " " + what + reason + (why.isEmpty() ? "." : ": " + why);
    }

    /** A limit as high as the number of failures allows one more try. */
    private static String remedy(SnapshotView last, Snapshot snapshot) {
        if (last.reason().equals("SnapshotRestartsJob")) {
            return "Each of the last tries made the job restart. To see why: "
                    + snapshot.describeJob();
        }
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("spec").put("backoffLimit", last.failures());
        return "To try once more: "
                + snapshot.kubectl("patch", List.of("--type=merge", "-p", patch.toString()));
    }

    private static Ending completed(SnapshotView last, Snapshot snapshot) {
        if (last.path().isEmpty()) {
            return new Ending(
                    COMPLETED,
                    List.of(),
                    List.of(
                            "Flink has made the checkpoint, and does not say where it is: it keeps"
                                    + " the newest state.checkpoints.num-retained ones. To have"
                                    + " state that stays, take a savepoint."));
        }
        return new Ending(COMPLETED, List.of(last.path()), restore(last.path(), snapshot));
    }

    private static List<String> restore(String path, Snapshot snapshot) {
        Job job = snapshot.job();
        if (job.maker().isPresent()) {
            return List.of(
                    job.text()
                            + " is made by "
                            + job.maker().get()
                            + ". To start from this, name the path in initialSavepointPath there.");
        }
        ObjectNode patch = JsonNodeFactory.instance.objectNode();
        patch.putObject("spec")
                .putObject("job")
                .put("initialSavepointPath", path)
                .put("savepointRedeployNonce", job.redeployNonce() + 1);
        return List.of(
                "To start " + job.text() + " from it:",
                "  "
                        + snapshot.command(
                                "patch",
                                job.argument(),
                                List.of("--type=merge", "-p", patch.toString())));
    }

    private static Ending timedOut(Outcome.TimedOut outcome, Snapshot snapshot) {
        boolean isObserved = outcome.last().filter(SnapshotView::isObserved).isPresent();
        if (!isObserved) {
            return unknown(
                    "No operator has looked at "
                            + snapshot.text()
                            + " within "
                            + text(outcome.limit())
                            + ".",
                    "Check that the operator runs and serves namespace '"
                            + snapshot.namespace()
                            + "'. If its kubernetes.operator.label.selector is set, name the labels"
                            + " that it asks for with --label.");
        }
        return unknown(
                snapshot.text()
                        + " goes on: after "
                        + text(outcome.limit())
                        + " it is "
                        + outcome.last().map(SnapshotView::line).orElse(""),
                "To follow it: " + snapshot.kubectl("get", List.of("-w")));
    }

    /** As the option takes it. */
    private static String text(Duration limit) {
        return limit.toSecondsPart() == 0 ? limit.toMinutes() + " min" : limit.toSeconds() + " s";
    }

    private static Ending failed(String what, String remedy) {
        return new Ending(NOT_COMPLETED, List.of(), List.of(what, remedy));
    }

    private static Ending unknown(String what, String remedy) {
        return new Ending(UNKNOWN, List.of(), List.of(what, remedy));
    }
}
