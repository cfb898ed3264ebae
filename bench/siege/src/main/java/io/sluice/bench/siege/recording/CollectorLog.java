// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.recording;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The pauses of a JVM in which its garbage is collected.
 *
 * @param process what the JVM is called
 * @param log where the JVM writes them
 */
public record CollectorLog(String process, Path log) {
    private static final Pattern PAUSE =
            Pattern.compile("\\[([^]]+)] GC\\(\\d+\\) (Pause .*) ([0-9.]+)ms");
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSZ");

    /** A flag of Java that writes it. */
    public String flag() {
        return "-Xlog:gc:file=" + log + ":utctime:filecount=0";
    }

    List<Event> events() throws IOException {
        try (Stream<String> lines = Files.lines(log)) {
            return lines.flatMap(line -> event(line).stream()).toList();
        }
    }

    private Optional<Event> event(String line) {
        Matcher pause = PAUSE.matcher(line);
        if (!pause.matches()) {
            return Optional.empty();
        }
        Duration length = Duration.ofNanos((long) (Double.parseDouble(pause.group(3)) * 1e6));
        Instant end = Instant.from(TIME.parse(pause.group(1)));
        return Optional.of(
                new Event(end.minus(length), length, "", process + ": " + pause.group(2)));
    }
}
