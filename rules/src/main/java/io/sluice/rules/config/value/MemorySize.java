// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.value;

import java.math.BigDecimal;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A size of memory as users of Flink write it: Flink's own units first, where {@code m} is 1024²
 * and case does not matter, then Kubernetes' ({@code 2Gi}).
 */
public record MemorySize(long bytes) implements Comparable<MemorySize> {
    private static final Pattern FLINK = Pattern.compile("(\\d+)\\s*([a-z]*)");
    private static final Pattern KUBERNETES =
            Pattern.compile("(\\d+(?:\\.\\d*)?|\\.\\d+)((?:[KMGTPE]I?)?|E\\d+)B?");

    private static final Map<String, Integer> FLINK_POWERS =
            Map.ofEntries(
                    Map.entry("", 0),
                    Map.entry("b", 0),
                    Map.entry("bytes", 0),
                    Map.entry("k", 1),
                    Map.entry("kb", 1),
                    Map.entry("kibibytes", 1),
                    Map.entry("m", 2),
                    Map.entry("mb", 2),
                    Map.entry("mebibytes", 2),
                    Map.entry("g", 3),
                    Map.entry("gb", 3),
                    Map.entry("gibibytes", 3),
                    Map.entry("t", 4),
                    Map.entry("tb", 4),
                    Map.entry("tebibytes", 4));

    /** Empty if {@code text} is no size, or none that fits 64 bits. */
    public static Optional<MemorySize> parse(String text) {
        return parseFlink(text).or(() -> parseKubernetes(text));
    }

    /** Flink's own units only, as an option of Flink is read. */
    public static Optional<MemorySize> parseFlink(String text) {
        var matcher = FLINK.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!matcher.matches() || !FLINK_POWERS.containsKey(matcher.group(2))) {
            return Optional.empty();
        }
        return whole(
                new BigDecimal(matcher.group(1))
                        .multiply(
                                BigDecimal.valueOf(1024).pow(FLINK_POWERS.get(matcher.group(2)))));
    }

    private static Optional<MemorySize> parseKubernetes(String text) {
        var matcher = KUBERNETES.matcher(text.strip().toUpperCase(Locale.ROOT));
        if (!matcher.matches()) {
            return Optional.empty();
        }
        String suffix = unit(matcher.group(2));
        return Quantity.parse(matcher.group(1) + suffix)
                .flatMap(quantity -> whole(quantity.amount()));
    }

    /** Kubernetes' spelling of an upper-case unit. */
    private static String unit(String upper) {
        return upper.equals("K") ? "k" : upper.replace('I', 'i');
    }

    private static Optional<MemorySize> whole(BigDecimal bytes) {
        return bytes.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0
                ? Optional.empty()
                : Optional.of(new MemorySize(bytes.longValue()));
    }

    @Override
    public int compareTo(MemorySize other) {
        return Long.compare(bytes, other.bytes);
    }
}
