// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FieldProblem;
import io.sluice.api.ResourceKind;
import io.sluice.mutator.Mutator;
import io.sluice.plugin.Resource;
import io.sluice.plugins.Plugins;
import io.sluice.rules.ReviewRequest;
import io.sluice.rules.Violation;
import io.sluice.rules.config.DefaultConfiguration;
import io.sluice.rules.config.PluginOptions;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Plugins beside the built-in rules and defaults. */
record AdmissionPlugins(Plugins plugins) {
    static final AdmissionPlugins NONE = new AdmissionPlugins(Plugins.NONE);

    private static final String RULE = "plugin";
    private static final ObjectMapper JSON = new ObjectMapper();

    /**
     * Those of {@code SLUICE_PLUGIN_DIR}.
     *
     * @param configuration with their options
     */
    static AdmissionPlugins load(
            Map<String, String> environment, DefaultConfiguration configuration) {
        Path folder = Path.of(environment.getOrDefault("SLUICE_PLUGIN_DIR", "/opt/sluice/plugins"));
        return new AdmissionPlugins(
                Plugins.load(folder, name -> PluginOptions.of(configuration, name)));
    }

    List<Violation> check(ReviewRequest request) {
        if (!plugins.hasValidators()) {
            return List.of();
        }
        return plugins.review(resource(request.kind(), request.resource())).all().stream()
                .map(
                        problem ->
                                new Violation(
                                        RULE,
                                        new FieldProblem(problem.path(), "", problem.message())))
                .toList();
    }

    /** What completes {@code resource}: first what plugins make of it, then the defaults. */
    Optional<ArrayNode> patch(ResourceKind kind, ObjectNode resource) {
        if (!plugins.hasMutators()) {
            return Mutator.patch(kind, resource);
        }
        return plugins.complete(resource(kind, resource), AdmissionPlugins::with)
                .map(spec -> replacing(kind, resource, spec))
                .or(() -> Mutator.patch(kind, resource));
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
            throw new UncheckedIOException("a plugin's spec is no JSON object", wrong);
        }
    }
}
