// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.flink.rest.AnswerLimit;
import io.sluice.flink.rest.CheckpointInProgress;
import io.sluice.flink.rest.CheckpointRef;
import io.sluice.flink.rest.CheckpointRetention;
import io.sluice.flink.rest.CheckpointStatus;
import io.sluice.flink.rest.Checkpoints;
import io.sluice.flink.rest.DisposalStatus;
import io.sluice.flink.rest.JobResult;
import io.sluice.flink.rest.SavepointStatus;
import io.sluice.flink.rest.request.CheckpointRequest;
import io.sluice.flink.rest.request.SavepointRequest;
import io.sluice.flink.rest.request.StopRequest;
import java.io.IOException;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Flink's JSON about savepoints, checkpoints and ends, as records. */
final class StateBodies {
    private static final int LONGEST_MESSAGE = 500;
    private static final String NO_FILE = "java.io.FileNotFoundException";

    /**
     * The one place where Flink names a savepoint that was written although its job then failed to
     * stop.
     */
    private static final Pattern WRITTEN_NEVERTHELESS =
            Pattern.compile("savepoint has been created at: (\\S+?),? but the corresponding job");

    private static final Set<String> OPERATION =
            Set.of(
                    "status",
                    "id",
                    "operation",
                    "location",
                    "checkpointId",
                    "failure-cause",
                    "failureCause",
                    "stack-trace");
    private static final Set<String> RESULT =
            Set.of(
                    "status",
                    "id",
                    "job-execution-result",
                    "application-status",
                    "failure-cause",
                    "stack-trace");
    private static final Set<String> RETENTION =
            Set.of("externalization", "enabled", "delete_on_cancellation");
    private static final Set<String> LATEST =
            Set.of(
                    "completed",
                    "savepoint",
                    "restored",
                    "id",
                    "external_path",
                    "latest_ack_timestamp",
                    "restore_timestamp",
                    "discarded",
                    "state_size");
    private static final Set<String> DETAILS =
            Set.of("id", "external_path", "latest_ack_timestamp", "discarded");
    private static final Set<String> IN_PROGRESS =
            Set.of(
                    "status",
                    "is_savepoint",
                    "trigger_timestamp",
                    "num_subtasks",
                    "num_acknowledged_subtasks");

    private StateBodies() {}

    static ObjectNode ofStop(StopRequest request) {
        ObjectNode body =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("drain", request.drain())
                        .put("formatType", request.format().name())
                        .put("triggerId", request.triggerId());
        request.folder().ifPresent(folder -> body.put("targetDirectory", folder));
        return body;
    }

    static ObjectNode ofSavepoint(SavepointRequest request) {
        ObjectNode body =
                JsonNodeFactory.instance
                        .objectNode()
                        .put("formatType", request.format().name())
                        .put("triggerId", request.triggerId());
        request.folder().ifPresent(folder -> body.put("target-directory", folder));
        return body;
    }

    static ObjectNode ofCheckpoint(CheckpointRequest request) {
        return JsonNodeFactory.instance
                .objectNode()
                .put("checkpointType", request.type().name())
                .put("triggerId", request.triggerId());
    }

    static ObjectNode ofDisposal(String path) {
        return JsonNodeFactory.instance.objectNode().put("savepoint-path", path);
    }

    static Optional<String> request(JsonCursor body) throws IOException {
        return text(body.only(Set.of("request-id")), "request-id");
    }

    /** Unlike savepoints, checkpoints name their failure in camel case. */
    static Optional<CheckpointStatus> checkpoint(JsonCursor in) throws IOException {
        JsonNode body = in.only(OPERATION);
        JsonNode operation = body.path("operation");
        return switch (body.at("/status/id").asText()) {
            case "IN_PROGRESS" -> Optional.of(new CheckpointStatus.InProgress());
            case "COMPLETED" ->
                    Optional.of(operation.path("checkpointId"))
                            .filter(JsonNode::isIntegralNumber)
                            .<CheckpointStatus>map(
                                    id -> new CheckpointStatus.Completed(id.longValue()))
                            .or(() -> failure(operation).map(CheckpointStatus.Failed::new));
            default -> Optional.empty();
        };
    }

    static Optional<DisposalStatus> disposal(JsonCursor in) throws IOException {
        JsonNode body = in.only(OPERATION);
        return switch (body.at("/status/id").asText()) {
            case "IN_PROGRESS" -> Optional.of(new DisposalStatus.InProgress());
            case "COMPLETED" -> Optional.of(disposed(body.path("operation")));
            default -> Optional.empty();
        };
    }

    /** What is not there any more has been deleted before. */
    private static DisposalStatus disposed(JsonNode operation) {
        Optional<String> trace = text(operation.path("failure-cause"), "stack-trace");
        if (trace.isEmpty() || trace.get().contains(NO_FILE)) {
            return new DisposalStatus.Done();
        }
        return new DisposalStatus.Failed(cause(trace.get()));
    }

    private static Optional<String> failure(JsonNode operation) {
        return text(operation.path("failureCause"), "stack-trace")
                .or(() -> text(operation.path("failure-cause"), "stack-trace"))
                .map(StateBodies::cause);
    }

