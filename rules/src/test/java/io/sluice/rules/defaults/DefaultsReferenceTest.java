// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.defaults;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.api.spec.ResourceKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class DefaultsReferenceTest {
    private static final Path REFERENCE = Path.of("../docs/reference/defaults.md");

    @Test
    void theReferenceIsWhatTheDefaultsSay() throws IOException {
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(REFERENCE, reference());
        }

        assertThat(REFERENCE)
                .as("write it anew with ./mvnw -pl rules test -Dgolden.update=true")
                .hasContent(reference());
    }

    private static String reference() {
        var text =
                new StringBuilder(
                        """
                        # Defaults

                        <!-- Generated from the list of defaults; do not edit. -->

                        The webhook fills in these defaults where a resource has no value, and the operator does so
                        again. A second time changes nothing. A resource that lacks nothing is stored as it was sent.

                        | default | kinds | field | value | why |
                        |---|---|---|---|---|
                        """);
        Defaults.ALL.forEach(
                each ->
                        text.append(
                                "| `%s` | %s | `%s` | %s | %s |%n"
                                        .formatted(
                                                each.id(),
                                                each.kinds().stream()
                                                        .sorted()
                                                        .map(ResourceKind::wire)
                                                        .collect(Collectors.joining(", ")),
                                                (each.parent() + "/" + each.field())
                                                        .substring(1)
                                                        .replace('/', '.'),
                                                each.shown(),
                                                each.why())));
        return text.toString();
    }
}
