// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.decide;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.autoscaler.govern.HoldReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import org.junit.jupiter.api.Test;

class AutoscalerReferenceTest {
    private static final Path REFERENCE = Path.of("../docs/reference/autoscaler.md");

    @Test
    void theReferenceIsWhatTheHoldsAndTheEventsSay() throws IOException {
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(REFERENCE, reference());
        }

        assertThat(REFERENCE)
                .as(
                        "write it anew with ./mvnw -pl autoscaler-service -am test -Dgolden.update=true")
                .hasContent(reference());
    }

    private static String reference() {
        var text =
                new StringBuilder(
                        """
                        # Holds and events of the autoscaler

                        <!-- Generated from HoldReason and AutoscalerEvent; do not edit. -->

                        [The autoscaler](../autoscaler.md) says how it decides and which keys it has;
                        [Metrics](metrics.md#the-autoscaler) has its series.

                        ## Holds

                        The autoscaler does not carry out what its engine proposes for one of these reasons. `sluice autoscaler explain`,
                        the web page and the label `reason` of `sluice_autoscaler_holds_total` have the word.
                        [Troubleshoot](../troubleshoot.md#the-autoscaler-does-not-scale) says what to do about each.

                        | hold | meaning |
                        |---|---|
                        """);
        for (HoldReason reason : HoldReason.values()) {
            text.append("| `%s` | %s |%n".formatted(reason, reason.text()));
        }
        text.append(
                """

                ## Events

                The autoscaler writes these Kubernetes events on the FlinkDeployment or FlinkSessionJob. With `--standalone` they
                are lines of its log. `job.autoscaler.scaling.event.interval` says how soon some are repeated.

                | reason | type | when |
                |---|---|---|
                """);
        Arrays.stream(AutoscalerEvent.values())
                .sorted(Comparator.comparing(AutoscalerEvent::wire))
                .forEach(
                        event ->
                                text.append(
                                        "| `%s` | %s | %s |%n"
                                                .formatted(
                                                        event.wire(),
                                                        type(event.severity()),
                                                        event.when())));
        return text.toString();
    }

    private static String type(EngineEvent.Severity severity) {
        return switch (severity) {
            case NORMAL -> "Normal";
            case WARNING -> "Warning";
        };
    }
}
