// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.admission;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.FieldProblem;
import io.sluice.api.spec.ResourceKind;
import io.sluice.mutator.Mutator;
import io.sluice.plugin.Resource;
import io.sluice.plugins.PluginCalls;
import io.sluice.plugins.Plugins;
import io.sluice.process.Environment;
import io.sluice.process.Uptime;
import io.sluice.process.Variable;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.Options;
import io.sluice.rules.config.PluginOptions;
import io.sluice.rules.config.option.AdmissionOptions;
import io.sluice.rules.review.ReviewRequest;
import io.sluice.rules.review.Violation;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Plugins beside the built-in rules and defaults. What they do runs on threads of its own, and a
 * review waits for it no longer than a limit: one that does not return is refused, and its thread
 * is free again for others.
 *
 * @param calls of all reviews of this process
 * @param limit for all validators of a review together, and again for all its mutators
 * @param unanswered counts the reviews that were refused for want of an answer
 */
public record AdmissionPlugins(
        Plugins plugins, PluginCalls calls, Duration limit, Unanswered unanswered) {
    static final AdmissionPlugins NONE =
            new AdmissionPlugins(
                    Plugins.NONE,
                    new PluginCalls(InstantSource.system()),
                    Duration.ZERO,
                    (_, _) -> {});

    private static final Logger LOG = LoggerFactory.getLogger(AdmissionPlugins.class);
    private static final String RULE = "plugin";

    /** The rule of what is refused because nobody can tell. */
    private static final String RULE_UNANSWERED = "plugin-unanswered";

    private static final ObjectMapper JSON = new ObjectMapper();

    /** Is told of each review that plugins gave no answer to. */
    @FunctionalInterface
    public interface Unanswered {
        /**
         * @param plugin class name, empty if none was asked
         * @param why timeout, failed, full, hanging or ending
         */
        void count(String plugin, String why);
    }

    /** What came of asking plugins. */
    private sealed interface Answer<T> {
        record Given<T>(T value) implements Answer<T> {}

        record Missing<T>(Violation why) implements Answer<T> {}
    }

    /**
     * Loads those of {@code SLUICE_PLUGIN_DIR}.
     *
     * @param configuration with their options, and the limit
     * @throws Plugins.Unusable if one can't be loaded or configured
     */
    public static AdmissionPlugins load(
            Environment environment, DefaultConfiguration configuration, Unanswered unanswered) {
        Path folder =
                environment.text(Variable.PLUGIN_DIR).map(Path::of).orElse(Plugins.DEFAULT_FOLDER);
        return new AdmissionPlugins(
                Plugins.load(folder, name -> PluginOptions.of(configuration, name)),
                new PluginCalls(new Uptime()),
                limit(configuration),
                unanswered);
    }

    /** The same plugins with the limit that {@code configuration} says. */
    public AdmissionPlugins within(DefaultConfiguration configuration) {
        return new AdmissionPlugins(plugins, calls, limit(configuration), unanswered);
    }

    private static Duration limit(DefaultConfiguration configuration) {
        return new Options(configuration.own()).get(AdmissionOptions.PLUGIN_TIMEOUT);
    }

    /** False if plugins gave no answer, so that the same review may have another verdict later. */
    static boolean isFinal(Verdict verdict) {
        return !(verdict instanceof Verdict.Refused(var violations, _))
                || violations.stream().noneMatch(each -> each.rule().equals(RULE_UNANSWERED));
    }

    List<Violation> check(ReviewRequest request) {
        if (!plugins.hasValidators()) {
            return List.of();
        }
        Resource seen = resource(request.kind(), request.resource());
        return switch (ask(seen, progress -> plugins.review(seen, progress))) {
            case Answer.Missing<Plugins.Findings>(var why) -> List.of(why);
            case Answer.Given<Plugins.Findings>(var findings) ->
                    findings.all().stream()
                            .map(problem -> violation(RULE, problem.path(), problem.message()))
                            .toList();
        };
    }

    /** Completes {@code resource}: first by what plugins make of it, then by the defaults. */
    Verdict complete(ResourceKind kind, ObjectNode resource) {
        if (!plugins.hasMutators()) {
            return completed(Mutator.patch(kind, resource));
        }
        Resource seen = resource(kind, resource);
        return switch (ask(
                seen, progress -> plugins.complete(seen, AdmissionPlugins::with, progress))) {
            case Answer.Missing<Optional<String>>(var why) ->
                    new Verdict.Refused(List.of(why), List.of());
            case Answer.Given<Optional<String>>(var spec) ->
                    completed(
                            spec.map(given -> replacing(kind, resource, given))
                                    .or(() -> Mutator.patch(kind, resource)));
        };
    }

    private static Verdict completed(Optional<ArrayNode> patch) {
        return patch.<Verdict>map(Verdict.Completed::new).orElseGet(Verdict::allowed);
    }

    private <T> Answer<T> ask(Resource seen, Function<Plugins.Progress, T> work) {
        String key = seen.name() + " " + UUID.randomUUID();
        return switch (calls.begin(seen.namespace(), key, limit, work)) {
            case PluginCalls.Begun.Full<T> _ ->
                    missing(
                            seen,
                            "",
                            "full",
                            "too many plugins are at work for namespace '"
                                    + seen.namespace()
                                    + "'; try again");
            case PluginCalls.Begun.Hanging<T> _ ->
                    missing(
                            seen,
                            "",
                            "hanging",
                            "the plugins that are at work for namespace '"
                                    + seen.namespace()
                                    + "' do not return; see the webhook's log, and restart it once"
                                    + " the plugin is repaired");
            case PluginCalls.Begun.Running<T> call -> await(seen, call);
        };
    }

    private <T> Answer<T> await(Resource seen, PluginCalls.Begun.Running<T> call) {
        try {
            return new Answer.Given<>(call.answer().get());
        } catch (ExecutionException fault) {
            String plugin = call.plugin().get();
            if (fault.getCause() instanceof TimeoutException) {
                return missing(
                        seen,
                        plugin,
                        "timeout",
                        "the plugin %s did not answer within %d ms (%s)"
                                .formatted(
                                        plugin,
                                        limit.toMillis(),
                                        AdmissionOptions.PLUGIN_TIMEOUT.key()));
            }
            LOG.atError().addKeyValue("plugin", plugin).setCause(fault).log("a plugin failed");
            return missing(
                    seen,
                    plugin,
                    "failed",
                    "the plugin " + plugin + " failed; see the webhook's log");
        } catch (InterruptedException ending) {
            Thread.currentThread().interrupt();
            return missing(
                    seen, call.plugin().get(), "ending", "the webhook is stopping; try again");
        }
    }

    private <T> Answer<T> missing(Resource seen, String plugin, String why, String message) {
        unanswered.count(plugin, why);
        LOG.atWarn()
                .addKeyValue("plugin", plugin)
                .addKeyValue("why", why)
                .addKeyValue("resource.kind", seen.kind())
                .addKeyValue("resource.namespace", seen.namespace())
                .addKeyValue("resource.name", seen.name())
                .log("a review is refused, as plugins gave no answer");
        return new Answer.Missing<>(violation(RULE_UNANSWERED, "spec", message));
    }

    private static Violation violation(String rule, String path, String message) {
        return new Violation(rule, new FieldProblem(path, "", message));
    }

    private static ArrayNode replacing(ResourceKind kind, ObjectNode resource, String spec) {
        ObjectNode completed = resource.deepCopy();
        completed.set("spec", object(spec));
        ArrayNode patch = JsonNodeFactory.instance.arrayNode();
        patch.addObject()
                .put("op", "replace")
                .put("path", "/spec")
                .set("value", completed.get("spec").deepCopy());
        Mutator.patch(kind, completed).ifPresent(patch::addAll);
        return patch;
    }

    private static Resource with(Resource resource, String spec) {
        ObjectNode next = object(resource.json());
        next.set("spec", object(spec));
        return new Resource(
                resource.kind(), resource.namespace(), resource.name(), next.toString());
    }

    private static Resource resource(ResourceKind kind, ObjectNode resource) {
        ReviewRequest named = ReviewRequest.of(kind, resource);
        return new Resource(kind.wire(), named.namespace(), named.name(), resource.toString());
    }

    private static ObjectNode object(String json) {
        try {
            return JSON.readValue(json, ObjectNode.class);
        } catch (JsonProcessingException wrong) {
            throw new UncheckedIOException("a plugin's spec is not a JSON object", wrong);
        }
    }
}
