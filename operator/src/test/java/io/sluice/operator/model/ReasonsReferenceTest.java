// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.operator.model.TroubleshootPage.Explanation;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReasonsReferenceTest {
    private static final Path REFERENCE = Path.of("../docs/reference/reasons.md");

    @Test
    void theReferenceIsWhatTheReasonsSay() throws IOException {
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(REFERENCE, reference());
        }

        assertThat(REFERENCE)
                .as("write it anew with ./mvnw -pl operator -am test -Dgolden.update=true")
                .hasContent(reference());
    }

    private static String reference() throws IOException {
        var text =
                new StringBuilder(
                        """
                        # Reasons

                        <!-- Generated from io.sluice.operator.model.Reason; do not edit. -->

                        The conditions of a resource have one of these words as their `reason`; so has the column `REASON` of
                        `kubectl get`. The condition's message begins with the sentences below, which say what to do where somebody
                        has to act, and goes on with the detail of the case. The last column leads to causes and commands in
                        [Troubleshoot](../troubleshoot.md).

                        | outlook | conditions that are true | meaning |
                        |---|---|---|
                        | ready | `Ready` | What the spec asks for runs, or waits for its scheduled time. |
                        | in progress | `Reconciling` | The operator, Flink or Kubernetes is at work: wait. |
                        | stalled | `Stalled` | Somebody has to act. |
                        | at rest | `Ready` | Nothing runs, and nothing has to. |
                        | gone | none | The resource is deleted. |

                        The word is also the reason of an [event](events.md) where the operator begins to hold a change back or to
                        wait for somebody. What holds a rescale of the autoscaler back is
                        [a list of its own](autoscaler.md#holds).

                        ## All reasons

                        | reason | outlook | message | |
                        |---|---|---|---|
                        """);
        Map<String, Explanation> explained = TroubleshootPage.read();
        Arrays.stream(Reason.values())
                .sorted(Comparator.comparing(Reason::wire))
                .forEach(
                        reason ->
                                text.append(
                                        row(
                                                reason,
                                                Optional.ofNullable(
                                                        explained.get(reason.wire())))));
        return text.toString();
    }

    private static String row(Reason reason, Optional<Explanation> explained) {
        Explanation there =
                explained.orElseThrow(
                        () ->
                                new AssertionError(
                                        "explain %s in docs/troubleshoot.md"
                                                .formatted(reason.wire())));
        return "| <a id=\"%s\"></a>`%s` | %s | %s | [%s](../troubleshoot.md#%s) |%n"
                .formatted(
                        reason.wire().toLowerCase(Locale.ROOT),
                        reason.wire(),
                        TroubleshootPage.words(reason.outlook()),
                        reason.text(),
                        there.section(),
                        there.anchor());
    }
}
