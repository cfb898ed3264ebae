// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * What one user has asked the API server for so far, by the API server's audit log: verb and
 * resource, for instance {@code update flinkdeployments/status}.
 *
 * @param last when the last one was received that opened no watch and renewed no Lease; empty if
 *     there was none
 */
record AuditedRequests(Map<String, Long> byKind, Optional<Instant> last) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String LOG = "audit.log";
    private static final String POLICY = "audit-policy.yaml";

    AuditedRequests {
        byKind = Collections.unmodifiableMap(new TreeMap<>(byKind));
    }

    /**
     * The flags with which a kube-apiserver logs all requests of {@code user}, and nobody else's.
     *
     * @param folder where the log is to be; a former one is deleted
     */
    static Map<String, String> flags(Path folder, String user) throws IOException {
        Files.createDirectories(folder);
        Files.deleteIfExists(folder.resolve(LOG));
        Files.writeString(
                folder.resolve(POLICY),
                """
                apiVersion: audit.k8s.io/v1
                kind: Policy
                omitStages: [RequestReceived]
                rules:
                  - {level: Metadata, users: ["%s"]}
                  - {level: None}
                """
                        .formatted(user));
        return Map.of(
                "--audit-policy-file", folder.resolve(POLICY).toString(),
                "--audit-log-path", folder.resolve(LOG).toString(),
                "--audit-log-maxsize", "4096");
    }

    static AuditedRequests of(Path folder) throws IOException {
        return read(Files.readString(folder.resolve(LOG)));
    }

    /** What stands in a log; a last line that is not complete yet does not count. */
    static AuditedRequests read(String log) throws IOException {
        Map<String, Long> byKind = new TreeMap<>();
        Optional<Instant> last = Optional.empty();
        for (String line : log.substring(0, log.lastIndexOf('\n') + 1).lines().toList()) {
            JsonNode event = JSON.readTree(line);
            String kind = kind(event);
            // A watch is logged when it begins, and once more when it ends.
            String counted = isWatch(kind) ? "ResponseStarted" : "ResponseComplete";
            if (!event.path("stage").asText().equals(counted)) {
                continue;
            }
            byKind.merge(kind, 1L, Long::sum);
            if (isWork(kind)) {
                Instant at = Instant.parse(event.path("requestReceivedTimestamp").asText());
                last = Optional.of(last.filter(at::isBefore).orElse(at));
            }
        }
        return new AuditedRequests(byKind, last);
    }

    AuditedRequests since(AuditedRequests before) {
        Map<String, Long> more = new TreeMap<>(byKind);
        before.byKind.forEach((kind, had) -> more.merge(kind, -had, Long::sum));
        more.values().removeIf(count -> count == 0);
        return new AuditedRequests(more, last);
    }

    /** Those that neither open a watch nor renew a Lease. */
    long work() {
        return sum(AuditedRequests::isWork);
    }

    /** Those of the work that change something. */
    long writes() {
        return sum(kind -> isWork(kind) && !kind.startsWith("get ") && !kind.startsWith("list "));
    }

    /** Watches that were opened, most of them in place of one that the API server has ended. */
    long watches() {
        return sum(AuditedRequests::isWatch);
    }

    /** A line for each kind. */
    String text() {
        return byKind.entrySet().stream()
                .map(each -> "    %-46s %8d%n".formatted(each.getKey(), each.getValue()))
                .collect(Collectors.joining());
    }

    private long sum(Predicate<String> kinds) {
        return byKind.entrySet().stream()
                .filter(each -> kinds.test(each.getKey()))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    private static String kind(JsonNode event) {
        JsonNode object = event.path("objectRef");
        String part = object.path("subresource").asText("");
        String what =
                object.isObject()
                        ? object.path("resource").asText() + (part.isEmpty() ? "" : "/" + part)
                        : event.path("requestURI").asText();
        return event.path("verb").asText() + " " + what;
    }

    private static boolean isWatch(String kind) {
        return kind.startsWith("watch ");
    }

    private static boolean isWork(String kind) {
        return !isWatch(kind) && !kind.endsWith(" leases");
    }
}
