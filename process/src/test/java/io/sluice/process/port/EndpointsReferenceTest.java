// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.port;

import static org.assertj.core.api.Assertions.assertThat;

import io.sluice.process.ProcessName;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

class EndpointsReferenceTest {
    private static final Path REFERENCE = Path.of("../docs/reference/endpoints.md");

    @Test
    void theReferenceIsWhatTheEndpointsSay() throws IOException {
        if (Boolean.getBoolean("golden.update")) {
            Files.writeString(REFERENCE, reference());
        }

        assertThat(REFERENCE)
                .as("write it anew with ./mvnw -pl process -am test -Dgolden.update=true")
                .hasContent(reference());
    }

    private static String reference() {
        var text =
                new StringBuilder(
                        """
                        # HTTP endpoints

                        <!-- Generated from io.sluice.process.port.Endpoint; do not edit. -->

                        *Who* says whom a process answers with `access.authenticate: true`, which `tenancy: shared` sets; otherwise it
                        answers everybody who reaches the port. [Access](../access.md) says how callers show who they are, and what the
                        statuses 401, 403, 429 and 503 mean. Port 9443 uses TLS, with the [certificate](../certificates.md) that API
                        servers trust. A `*` stands for one part of the path.

                        Where session jobs fetch jars with Flink's file systems, the operator's pod has a container that answers
                        `/file` on the loopback interface alone.
                        """);
        for (Endpoint.Port port : Endpoint.Port.values()) {
            text.append(
                    "\n## Port %s (`%s`)\n\n| path | processes | who | |\n|---|---|---|---|\n"
                            .formatted(port.number().usual().orElse(""), port.number().wire()));
            Arrays.stream(Endpoint.values())
                    .filter(endpoint -> endpoint.port() == port)
                    .forEach(endpoint -> text.append(row(endpoint)));
        }
        return text.toString();
    }

    private static String row(Endpoint endpoint) {
        String processes =
                endpoint.processes().size() == ProcessName.values().length
                        ? "all"
                        : endpoint.processes().stream()
                                .map(ProcessName::wire)
                                .collect(Collectors.joining(", "));
        return "| `%s` | %s | %s | %s |%n"
                .formatted(endpoint.path(), processes, endpoint.readers(), endpoint.meaning());
    }
}
