// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Locale;
import java.util.Map;

/** The service's explanation of a job, for a terminal. */
final class ExplainText {
    private ExplainText() {}

    static String of(JsonNode job) {
        JsonNode decision = job.path("decision");
        JsonNode wanted =
                decision.path("proposed").isObject()
                        ? decision.path("proposed")
                        : decision.path("published");
        StringBuilder text = new StringBuilder();
        text.append(
                "%s %s/%s%n"
                        .formatted(
                                job.path("kind").asText("FlinkDeployment"),
                                job.path("namespace").asText(),
                                job.path("name").asText()));
        line(text, "decision", decision.path("outcome").asText());
        line(text, "why", decision.path("why").asText());
        line(text, "next", decision.path("next").asText());
        line(
                text,
                "rescales",
                job.at("/counts/rescalesOfTheDay").asText()
                        + " of "
                        + job.at("/counts/rescalesPerDay").asText()
                        + " in 24 hours");
        size(text, job);
        job.path("ignoredOptions").forEach(each -> line(text, "option", each.asText()));
        text.append(
                "%n%-32s %-14s %6s %12s %12s %10s%n"
                        .formatted("VERTEX", "PARALLELISM", "LOAD", "TRUE RATE", "TARGET", "LAG"));
        job.path("vertices").forEach(vertex -> text.append(row(vertex, wanted)));
        holds(text, job.at("/counts/holds"));
        return text.toString();
    }

    /** What the service could not measure yet is left out. */
    private static void size(StringBuilder text, JsonNode job) {
        if (job.has("slots")) {
            line(text, "slots", used(job.path("slots"), ""));
        }
        if (job.has("costPerHour")) {
            line(text, "cost", used(job.path("costPerHour"), " an hour"));
        }
        if (job.has("lagSeconds")) {
            line(text, "lag", number(job.path("lagSeconds")) + " s");
        }
    }

    private static String used(JsonNode amount, String unit) {
        String needed = amount.has("needed") ? ", needed " + number(amount.path("needed")) : "";
        return number(amount.path("used")) + unit + needed;
    }

    private static void holds(StringBuilder text, JsonNode holds) {
        if (!holds.isEmpty()) {
            text.append("\nHELD\n");
            for (Map.Entry<String, JsonNode> each : holds.properties()) {
                text.append("%8d  %s%n".formatted(each.getValue().asLong(), each.getKey()));
            }
        }
    }

    private static String row(JsonNode vertex, JsonNode wanted) {
        int now = vertex.path("parallelism").asInt();
        int then =
                wanted.path(vertex.path("id").asText()).asInt(vertex.path("published").asInt(now));
        JsonNode metrics = vertex.path("metrics");
        return "%-32s %-14s %6s %12s %12s %10s%n"
                .formatted(
                        vertex.path("name").asText(),
                        now == then ? Integer.toString(now) : now + " -> " + then,
                        number(metrics.path("load")),
                        number(metrics.path("true_processing_rate")),
                        number(metrics.path("target_data_rate")),
                        number(metrics.path("lag")));
    }

    private static String number(JsonNode value) {
        if (value.isMissingNode()) {
            return "-";
        }
        if (value.isInt()) {
            return value.asText();
        }
        return value.isNumber()
                ? String.format(
                        Locale.ROOT, value.asDouble() < 10 ? "%.2f" : "%.0f", value.asDouble())
                : value.asText();
    }

    private static void line(StringBuilder text, String what, String value) {
        text.append("  %-10s%s%n".formatted(what, value));
    }
}
