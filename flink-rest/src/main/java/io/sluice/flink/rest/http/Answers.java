// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import static java.util.stream.Collectors.joining;

import io.sluice.flink.rest.AnswerLimit;
import io.sluice.flink.rest.Reply;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What a status and a body mean. The only place that looks into Flink's words: an unknown job is
 * 404 or 500 depending on the path, and nothing else tells it from another fault.
 */
final class Answers {
    private static final int LONGEST_MESSAGE = 500;
    private static final String CAUSE = "Caused by: ";
    private static final Pattern JOB_NOT_FOUND =
            Pattern.compile(
                    "FlinkJobNotFoundException|could not be found|could not find flink job"
                            + "|\\bjob \\S+ not found",
                    Pattern.CASE_INSENSITIVE);

    private Answers() {}

    /**
     * @param in is read to its end, or to where a limit is exceeded
     * @param jobId the job that was asked about, if the path names one
     */
    static <T> Reply<T> of(
            Json json, int status, InputStream in, Optional<String> jobId, AnswerReader<T> reader)
            throws IOException {
        if (status >= 200 && status < 300) {
            return json.read(in, reader)
                    .<Reply<T>>map(Reply.Ok::new)
                    .orElseGet(
                            () ->
                                    new Reply.Unreachable<>(
                                            "the reply was cut, no JSON, or not understood"));
        }
        return fault(status, errors(json, in.readAllBytes()), jobId);
    }

    private static <T> Reply<T> fault(int status, String errors, Optional<String> jobId) {
        if (status == 502 || status == 503 || status == 504) {
            return new Reply.Unreachable<>(status + ": " + message(errors));
        }
        if (jobId.isPresent() && isJobUnknown(status, errors)) {
            return new Reply.JobUnknown<>();
        }
        return new Reply.Refused<>(status, message(errors));
    }

    private static boolean isJobUnknown(int status, String errors) {
        return (status == 404 || status == 500) && JOB_NOT_FOUND.matcher(errors).find();
    }

    /** The first line of Flink's own words, and the cause at the bottom of its trace. */
    private static String message(String errors) {
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
    private static String errors(Json json, byte[] body) throws IOException {
        return json.read(new ByteArrayInputStream(body), Answers::errors)
                .filter(errors -> !errors.isEmpty())
                .map(errors -> errors.stream().map(error -> error + "\n").collect(joining()))
                .orElseGet(() -> new String(body, StandardCharsets.UTF_8));
    }

    private static Optional<List<String>> errors(JsonCursor body) throws IOException {
        return body.elementsIn("errors", AnswerLimit.ENTRIES, body::text);
    }
}
