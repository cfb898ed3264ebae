// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.render;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.LongNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.cli.render.RenderInput.Start;
import io.sluice.rules.config.option.AdmissionOptions;
import io.sluice.rules.config.option.PodOptions;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Where the values of manifests come from, found by trial: each value that goes in is changed, and
 * taken away, in turn, and what is rendered then is compared. That tells what Flink makes of a
 * value, too, and can't differ from what the operator does.
 */
final class Origins {
    /** No more are named of one value. */
    private static final int MOST = 3;

    /** An origin that changes more than one in four values says little about each of them. */
    private static final int BROAD = 4;

    /**
     * A value that goes in.
     *
     * @param others the same input with another value, or without it
     */
    private record Variant(String origin, List<RenderInput> others) {
        private Variant(String origin, RenderInput other) {
            this(origin, List.of(other));
        }
    }

    /**
     * @param changes how many values it changes
     */
    private record Origin(String name, int changes) {}

    private Origins() {}

    /**
     * By the path of a value; what nothing changes is not there.
     *
     * @param manifests what is rendered of {@code input}
     * @param filledIn JSON Pointers in the resource of what admission has filled in
     */
    static Map<String, List<String>> of(
            Manifests manifests, RenderInput input, Set<String> filledIn) {
        Map<String, JsonNode> leaves = manifests.leaves();
        Map<String, List<Origin>> found = new HashMap<>();
        for (Variant variant : variants(input, filledIn)) {
            Set<String> changed = changed(leaves, variant.others());
            Origin origin = new Origin(variant.origin(), changed.size());
            changed.forEach(
                    path -> found.computeIfAbsent(path, _ -> new ArrayList<>()).add(origin));
        }
        Map<String, List<String>> nearest = new HashMap<>();
        found.forEach((path, origins) -> nearest.put(path, nearest(origins, leaves.size())));
        return nearest;
    }

    /** Those that change the fewest values first; those that change very many only if alone. */
    private static List<String> nearest(List<Origin> origins, int all) {
        List<Origin> sorted =
                origins.stream().sorted(Comparator.comparingInt(Origin::changes)).toList();
        List<String> narrow =
                sorted.stream()
                        .filter(each -> each.changes() * BROAD <= all)
                        .map(Origin::name)
                        .distinct()
                        .limit(MOST)
                        .toList();
        return narrow.isEmpty() ? List.of(sorted.getFirst().name()) : narrow;
    }

    /** The paths of the values that one of {@code others} lacks, or has a different value for. */
    private static Set<String> changed(Map<String, JsonNode> leaves, List<RenderInput> others) {
        Set<String> changed = new LinkedHashSet<>();
        for (RenderInput each : others) {
            rendered(each)
                    .ifPresent(
                            other ->
                                    leaves.forEach(
                                            (path, value) -> {
                                                if (!value.equals(other.get(path))) {
                                                    changed.add(path);
                                                }
                                            }));
        }
        return changed;
    }

    /** Empty if Flink refuses it. */
    private static Optional<Map<String, JsonNode>> rendered(RenderInput input) {
        try {
            return Optional.of(Manifests.of(input).leaves());
        } catch (RuntimeException refused) {
            return Optional.empty();
        }
    }

    private static List<Variant> variants(RenderInput input, Set<String> filledIn) {
        List<Variant> variants = new ArrayList<>();
        Leaves.visit(
                "spec",
                input.spec(),
                (pointer, path, _) -> {
                    boolean isDefault = filledIn.contains("/spec" + pointer);
                    variants.add(
                            new Variant(
                                    isDefault ? path + ", filled in by admission" : path,
                                    List.of(
                                            input.with(without(input.spec(), pointer)),
                                            input.with(changed(input.spec(), pointer)))));
                });
        Map<String, String> options = input.configuration().entries();
        options.keySet().forEach(key -> variants.add(withoutOption(input, key)));
        variants.add(withoutSecurity(input));
        variants.addAll(otherStarts(input));
        return variants;
    }

    private static ObjectNode without(ObjectNode spec, JsonPointer pointer) {
        ObjectNode copy = spec.deepCopy();
        switch (copy.at(pointer.head())) {
            case ObjectNode object -> object.remove(pointer.last().getMatchingProperty());
            case ArrayNode list -> list.remove(pointer.last().getMatchingIndex());
            default -> throw new IllegalStateException("no value is at " + pointer);
        }
        return copy;
    }

    /** With another value of the same type; another size or number where it begins with a digit. */
    private static ObjectNode changed(ObjectNode spec, JsonPointer pointer) {
        ObjectNode copy = spec.deepCopy();
        JsonNode before = spec.at(pointer);
        JsonNode after =
                switch (before.getNodeType()) {
                    case BOOLEAN -> BooleanNode.valueOf(!before.booleanValue());
                    case NUMBER -> more(before);
                    case STRING -> TextNode.valueOf(changed(before.textValue()));
                    case ARRAY, BINARY, MISSING, NULL, OBJECT, POJO -> before;
                };
        switch (copy.at(pointer.head())) {
            case ObjectNode object -> object.set(pointer.last().getMatchingProperty(), after);
            case ArrayNode list -> list.set(pointer.last().getMatchingIndex(), after);
            default -> throw new IllegalStateException("no value is at " + pointer);
        }
        return copy;
    }

    private static JsonNode more(JsonNode number) {
        return number.isIntegralNumber()
                ? LongNode.valueOf(number.longValue() + 1)
                : DecimalNode.valueOf(number.decimalValue().add(BigDecimal.ONE));
    }

    private static String changed(String text) {
        boolean isNumber = !text.isEmpty() && Character.isDigit(text.charAt(0));
        return isNumber ? "2" + text : text + "-b";
    }

    private static Variant withoutOption(RenderInput input, String key) {
        Map<String, String> fewer = new HashMap<>(input.configuration().entries());
        fewer.remove(key);
        return new Variant(
                "the operator's configuration, " + key, input.with(new FlinkConfiguration(fewer)));
    }

    /** The option is on without being set, so that there is nothing to take away. */
    private static Variant withoutSecurity(RenderInput input) {
        Map<String, String> open = new HashMap<>(input.configuration().entries());
        open.put(PodOptions.FILL_IN.key(), "none");
        open.put(AdmissionOptions.POD_SECURITY.key(), "off");
        return new Variant(
                "the operator's configuration, " + PodOptions.FILL_IN.key(),
                input.with(new FlinkConfiguration(open)));
    }

    private static List<Variant> otherStarts(RenderInput input) {
        Start start = input.start();
        return List.of(
                new Variant(
                        "metadata.namespace",
                        input.with(start.with().namespace(start.namespace() + "-b").build())),
                new Variant(
                        "metadata.name",
                        input.with(start.with().name(start.name() + "-b").build())),
                new Variant("metadata.uid", input.with(start.with().uid("another").build())),
                new Variant(
                        "metadata.generation",
                        input.with(start.with().generation(start.generation() + 1).build())),
                new Variant(
                        "the operator, another one at each start",
                        input.with(
                                start.with()
                                        .attempt(start.jobId())
                                        .jobId(start.attempt())
                                        .build())));
    }
}
