// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import java.util.Map;
import java.util.TreeMap;

/** How often what was called, as {@code /metrics} shows it. */
final class CallCounts {
    private final Map<String, Long> counts = new TreeMap<>();

    void count(ApiCall call) {
        counts.merge(
                "apiserver_request_total{verb=\"%s\",resource=\"%s\",subresource=\"%s\"}"
                        .formatted(verb(call), call.type().plural(), call.subresource().orElse("")),
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
        var text = new StringBuilder();
        counts.forEach(
                (series, count) -> text.append(series).append(' ').append(count).append('\n'));
        return text.toString();
    }
}
