// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;

/** How often what was called, as {@code /metrics} shows it. */
final class CallCounts {
    private final Map<String, Long> counts = new HashMap<>();

    void count(ApiCall call) {
        counts.merge(series(call), 1L, Long::sum);
    }

    private static String series(ApiCall call) {
        return "apiserver_request_total{verb=\""
                + verb(call)
                + "\",resource=\""
                + call.type().plural()
                + "\",subresource=\""
                + call.subresource().orElse("")
                + "\"}";
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
