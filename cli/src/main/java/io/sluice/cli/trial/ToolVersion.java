// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The version of a program or of an API server, without what follows its three numbers. */
record ToolVersion(int major, int minor, int patch) implements Comparable<ToolVersion> {
    private static final Pattern NUMBERS =
            Pattern.compile("v?(\\d{1,5})\\.(\\d{1,5})(?:\\.(\\d{1,5}))?");
    private static final Comparator<ToolVersion> ORDER =
            Comparator.comparingInt(ToolVersion::major)
                    .thenComparingInt(ToolVersion::minor)
                    .thenComparingInt(ToolVersion::patch);

    /** The version that {@code text} begins with; empty if it begins with none. */
    static Optional<ToolVersion> read(String text) {
        Matcher numbers = NUMBERS.matcher(text.strip());
        if (!numbers.lookingAt()) {
            return Optional.empty();
        }
        return Optional.of(
                new ToolVersion(
                        Integer.parseInt(numbers.group(1)),
                        Integer.parseInt(numbers.group(2)),
                        Integer.parseInt(Optional.ofNullable(numbers.group(3)).orElse("0"))));
    }

    boolean isBefore(ToolVersion other) {
        return compareTo(other) < 0;
    }

    @Override
    public int compareTo(ToolVersion other) {
        return ORDER.compare(this, other);
    }

    @Override
    public String toString() {
        return major + "." + minor + "." + patch;
    }
}
