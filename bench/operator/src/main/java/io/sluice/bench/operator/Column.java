// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench.operator;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** The figures of one trial, told as they come. */
final class Column {
    private final String title;
    private final Map<String, Double> figures = new LinkedHashMap<>();
    private final Map<String, String> notes = new LinkedHashMap<>();

    Column(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    /** Empty if it was not measured. */
    Optional<Double> figure(String what) {
        return Optional.ofNullable(figures.get(what));
    }

    void put(String what, double figure) {
        figures.put(what, figure);
        System.err.println("[" + title + "] " + what + ": " + text(figure));
    }

    /** A count. */
    void put(String what, long count) {
        put(what, (double) count);
    }

    void note(String what, String lines) {
        notes.put(what, lines);
        System.err.print("[" + title + "] " + what + ":\n" + lines);
    }

    /** All of them beside one another, and what was aimed at. */
    static String table(List<Column> columns, Map<String, String> aims) {
        var text = new StringBuilder("%-52s".formatted(""));
        columns.forEach(column -> text.append("%12s".formatted(column.title)));
        text.append("  aim\n");
        Map<String, Double> rows = new LinkedHashMap<>();
        columns.forEach(column -> rows.putAll(column.figures));
        for (String row : rows.keySet()) {
            text.append("%-52s".formatted(row));
            for (Column column : columns) {
                text.append(
                        "%12s"
                                .formatted(
                                        Optional.ofNullable(column.figures.get(row))
                                                .map(Column::text)
                                                .orElse("")));
            }
            text.append("  ").append(aims.getOrDefault(row, "")).append('\n');
        }
        for (Column column : columns) {
            column.notes.forEach(
                    (what, lines) ->
                            text.append('\n')
                                    .append(column.title)
                                    .append(": ")
                                    .append(what)
                                    .append('\n')
                                    .append(lines));
        }
        return text.toString();
    }

    static String text(double figure) {
        return String.format(
                Locale.ROOT,
                figure == Math.rint(figure) || figure >= 100 ? "%.0f" : "%.2f",
                figure);
    }
}
