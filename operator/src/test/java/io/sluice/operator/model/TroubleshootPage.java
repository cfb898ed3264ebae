// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.model;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The tables of docs/troubleshoot.md that explain reasons. */
final class TroubleshootPage {
    private static final Path PAGE = Path.of("../docs/troubleshoot.md");
    private static final Pattern HEADING = Pattern.compile("^## (.*)$");
    private static final Pattern ROW =
            Pattern.compile(
                    "^\\| (?<reasons>`\\w+`(?:, `\\w+`)*) \\|"
                            + " (?<outlook>ready|in progress|stalled|at rest|gone) \\|.*$");
    private static final Pattern REASON = Pattern.compile("`(\\w+)`");

    private TroubleshootPage() {}

    /**
     * Where a reason is explained.
     *
     * @param anchor of the section
     */
    record Explanation(String section, String anchor, String outlook) {}

    /** By the reason's word, in the order of the page. */
    static Map<String, Explanation> read() throws IOException {
        Map<String, Explanation> explained = new LinkedHashMap<>();
        String section = "";
        for (String line : Files.readAllLines(PAGE)) {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                section = heading.group(1);
            }
            Matcher row = ROW.matcher(line);
            if (row.matches()) {
                var explanation = new Explanation(section, anchor(section), row.group("outlook"));
                REASON.matcher(row.group("reasons"))
                        .results()
                        .forEach(reason -> explained.put(reason.group(1), explanation));
            }
        }
        return explained;
    }

    static String words(Reason.Outlook outlook) {
        return switch (outlook) {
            case READY -> "ready";
            case PROGRESSING -> "in progress";
            case STALLED -> "stalled";
            case AT_REST -> "at rest";
            case GONE -> "gone";
        };
    }

    private static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\w\\- ]", "")
                .strip()
                .replace(' ', '-');
    }
}
