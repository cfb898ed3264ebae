// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.admission;

import com.fasterxml.jackson.databind.node.ArrayNode;
import io.sluice.rules.review.Violation;
import java.util.List;

/** What is answered to an admission request. */
public sealed interface Verdict {
    /** Accepted as it is. */
    record Allowed(List<String> warnings) implements Verdict {}

    /** Accepted with what the patch adds. */
    record Completed(ArrayNode patch) implements Verdict {}

    /** Refused for every one of these. */
    record Refused(List<Violation> violations, List<String> warnings) implements Verdict {}

    /** Refused because nobody here knows the kind. */
    record Unknown(String kind) implements Verdict {}

    static Verdict allowed() {
        return new Allowed(List.of());
    }

    /** The verdict in one word, for metrics. */
    default String word() {
        return switch (this) {
            case Allowed _ -> "allowed";
            case Completed _ -> "completed";
            case Refused _, Unknown _ -> "refused";
        };
    }
}
