// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.govern;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What docs/troubleshoot.md says of why the autoscaler holds a proposal back. */
class TroubleshootPageTest {
    private static final Path PAGE = Path.of("../docs/troubleshoot.md");
    private static final Pattern ROW =
            Pattern.compile("^\\| (`[A-Z_]+`(?:, `[A-Z_]+`)*) \\|", Pattern.MULTILINE);
    private static final Pattern REASON = Pattern.compile("`([A-Z_]+)`");

    @Test
    void eachReasonToHoldAProposalBackIsExplained() throws IOException {
        Set<String> explained =
                ROW.matcher(Files.readString(PAGE))
                        .results()
                        .flatMap(row -> REASON.matcher(row.group(1)).results())
                        .map(name -> name.group(1))
                        .collect(Collectors.toSet());

        assertThat(explained)
                .containsExactlyInAnyOrderElementsOf(
                        Arrays.stream(HoldReason.values()).map(Enum::name).toList());
    }
}
