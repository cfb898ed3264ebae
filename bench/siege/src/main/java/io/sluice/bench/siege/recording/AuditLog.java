// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.recording;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The requests that an API server has answered, as its audit log has them. */
public final class AuditLog {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String POLICY =
            """
            apiVersion: audit.k8s.io/v1
            kind: Policy
            omitStages: [RequestReceived, ResponseStarted]
            rules:
              - level: None
                verbs: [watch]
              - level: Metadata
            """;

    private final Path policy;
    private final Path log;

    /**
     * @param folder gets the log and its policy
     */
    public AuditLog(Path folder) {
        policy = folder.resolve("audit-policy.yaml");
        log = folder.resolve("audit.log");
    }

    /** Flags of a kube-apiserver that writes it, instead of one of an earlier run. */
    public Map<String, String> flags() throws IOException {
        Files.writeString(policy, POLICY);
        Files.deleteIfExists(log);
        return Map.of(
                "--audit-policy-file", policy.toString(),
                "--audit-log-path", log.toString(),
                "--audit-log-mode", "batch");
    }

    List<Event> events() throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.map(AuditLog::event).toList();
        }
    }

    private static Event event(String line) {
        try {
            JsonNode request = JSON.readTree(line);
            JsonNode object = request.path("objectRef");
            String name = object.path("name").asText();
            Instant begin = Instant.parse(request.path("requestReceivedTimestamp").asText());
            Instant end = Instant.parse(request.path("stageTimestamp").asText());
            String user = request.at("/user/username").asText();
            String text =
                    "%s: %s %s %s/%s/%s: %d"
                            .formatted(
                                    user.substring(user.lastIndexOf(':') + 1),
                                    request.path("verb").asText(),
                                    object.path("resource").asText(),
                                    object.path("namespace").asText(),
                                    name,
                                    object.path("subresource").asText(),
                                    request.at("/responseStatus/code").asInt());
            return new Event(begin, Duration.between(begin, end), name, text);
        } catch (IOException broken) {
            throw new UncheckedIOException(line, broken);
        }
    }
}
