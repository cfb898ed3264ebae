// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** How often what was called, as {@code /metrics} shows it. */
final class CallCounts {
    private record Series(String verb, String plural, String subresource) {
        @Override
        public String toString() {
            return "apiserver_request_total{verb=\"%s\",resource=\"%s\",subresource=\"%s\"}"
                    .formatted(verb, plural, subresource);
        }
    }

    private final Map<Series, Long> counts = new HashMap<>();

    void count(ApiCall call) {
        counts.merge(
                new Series(verb(call), call.type().plural(), call.subresource().orElse("")),
                1L,
                Long::sum);
    }

    /** As the real API server counts them. */
    private static String verb(ApiCall call) {
        return switch (call.verb()) {
            case CREATE -> "POST";
            case UPDATE -> "PUT";
            case PATCH -> call.contentType().startsWith("application/apply") ? "APPLY" : "PATCH";
            case GET, LIST, WATCH, DELETE, DELETECOLLECTION -> call.verb().name();
        };
    }

    String text() {
        return counts.entrySet().stream()
                .map(each -> each.getKey() + " " + each.getValue() + "\n")
                .sorted()
                .collect(Collectors.joining());
    }
}
