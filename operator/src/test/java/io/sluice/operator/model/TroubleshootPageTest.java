// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What docs/troubleshoot.md says of the reasons, compared with the reasons there are. */
class TroubleshootPageTest {
    private static final Path PAGE = Path.of("../docs/troubleshoot.md");
    private static final Pattern ROW =
            Pattern.compile(
                    "^\\| (?<reasons>`\\w+`(?:, `\\w+`)*) \\|"
                            + " (?<outlook>ready|in progress|stalled|at rest|gone) \\|",
                    Pattern.MULTILINE);
    private static final Pattern REASON = Pattern.compile("`(\\w+)`");

    @Test
    void eachReasonIsExplainedWithItsOutlook() throws IOException {
        Map<String, String> explained =
                ROW.matcher(Files.readString(PAGE))
                        .results()
                        .flatMap(
                                row ->
                                        REASON.matcher(row.group("reasons"))
                                                .results()
                                                .map(
                                                        name ->
                                                                Map.entry(
                                                                        name.group(1),
                                                                        row.group("outlook"))))
                        .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));

        assertThat(explained).containsExactlyInAnyOrderEntriesOf(reasons());
    }

    private static Map<String, String> reasons() {
        return Arrays.stream(Reason.values())
                .collect(Collectors.toMap(Reason::wire, reason -> words(reason.outlook())));
    }

    private static String words(Reason.Outlook outlook) {
        return switch (outlook) {
            case READY -> "ready";
            case PROGRESSING -> "in progress";
            case STALLED -> "stalled";
            case AT_REST -> "at rest";
            case GONE -> "gone";
        };
    }
}
