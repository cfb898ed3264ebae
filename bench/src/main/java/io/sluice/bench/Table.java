// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench;

import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** Rows of: what, the webhook's figure, that of doing nothing, their ratio, what is aimed at. */
final class Table {
    private final StringBuilder text = new StringBuilder();

    Table() {
        line("", "webhook", "nothing", "ratio", "aim");
    }

    void title(String title) {
        text.append(title).append('\n');
    }

    void row(String what, String figure, String ratio, String aim) {
        line(what, figure, "", ratio, aim);
    }

    void row(String what, Pair pair, ToDoubleFunction<Sample> of, String aim) {
        double first = pair.first(of);
        double second = pair.second(of);
        line(what, figure(first), figure(second), figure(first / second), aim);
    }

    String text() {
        return text.toString();
    }

    private void line(String what, String first, String second, String ratio, String aim) {
        text.append(
                "%-56s %10s %10s %7s  %s"
                        .formatted(what, first, second, ratio, aim)
                        .stripTrailing());
        text.append('\n');
    }

    private static String figure(double value) {
        return String.format(Locale.ROOT, value < 100 ? "%.2f" : "%.0f", value);
    }
}
