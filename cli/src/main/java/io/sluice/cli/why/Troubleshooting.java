// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What docs/troubleshoot.md says to do about each reason. The page is on the class path, so that
 * there is one text for both.
 *
 * @param byReason by the reason's word
 * @param byPodProblem by Kubernetes' word for why a pod can't run
 * @param unobserved what to do about a resource that no operator has looked at, cause by cause
 */
record Troubleshooting(
        Map<String, Entry> byReason, Map<String, Entry> byPodProblem, List<Entry> unobserved) {
    private static final String PAGE = "docs/troubleshoot.md";
    private static final String UNOBSERVED = "There is no reason at all";
    private static final String PODS = "Pods and JobManagers";
    private static final Pattern WORD = Pattern.compile("`(\\w+)`");
    private static final Pattern OUTLOOK =
            Pattern.compile("ready|in progress|stalled|at rest|gone");

    /**
     * A row of the page.
     *
     * @param section in which it is
     * @param cause of the reason, in Markdown
     * @param remedy in Markdown; empty if it is that of the whole section
     */
    record Entry(String section, String cause, String remedy) {
        /** Where it is written. */
        String place() {
            return PAGE + "#" + anchor(section);
        }
    }

    Troubleshooting {
        byReason = Collections.unmodifiableMap(new LinkedHashMap<>(byReason));
        byPodProblem = Collections.unmodifiableMap(new LinkedHashMap<>(byPodProblem));
        unobserved = List.copyOf(unobserved);
    }

    /** The page that this command line was built with. */
    static Troubleshooting read() {
        try (InputStream page =
                Objects.requireNonNull(
                        Troubleshooting.class.getResourceAsStream("/" + PAGE), PAGE)) {
            return of(new String(page.readAllBytes(), UTF_8));
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    static Troubleshooting of(String page) {
        Map<String, Entry> reasons = new LinkedHashMap<>();
        Map<String, Entry> pods = new LinkedHashMap<>();
        List<Entry> unobserved = new ArrayList<>();
        String section = "";
        for (String line : page.lines().toList()) {
            if (line.startsWith("## ")) {
                section = line.substring(3);
            }
            List<String> cells = cells(line);
            if (cells.size() >= 3 && OUTLOOK.matcher(cells.get(1)).matches()) {
                String remedy = cells.size() > 3 ? cells.get(3) : "";
                var entry = new Entry(section, cells.get(2), remedy);
                words(cells.getFirst()).forEach(word -> reasons.put(word, entry));
            } else if (cells.size() == 2 && section.equals(UNOBSERVED)) {
                unobserved.add(new Entry(section, cells.get(0), cells.get(1)));
            } else if (cells.size() == 2 && section.equals(PODS)) {
                var entry = new Entry(section, "", cells.get(1));
                words(cells.getFirst()).forEach(word -> pods.put(word, entry));
            }
        }
        // The head of that table is a row like the others.
        return new Troubleshooting(reasons, pods, unobserved.stream().skip(1).toList());
    }

    Optional<Entry> entry(String reason) {
        return Optional.ofNullable(byReason.get(reason));
    }

    /** The cells of a row of a table; none of any other line, or of the line below the heads. */
    private static List<String> cells(String line) {
        if (!line.startsWith("| ") || !line.endsWith(" |")) {
            return List.of();
        }
        String inside = line.substring(2, line.length() - 2);
        return Stream.of(inside.split(" \\| ", -1)).map(String::strip).toList();
    }

    private static List<String> words(String cell) {
        return WORD.matcher(cell).results().map((MatchResult found) -> found.group(1)).toList();
    }

    private static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\w\\- ]", "")
                .strip()
                .replace(' ', '-');
    }
}
