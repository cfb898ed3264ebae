// SPDX-License-Identifier: Apache-2.0
package io.sluice.autoscaler.sim;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** One case as two curves of slots over what was best, with the lag below. */
final class Picture {
    private static final int WIDTH = 640;
    private static final int HEIGHT = 150;
    private static final int LAG = 46;
    private static final int EDGE = 34;

    private Picture() {}

    static String of(Comparison comparison) {
        double most = 1;
        double worst = 60;
        for (Run run : List.of(comparison.ours(), comparison.bare())) {
            for (Run.Minute minute : run.minutes()) {
                most = Math.max(most, Math.max(minute.slots(), minute.best()));
                worst = Math.max(worst, minute.lag());
            }
        }
        double hours = comparison.scenario().hours();
        StringBuilder svg = new StringBuilder();
        svg.append(
                "<svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"%s\">%n"
                        .formatted(WIDTH, HEIGHT + LAG + 22, comparison.scenario().name()));
        svg.append(area(comparison.ours(), Run.Minute::best, hours, most));
        svg.append(line("bare", comparison.bare(), Run.Minute::slots, hours, most, 0, HEIGHT));
        svg.append(line("ours", comparison.ours(), Run.Minute::slots, hours, most, 0, HEIGHT));
        int top = HEIGHT + 8;
        svg.append(line("bare", comparison.bare(), Run.Minute::lag, hours, worst, top, LAG));
        svg.append(line("ours", comparison.ours(), Run.Minute::lag, hours, worst, top, LAG));
        svg.append(text(0, 10, number(most)))
                .append(text(0, HEIGHT, "0"))
                .append(text(0, top + 10, number(worst / 60) + " min"))
                .append(text(EDGE, HEIGHT + LAG + 20, "0 h"))
                .append(text(WIDTH - 30, HEIGHT + LAG + 20, number(hours) + " h"));
        return svg.append("</svg>\n").toString();
    }

    private static String area(
            Run run, ToDoubleFunction<Run.Minute> value, double hours, double most) {
        return "<path class=\"best\" d=\"M%d %d %s L%d %d Z\"/>%n"
                .formatted(EDGE, HEIGHT, points(run, value, hours, most, 0, HEIGHT), WIDTH, HEIGHT);
    }

    private static String line(
            String kind,
            Run run,
            ToDoubleFunction<Run.Minute> value,
            double hours,
            double most,
            int top,
            int height) {
        String points = points(run, value, hours, most, top, height);
        return "<path class=\"%s\" d=\"M%s\"/>%n".formatted(kind, points.substring(1));
    }

    private static String points(
            Run run,
            ToDoubleFunction<Run.Minute> value,
            double hours,
            double most,
            int top,
            int height) {
        StringBuilder points = new StringBuilder();
        double last = Double.NaN;
        for (Run.Minute minute : run.minutes()) {
            double y = top + height - value.applyAsDouble(minute) / most * (height - 4);
            double x = EDGE + minute.hour() / hours * (WIDTH - EDGE);
            if (!Double.isNaN(last) && Math.abs(last - y) < 0.05) {
                continue;
            }
            if (!Double.isNaN(last)) {
                points.append(point(x, last));
            }
            points.append(point(x, y));
            last = y;
        }
        return points.append(point(WIDTH, last)).toString();
    }

    private static String point(double x, double y) {
        return String.format(Locale.ROOT, "L%.1f %.1f", x, y);
    }

    private static String text(int x, int y, String text) {
        return "<text x=\"%d\" y=\"%d\">%s</text>%n".formatted(x, y, text);
    }

    private static String number(double value) {
        return String.format(Locale.ROOT, "%.0f", value);
    }
}
