// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.validation;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.sluice.api.json.FieldProblem;
import io.sluice.flink.rest.http.Waiting;
import io.sluice.plugin.Problem;
import io.sluice.plugin.Resource;
import io.sluice.plugins.PluginCalls;
import io.sluice.plugins.Plugins;
import io.sluice.rules.config.option.CheckOptions;
import io.sluice.rules.cron.CronAnnotations;
import io.sluice.rules.review.Violation;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Asks the validators of plugins once for each generation of a resource, and again when the
 * operator's configuration has changed. A plugin may compute for ever or block: each check has a
 * thread of its own and a time, a reconciliation waits for it only for a moment, and a check that
 * hangs holds up the resource that it is about. What was refused, or could not be checked, is asked
 * again after a pause that grows.
 *
 * <p>Verdicts are kept in memory: a new process asks again, as its plugins may be other ones.
 */
public final class PluginValidators implements SpecValidators {
    /**
     * In milliseconds: nearly every check is over by then, and the reconciliation goes on with it.
     */
    private static final long AT_ONCE = 500;

    private static final Duration FIRST_PAUSE = Duration.ofSeconds(10);
    private static final Duration LONGEST_PAUSE = Duration.ofMinutes(10);

    private final Plugins plugins;
    private final KubernetesSerialization json;
    private final Supplier<ValidationOptions> options;
    private final Waiting waiting;
    private final InstantSource uptime;
    private final PluginCalls calls;
    private final Map<String, Check> checkByUid = new ConcurrentHashMap<>();

    /**
     * What a verdict is about. Labels and other annotations are not a part of it, as admission does
     * not ask for their changes either.
     *
     * @param schedule the annotations of a cron job
     */
    private record Question(long generation, Map<String, String> schedule, String configuration) {}

    /**
     * @param tries how often in a row the same question was asked
     */
    private record Check(
            Question question,
            int tries,
            Instant begun,
            PluginCalls.Begun.Running<Plugins.Findings> call) {}

    /**
     * @param waiting what a reconciliation does while it waits for a verdict
     * @param uptime a clock that only goes forward
     */
    public PluginValidators(
            Plugins plugins,
            KubernetesSerialization json,
            Supplier<ValidationOptions> options,
            Waiting waiting,
            InstantSource uptime) {
        this.plugins = plugins;
        this.json = json;
        this.options = options;
        this.waiting = waiting;
        this.uptime = uptime;
        this.calls = new PluginCalls(uptime);
    }

    @Override
    public Verdict of(HasMetadata resource, ObjectNode spec) {
        ObjectMeta metadata = resource.getMetadata();
        if (!plugins.hasValidators()) {
            return new Verdict.Accepted();
        }
        if (metadata.getDeletionTimestamp() != null) {
            checkByUid.remove(metadata.getUid());
            return new Verdict.Accepted();
        }
        ValidationOptions now = options.get();
        Question question = question(metadata, now.configuration());
        Optional<Check> known =
                Optional.ofNullable(checkByUid.get(metadata.getUid()))
                        .filter(check -> check.question().equals(question));
        if (known.isPresent() && !isToBeAskedAgain(known.get(), now.timeout())) {
            return verdict(known.get(), now.timeout());
        }
        return begin(
                resource, spec, question, known.map(Check::tries).orElse(0) + 1, now.timeout());
    }

    private Verdict begin(
            HasMetadata resource, ObjectNode spec, Question question, int tries, Duration timeout) {
        ObjectMeta metadata = resource.getMetadata();
        Instant now = uptime.instant();
        Resource seen = seen(resource, spec);
        return switch (calls.begin(
                metadata.getNamespace(),
                metadata.getUid(),
                timeout,
                progress -> plugins.review(seen, progress))) {
            case PluginCalls.Begun.Full<Plugins.Findings> _ -> new Verdict.Pending();
            case PluginCalls.Begun.Hanging<Plugins.Findings> _ ->
                    new Verdict.Failed(
                            "The running checks of namespace '"
                                    + metadata.getNamespace()
                                    + "' do not end; see the operator's log, and restart the"
                                    + " operator once the plugin is fixed");
            case PluginCalls.Begun.Running<Plugins.Findings> call -> {
                var check = new Check(question, tries, now, call);
                checkByUid.put(metadata.getUid(), check);
                waiting.during(() -> await(check));
                yield verdict(check, timeout);
            }
        };
    }

    private static boolean await(Check check) {
        try {
            var _ = check.call().answer().get(AT_ONCE, TimeUnit.MILLISECONDS);
            return true;
        } catch (TimeoutException | ExecutionException later) {
            return false;
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private boolean isToBeAskedAgain(Check check, Duration timeout) {
        return switch (verdict(check, timeout)) {
            case Verdict.Accepted _, Verdict.Pending _ -> false;
            case Verdict.Refused _, Verdict.Failed _ ->
                    !uptime.instant().isBefore(check.begun().plus(pause(check.tries())));
        };
    }

    private static Duration pause(int tries) {
        Duration pause = FIRST_PAUSE.multipliedBy(1L << Math.min(tries - 1, 10));
        return pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE;
    }

    private static Verdict verdict(Check check, Duration timeout) {
        if (!check.call().answer().isDone()) {
            return new Verdict.Pending();
        }
        try {
            return verdict(check.call().answer().join());
        } catch (CompletionException fault) {
            return new Verdict.Failed(
                    fault.getCause() instanceof TimeoutException
                            ? "The plugin "
                                    + check.call().plugin().get()
                                    + " did not answer within "
                                    + timeout.toMillis()
                                    + " ms; see "
                                    + CheckOptions.VALIDATION_TIMEOUT.key()
                            : "The validators of the plugins failed; see the operator's log");
        }
    }

    private static Verdict verdict(Plugins.Findings findings) {
        if (!findings.problems().isEmpty()) {
            return new Verdict.Refused(
                    findings.all().stream().map(PluginValidators::line).toList());
        }
        return findings.failed().isEmpty()
                ? new Verdict.Accepted()
                : new Verdict.Failed(
                        "The plugin "
                                + String.join(", ", findings.failed())
                                + " failed; see the operator's log");
    }

    /** Says it in the same words as the webhook. */
    private static String line(Problem problem) {
        return new Violation("plugin", new FieldProblem(problem.path(), "", problem.message()))
                .text();
    }

    private static Question question(ObjectMeta metadata, String configuration) {
        Map<String, String> schedule =
                new TreeMap<>(Optional.ofNullable(metadata.getAnnotations()).orElseGet(Map::of));
        schedule.keySet().removeIf(key -> !key.startsWith(CronAnnotations.EXPRESSION));
        return new Question(
                Optional.ofNullable(metadata.getGeneration()).orElse(0L), schedule, configuration);
    }

    /** The same as what admission shows a plugin: the whole resource, defaults filled in. */
    private Resource seen(HasMetadata resource, ObjectNode spec) {
        ObjectNode whole = json.convertValue(resource, ObjectNode.class);
        whole.set("spec", spec);
        return new Resource(
                resource.getKind(),
                resource.getMetadata().getNamespace(),
                resource.getMetadata().getName(),
                whole.toString());
    }
}
