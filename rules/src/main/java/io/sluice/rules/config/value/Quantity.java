// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.config.value;

import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * A quantity exactly as Kubernetes reads one: {@code 500m}, {@code 2}, {@code 1.5Gi}, {@code 1e3}.
 */
public record Quantity(BigDecimal amount) implements Comparable<Quantity> {
    private static final Pattern SYNTAX =
            Pattern.compile(
                    "([+-]?(?:\\d+(?:\\.\\d*)?|\\.\\d+))(?:([KMGTPE]i|[numkMGTPE])|[eE]([+-]?\\d{1,3}))?");

    private static final Map<String, BigDecimal> SUFFIXES =
            Map.ofEntries(
                    Map.entry("n", BigDecimal.ONE.movePointLeft(9)),
                    Map.entry("u", BigDecimal.ONE.movePointLeft(6)),
                    Map.entry("m", BigDecimal.ONE.movePointLeft(3)),
                    Map.entry("k", BigDecimal.ONE.movePointRight(3)),
                    Map.entry("M", BigDecimal.ONE.movePointRight(6)),
                    Map.entry("G", BigDecimal.ONE.movePointRight(9)),
                    Map.entry("T", BigDecimal.ONE.movePointRight(12)),
                    Map.entry("P", BigDecimal.ONE.movePointRight(15)),
                    Map.entry("E", BigDecimal.ONE.movePointRight(18)),
                    Map.entry("Ki", BigDecimal.valueOf(1024)),
                    Map.entry("Mi", BigDecimal.valueOf(1024).pow(2)),
                    Map.entry("Gi", BigDecimal.valueOf(1024).pow(3)),
                    Map.entry("Ti", BigDecimal.valueOf(1024).pow(4)),
                    Map.entry("Pi", BigDecimal.valueOf(1024).pow(5)),
                    Map.entry("Ei", BigDecimal.valueOf(1024).pow(6)));

    /** Empty if {@code text} is no quantity. */
    public static Optional<Quantity> parse(String text) {
        var matcher = SYNTAX.matcher(text);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        var number = new BigDecimal(matcher.group(1));
        var suffix =
                Optional.ofNullable(matcher.group(2)).map(SUFFIXES::get).orElse(BigDecimal.ONE);
        int exponent = Optional.ofNullable(matcher.group(3)).map(Integer::parseInt).orElse(0);
        return Optional.of(new Quantity(number.multiply(suffix).scaleByPowerOfTen(exponent)));
    }

    /** -1, 0 or 1. */
    public int sign() {
        return amount.signum();
    }

    @Override
    public int compareTo(Quantity other) {
        return amount.compareTo(other.amount);
    }
}
