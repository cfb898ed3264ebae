// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.decide.running;

import io.sluice.api.status.JobLog;
import io.sluice.flink.rest.JobException;
import io.sluice.operator.decide.step.StepContext;
import io.sluice.operator.model.ExceptionLog;
import io.sluice.operator.model.OperatorEvent;
import io.sluice.operator.model.ResourceEvent;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.Redaction;
import io.sluice.rules.config.option.JobEventOptions;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Reports the job's exceptions as events: each once, the newest first, a limited number in each
 * reconciliation, and without secrets. The status says up to when they were reported, so that a new
 * process of the operator does not report them again.
 */
public final class JobExceptionEvents {
    private static final int MOST = 100;
    private static final int LONGEST_FAILURE = 500;
    private static final int LONGEST_ANNOTATION = 256;

    private JobExceptionEvents() {}

    /** Tells what has not been told; nothing if the exceptions were not read. */
    public static StepContext withNewEvents(StepContext context) {
        return context.observed()
                .run()
                .exceptions()
                .map(exceptions -> withNewEvents(context, exceptions))
                .orElse(context);
    }

    /** Why the job failed for good, as far as its newest exception says, is kept. */
    public static StepContext withFailure(StepContext context) {
        Optional<JobException> newest =
                context.observed().run().exceptions().stream()
                        .flatMap(List::stream)
                        .max(Comparator.comparing(JobException::at));
        return newest.map(
                        exception ->
                                withLog(
                                        context,
                                        log(context)
                                                .withFailure(
                                                        Optional.of(
                                                                firstLine(
                                                                        redaction(context),
                                                                        exception)))))
                .orElse(context);
    }

    private static StepContext withNewEvents(StepContext context, List<JobException> exceptions) {
        List<JobException> news =
                ExceptionLog.unreported(log(context), exceptions, context.observed().now())
                        .sorted(Comparator.comparing(JobException::at).reversed())
                        .toList();
        if (news.isEmpty()) {
            return context;
        }
        Options granted =
                new Options(
                        context.observed()
                                .defaults()
                                .granted(
                                        context.observed().identity().namespace(),
                                        context.spec().flinkVersion()));
        int lines = granted.get(JobEventOptions.STACKTRACE_LINES);
        int limit = granted.get(JobEventOptions.LIMIT_PER_RECONCILIATION);
        Redaction redaction = redaction(context);
        StepContext next =
                withLog(context, log(context).withToldUntil(Optional.of(news.getFirst().at())));
        for (JobException exception :
                news.subList(0, Math.clamp(limit, 0, Math.min(MOST, news.size())))) {
            next =
                    next.withEvent(
                            ResourceEvent.of(
                                            "Job",
                                            OperatorEvent.JOB_EXCEPTION,
                                            context.jobId() + exception.at() + exception.name(),
                                            redaction.apply(
                                                    shortened(
                                                            exception, Math.clamp(lines, 1, MOST))))
                                    .annotated(annotations(exception)));
        }
        return next;
    }

    private static String shortened(JobException exception, int lines) {
        List<String> all = exception.stackTrace().lines().toList();
        if (all.isEmpty()) {
            return exception.name();
        }
        String first = String.join("\n", all.subList(0, Math.min(lines, all.size())));
        return all.size() > lines ? first + "\n… " + (all.size() - lines) + " more lines" : first;
    }

    /** The names are those of docs/contract/events.md, section 2. */
    private static Map<String, String> annotations(JobException exception) {
        Map<String, String> found = new LinkedHashMap<>();
        found.put("exception-timestamp", exception.at().toString());
        exception.taskName().ifPresent(name -> found.put("task-name", cut(name)));
        exception.endpoint().ifPresent(name -> found.put("endpoint", cut(name)));
        exception.taskManagerId().ifPresent(name -> found.put("tm-id", cut(name)));
        exception
                .labels()
                .forEach((key, value) -> found.put("failure-label-" + sanitised(key), cut(value)));
        return found;
    }

    /** Makes a valid name of an annotation: it has 63 characters at most, the prefix included. */
    private static String sanitised(String key) {
        String clean = key.replaceAll("[^A-Za-z0-9_.-]", "-").replaceAll("[^A-Za-z0-9]+$", "");
        return clean.isEmpty() ? "unnamed" : clean.substring(0, Math.min(40, clean.length()));
    }

    private static String cut(String text) {
        return text.length() <= LONGEST_ANNOTATION ? text : text.substring(0, LONGEST_ANNOTATION);
    }

    private static String firstLine(Redaction redaction, JobException exception) {
        List<String> lines = exception.stackTrace().lines().toList();
        String line =
                lines.stream()
                        .filter(text -> text.startsWith("Caused by: "))
                        .map(text -> text.substring("Caused by: ".length()))
                        .reduce((_, last) -> last)
                        .or(() -> lines.stream().findFirst())
                        .orElseGet(exception::name);
        String clean = redaction.apply(line);
        return clean.length() <= LONGEST_FAILURE
                ? clean
                : clean.substring(0, LONGEST_FAILURE) + "…";
    }

    private static Redaction redaction(StepContext context) {
        return Redaction.of(context.running().configuration());
    }

    private static JobLog log(StepContext context) {
        return context.draft().job().log();
    }

    private static StepContext withLog(StepContext context, JobLog next) {
        return context.withDraft(draft -> draft.withLog(next));
    }
}
