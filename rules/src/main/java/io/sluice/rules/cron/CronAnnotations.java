// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.cron;

import io.sluice.api.json.FieldProblem;
import io.sluice.api.json.Parsed;
import io.sluice.rules.config.value.FlinkDuration;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.regex.Pattern;

/** Reads a {@link CronPlan} from annotations, and says of each what is wrong with it. */
public final class CronAnnotations {
    /** Holds the expression; whoever has it is a template. */
    public static final String EXPRESSION = "job.execute.cron";

    public static final String TIME_ZONE = EXPRESSION + ".time-zone";
    public static final String CONCURRENCY = EXPRESSION + ".concurrency-policy";
    public static final String DEADLINE = EXPRESSION + ".starting-deadline";
    public static final String SUCCEEDED = EXPRESSION + ".history-limit.succeeded";
    public static final String FAILED = EXPRESSION + ".history-limit.failed";

    private static final List<String> OPTIONS =
            List.of(TIME_ZONE, CONCURRENCY, DEADLINE, SUCCEEDED, FAILED);
    private static final Pattern COUNT = Pattern.compile("\\d{1,3}");
    private static final int SUCCEEDED_KEPT = 3;
    private static final int FAILED_KEPT = 1;

    private final Map<String, String> annotations;
    private final List<FieldProblem> problems = new ArrayList<>();

    private CronAnnotations(Map<String, String> annotations) {
        this.annotations = annotations;
    }

    /** Whether they make their resource a template. */
    public static boolean isTemplate(Map<String, String> annotations) {
        return annotations.containsKey(EXPRESSION);
    }

    /** Whether an edit says something new of a template's runs, which is to be checked. */
    public static boolean isScheduled(Map<String, String> before, Map<String, String> after) {
        return isTemplate(after)
                && after.entrySet().stream()
                        .filter(each -> isOurs(each.getKey()))
                        .anyMatch(each -> !each.getValue().equals(before.get(each.getKey())));
    }

    /** Whether an annotation is one of these, known or not. */
    public static boolean isOurs(String annotation) {
        return annotation.startsWith(EXPRESSION);
    }

    /** Where a problem with an annotation is. */
    public static String path(String annotation) {
        return "metadata.annotations[" + annotation + "]";
    }

    /** Empty without the annotation, and if anything of it can't be used. */
    public static Parsed<Optional<CronPlan>> read(Map<String, String> annotations) {
        if (!isTemplate(annotations)) {
            return new Parsed<>(Optional.empty(), List.of());
        }
        var reading = new CronAnnotations(annotations);
        Optional<CronPlan> plan = reading.plan();
        return new Parsed<>(
                plan.filter(_ -> reading.problems.isEmpty()), List.copyOf(reading.problems));
    }

    private Optional<CronPlan> plan() {
        ZoneId zone =
                option(
                                TIME_ZONE,
                                CronAnnotations::zone,
                                "is not a time zone; write one like" + " Europe/Berlin")
                        .orElse(ZoneOffset.UTC);
        ConcurrencyPolicy concurrency =
                option(CONCURRENCY, ConcurrencyPolicy::of, "must be Replace, Forbid or Allow")
                        .orElse(ConcurrencyPolicy.REPLACE);
        Optional<Duration> deadline =
                option(
                        DEADLINE,
                        CronAnnotations::deadline,
                        "is not a duration; write one like 10" + " min");
        int succeeded = count(SUCCEEDED, SUCCEEDED_KEPT);
        int failed = count(FAILED, FAILED_KEPT);
        unknown();
        String expression = annotations.getOrDefault(EXPRESSION, "").strip();
        Optional<CronTimes> times =
                CronGrammar.parse(expression).map(found -> new CronTimes(found, zone));
        if (times.isEmpty()) {
            problem(
                    EXPRESSION,
                    "is not a cron expression of minutes; write five fields as for a Kubernetes"
                            + " CronJob (30 2 * * *), or six as Quartz has them with one number"
                            + " of seconds (0 30 2 * * ?)");
        } else if (!times.get().everComes()) {
            problem(EXPRESSION, "matches no date; write one that exists");
        }
        return times.map(
                found ->
                        new CronPlan(
                                expression, zone, found, concurrency, deadline, succeeded, failed));
    }

    private int count(String annotation, int otherwise) {
        return option(
                        annotation,
                        text ->
                                COUNT.matcher(text).matches()
                                        ? Optional.of(Integer.parseInt(text))
                                        : Optional.empty(),
                        "is not a number of runs; write 0 to 999")
                .orElse(otherwise);
    }

    private <T> Optional<T> option(
            String annotation, Function<String, Optional<T>> parse, String message) {
        Optional<String> text = Optional.ofNullable(annotations.get(annotation));
        Optional<T> value = text.map(String::strip).flatMap(parse);
        if (text.isPresent() && value.isEmpty()) {
            problem(annotation, message);
        }
        return value;
    }

    private void unknown() {
        new TreeMap<>(annotations)
                .keySet().stream()
                        .filter(key -> key.startsWith(EXPRESSION + "."))
                        .filter(key -> !OPTIONS.contains(key))
                        .forEach(
                                key ->
                                        problem(
                                                key,
                                                "is unknown; use one of "
                                                        + String.join(", ", OPTIONS)));
    }

    private void problem(String annotation, String message) {
        problems.add(
                new FieldProblem(
                        path(annotation), annotations.getOrDefault(annotation, ""), message));
    }

    /** Names of regions and UTC: offsets and three letters hide when clocks change. */
    private static Optional<ZoneId> zone(String text) {
        try {
            return Optional.of(text)
                    .filter(name -> name.equals("UTC") || name.contains("/"))
                    .map(ZoneId::of);
        } catch (DateTimeException unknown) {
            return Optional.empty();
        }
    }

    private static Optional<Duration> deadline(String text) {
        return FlinkDuration.parse(text).filter(Duration::isPositive);
    }
}
