// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.siege.attack;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** How often the attackers did what. */
final class Counters {
    private final Map<String, LongAdder> counts = new ConcurrentHashMap<>();
    private final Map<String, LongAccumulator> longest = new ConcurrentHashMap<>();

    void add(String what) {
        counts.computeIfAbsent(what, _ -> new LongAdder()).increment();
    }

    /** It took so long; the longest time is shown beside the count. */
    void add(String what, long millis) {
        add(what);
        longest.computeIfAbsent(what, _ -> new LongAccumulator(Math::max, 0)).accumulate(millis);
    }

    /** A line for each, sorted. */
    void write(Path file) throws IOException {
        var lines = new StringBuilder();
        new TreeMap<>(counts)
                .forEach(
                        (what, count) -> {
                            String time =
                                    Optional.ofNullable(longest.get(what))
                                            .map(" (the longest took %s ms)"::formatted)
                                            .orElse("");
                            lines.append(count).append(' ').append(what).append(time).append('\n');
                        });
        Files.writeString(file, lines.toString());
    }
}
