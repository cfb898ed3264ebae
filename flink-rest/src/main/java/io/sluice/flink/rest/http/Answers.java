// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.sluice.flink.rest.Reply;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a status and a body mean. The only place that looks into Flink's words: an unknown job is
 * 404 or 500 depending on the path, and nothing else tells it from another fault.
 */
final class Answers {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int LONGEST_MESSAGE = 500;
    private static final String CAUSE = "Caused by: ";
    private static final Pattern JOB_NOT_FOUND =
            Pattern.compile(
                    "FlinkJobNotFoundException|could not be found|could not find flink job"
                            + "|\\bjob \\S+ not found",
                    Pattern.CASE_INSENSITIVE);

    private Answers() {}

    /**
     * @param jobId the job that was asked about, if the path names one
     */
    static Reply<JsonNode> of(int status, byte[] body, Optional<String> jobId) {
        if (status >= 200 && status < 300) {
            return json(body)
                    .<Reply<JsonNode>>map(Reply.Ok::new)
                    .orElseGet(() -> new Reply.Unreachable<>("the reply was cut or no JSON"));
        }
        if (status == 502 || status == 503 || status == 504) {
            return new Reply.Unreachable<>(status + ": " + message(body));
        }
        if (jobId.isPresent() && isJobUnknown(status, body)) {
            return new Reply.JobUnknown<>();
        }
        return new Reply.Refused<>(status, message(body));
    }

    private static boolean isJobUnknown(int status, byte[] body) {
        return (status == 404 || status == 500) && JOB_NOT_FOUND.matcher(errors(body)).find();
    }

    /** The first line of Flink's own words, and the cause at the bottom of its trace. */
    private static String message(byte[] body) {
        String errors = errors(body);
        String first = errors.lines().findFirst().orElse("no reason given").strip();
        return errors.lines()
                .filter(line -> line.startsWith(CAUSE))
                .reduce((_, last) -> last)
                .map(cause -> shortened(first) + " " + shortened(cause.strip()))
                .orElseGet(() -> shortened(first));
    }

    private static String shortened(String line) {
        return line.length() <= LONGEST_MESSAGE ? line : line.substring(0, LONGEST_MESSAGE) + "…";
    }

    /** Flink 1.20 puts "Internal server error." before the trace; the trace says what it was. */
    private static String errors(byte[] body) {
        JsonNode errors = json(body).map(node -> node.path("errors")).orElse(JSON.nullNode());
        String text = new String(body, StandardCharsets.UTF_8);
        if (!errors.isArray() || errors.isEmpty()) {
            return text;
        }
        StringBuilder lines = new StringBuilder();
        errors.forEach(error -> lines.append(error.asText()).append('\n'));
        return lines.toString();
    }

    private static Optional<JsonNode> json(byte[] body) {
        try {
            return Optional.of(JSON.readTree(body)).filter(node -> !node.isMissingNode());
        } catch (IOException notJson) {
            return Optional.empty();
        }
    }
}
