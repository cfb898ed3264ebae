// SPDX-License-Identifier: Apache-2.0
package io.sluice.flink.rest.http;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.flink.rest.Accepted;
import io.sluice.flink.rest.Reply;
import io.sluice.flink.rest.Submission;
import io.sluice.flink.rest.request.RunRequest;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Flink's JSON about jars and what is run of them. */
final class JarBodies {
    /** 1.20 and 2.x, in this order; both with status 400, like many other refusals. */
    private static final Pattern KNOWN_ALREADY =
            Pattern.compile(
                    "DuplicateJobSubmissionException|DuplicateApplicationSubmissionException"
                            + "|has already been submitted");

    /** With status 500: {@code Jar file … does not exist}, on one line. */
    private static final Pattern JAR = Pattern.compile("[Jj]ar file ");

    private static final String DOES_NOT_EXIST = " does not exist";

    private JarBodies() {}

    /** The last part of the path it was stored at. */
    static Optional<String> jarId(JsonCursor body) throws IOException {
        String name = body.only(Set.of("filename")).path("filename").asText("");
        String id = name.substring(name.lastIndexOf('/') + 1);
        return id.isEmpty() ? Optional.empty() : Optional.of(id);
    }

    static ObjectNode ofRun(RunRequest request) {
        ObjectNode body = JsonNodeFactory.instance.objectNode().put("jobId", request.jobId());
        request.entryClass().ifPresent(main -> body.put("entryClass", main));
        request.parallelism().ifPresent(parallelism -> body.put("parallelism", parallelism));
        request.savepointPath().ifPresent(path -> body.put("savepointPath", path));
        if (request.savepointPath().isPresent()) {
            body.put("allowNonRestoredState", request.allowNonRestoredState());
        }
        request.arguments().forEach(body.putArray("programArgsList")::add);
        if (!request.configuration().isEmpty()) {
            ObjectNode configuration = body.putObject("flinkConfiguration");
            new TreeMap<>(request.configuration()).forEach(configuration::put);
        }
        return body;
    }

    private static boolean missesAJar(String line) {
        Matcher jar = JAR.matcher(line);
        return jar.find() && line.lastIndexOf(DOES_NOT_EXIST) > jar.end();
    }

    static Reply<Submission> submission(Reply<Accepted> reply) {
        if (reply instanceof Reply.Refused<Accepted>(_, var message)) {
            if (KNOWN_ALREADY.matcher(message).find()) {
                return new Reply.Ok<>(Submission.KNOWN_ALREADY);
            }
            if (message.lines().anyMatch(JarBodies::missesAJar)) {
                return new Reply.Ok<>(Submission.NO_SUCH_JAR);
            }
        }
        return reply.map(_ -> Submission.SUBMITTED);
    }
}