    static Optional<SavepointStatus> savepoint(JsonCursor in) throws IOException {
        JsonNode body = in.only(OPERATION);
        return switch (body.at("/status/id").asText()) {
            case "IN_PROGRESS" -> Optional.of(new SavepointStatus.InProgress());
            case "COMPLETED" -> completed(body.path("operation"));
            default -> Optional.empty();
        };
    }

    private static Optional<SavepointStatus> completed(JsonNode operation) {
        Optional<SavepointStatus> written =
                text(operation, "location").map(SavepointStatus.Completed::new);
        return written.or(
                () ->
                        text(operation.path("failure-cause"), "stack-trace")
                                .map(
                                        trace ->
                                                new SavepointStatus.Failed(
                                                        cause(trace), location(trace))));
    }

    static Optional<Checkpoints> checkpoints(JsonCursor body) throws IOException {
        var latest = new JsonCursor.Held<JsonNode>();
        var pending = new JsonCursor.Held<List<CheckpointInProgress>>();
        body.fields(
                name -> {
                    switch (name) {
                        case "latest" -> latest.value = Optional.of(body.only(LATEST));
                        case "history" -> pending.value = inProgress(body);
                        default -> {}
                    }
                });
        return latest.value
                .filter(JsonNode::isObject)
                .map(
                        found ->
                                new Checkpoints(
                                        reference(found.path("completed"), "latest_ack_timestamp"),
                                        reference(found.path("savepoint"), "latest_ack_timestamp"),
                                        reference(found.path("restored"), "restore_timestamp"),
                                        pending.value.orElseGet(List::of)));
    }

    static Optional<CheckpointRef> details(JsonCursor body) throws IOException {
        return reference(body.only(DETAILS), "latest_ack_timestamp");
    }

    private static Optional<List<CheckpointInProgress>> inProgress(JsonCursor history)
            throws IOException {
        return history.elements(
                AnswerLimit.CHECKPOINTS,
                () ->
                        Optional.of(history.only(IN_PROGRESS))
                                .filter(
                                        entry ->
                                                entry.path("status").asText().equals("IN_PROGRESS"))
                                .map(StateBodies::inProgress));
    }

    private static CheckpointInProgress inProgress(JsonNode entry) {
        return new CheckpointInProgress(
                entry.path("is_savepoint").asBoolean(false),
                instant(entry, "trigger_timestamp"),
                entry.path("num_subtasks").asInt(0),
                entry.path("num_acknowledged_subtasks").asInt(0));
    }

    /** Only what is said in so many words is taken for retained. */
    static Optional<CheckpointRetention> retention(JsonCursor in) throws IOException {
        JsonNode body = in.only(RETENTION);
        JsonNode enabled = body.at("/externalization/enabled");
        JsonNode deleted = body.at("/externalization/delete_on_cancellation");
        if (!enabled.isBoolean() || !deleted.isBoolean()) {
            return Optional.empty();
        }
        return Optional.of(
                enabled.booleanValue() && !deleted.booleanValue()
                        ? CheckpointRetention.RETAINED
                        : CheckpointRetention.DELETED);
    }

    static Optional<JobResult> result(JsonCursor in) throws IOException {
        JsonNode body = in.only(RESULT);
        JsonNode result = body.path("job-execution-result");
        return switch (body.at("/status/id").asText()) {
            case "IN_PROGRESS" -> Optional.of(new JobResult(Optional.empty(), Optional.empty()));
            case "COMPLETED" ->
                    text(result, "application-status")
                            .map(
                                    status ->
                                            new JobResult(
                                                    Optional.of(status),
                                                    text(
                                                                    result.path("failure-cause"),
                                                                    "stack-trace")
                                                            .map(StateBodies::cause)));
            default -> Optional.empty();
        };
    }

    private static Optional<CheckpointRef> reference(JsonNode entry, String at) {
        return entry.path("id").isIntegralNumber()
                ? Optional.of(
                        new CheckpointRef(
                                entry.path("id").longValue(),
                                text(entry, "external_path").orElse(CheckpointRef.UNTOLD),
                                instant(entry, at),
                                entry.path("discarded").asBoolean(false),
                                Optional.of(entry.path("state_size"))
                                        .filter(JsonNode::isIntegralNumber)
                                        .map(JsonNode::longValue)))
                : Optional.empty();
    }

    private static Optional<String> location(String trace) {
        Matcher matcher = WRITTEN_NEVERTHELESS.matcher(trace);
        return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
    }

    /** The innermost cause says most; for people only. */
    private static String cause(String trace) {
        String line =
                trace.lines()
                        .filter(text -> text.startsWith("Caused by: "))
                        .reduce((_, last) -> last)
                        .map(text -> text.substring("Caused by: ".length()))
                        .orElseGet(() -> trace.lines().findFirst().orElse("no reason given"));
        return line.length() <= LONGEST_MESSAGE ? line : line.substring(0, LONGEST_MESSAGE) + "…";
    }

    private static Instant instant(JsonNode entry, String field) {
        return Instant.ofEpochMilli(entry.path(field).asLong(0));
    }

    private static Optional<String> text(JsonNode node, String field) {
        return Optional.of(node.path(field)).filter(JsonNode::isTextual).map(JsonNode::textValue);
    }
}
