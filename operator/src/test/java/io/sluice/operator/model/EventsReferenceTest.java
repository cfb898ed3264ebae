// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class EventsReferenceTest {
    private static final Path REFERENCE = Path.of("../docs/reference/events.md");
    private static final Path SOURCES = Path.of("src/main/java");

    @Test
    void theReferenceIsWhatTheEventsSay() throws IOException {
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(REFERENCE, reference());
        }

        assertThat(REFERENCE)
                .as("write it anew with ./mvnw -pl operator -am test -Dgolden.update=true")
                .hasContent(reference());
    }

    @ParameterizedTest
    @EnumSource(OperatorEvent.class)
    void whatIsListedIsWritten(OperatorEvent event) throws IOException {
        try (var files = Files.walk(SOURCES)) {
            assertThat(files.filter(Files::isRegularFile))
                    .anySatisfy(
                            file ->
                                    assertThat(file)
                                            .content()
                                            .containsPattern("OperatorEvent\\." + event + "\\b"));
        }
    }

    private static String reference() {
        var text =
                new StringBuilder(
                        """
                        # Events

                        <!-- Generated from io.sluice.operator.model.OperatorEvent; do not edit. -->

                        The operator writes these Kubernetes events on the resource, in its namespace:

                            kubectl get events --field-selector involvedObject.name=orders --sort-by=.lastTimestamp

                        A repetition raises the count of the event that is there, and replaces its message and its last time. The
                        API server drops events after an hour unless it is told otherwise. The autoscaler writes
                        [events of its own](autoscaler.md#events); the webhook writes none. [The contract](../contract/events.md) says
                        which words are those of the Apache operator.

                        Beside these:

                        - **A condition's reason.** Where the operator begins to hold a change back or to wait for somebody, it writes
                          an event of type Warning with [the reason](reasons.md) of the condition, such as `UpgradeSavepointFailed`.
                          Its message is the condition's. `SubmissionQueued` is of type Normal.
                        - **What a pod can't do.** Where the reason of the condition is `PodProblem`, an event of type Warning has
                          Kubernetes' own word as its reason, such as `ImagePullBackOff`. [Troubleshoot](../troubleshoot.md#pods-and-jobmanagers)
                          says what to do about each.
                        """);
        for (OperatorEvent.Subject subject : OperatorEvent.Subject.values()) {
            text.append("\n## ")
                    .append(title(subject))
                    .append("\n\n| reason | type | when |\n|---|---|---|\n")
                    .append(rows(subject));
        }
        return text.toString();
    }

    private static String rows(OperatorEvent.Subject subject) {
        return Arrays.stream(OperatorEvent.values())
                .filter(event -> event.subject() == subject)
                .sorted(Comparator.comparing(OperatorEvent::wire))
                .map(
                        event ->
                                "| `%s` | %s | %s |%n"
                                        .formatted(event.wire(), type(event.kind()), event.when()))
                .collect(Collectors.joining());
    }

    private static String title(OperatorEvent.Subject subject) {
        return switch (subject) {
            case JOB -> "Clusters, jobs and snapshots";
            case CRON -> "Cron jobs";
            case PAIR -> "Blue/green pairs";
            case OPERATOR -> "The operator's own pod";
        };
    }

    private static String type(ResourceEvent.Kind kind) {
        return switch (kind) {
            case NORMAL -> "Normal";
            case WARNING -> "Warning";
        };
    }
}
