// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.pod;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectReader;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.Pod;
import io.sluice.api.json.FieldProblem;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whether a template is of the shape of a Kubernetes Pod. The CRDs leave templates open, so that
 * nobody but Flink would read them, after the former cluster has been removed.
 */
public final class PodShape {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectReader PODS = JSON.readerFor(Pod.class);
    private static final CertainShape CERTAIN = new CertainShape(JSON, Pod.class);
    private static final List<String> NAMED = List.of("initContainers", "containers", "volumes");

    /**
     * Entries of a list, at most. The API server takes seconds of a processor for a pod with
     * thousands of containers, each time that it is asked to make one.
     */
    private static final int MOST_ENTRIES = 100;

    private PodShape() {}

    /**
     * What keeps {@code template} from being read: every list of containers or volumes that is too
     * long, or else the first part of a wrong type, or else every container and volume that has no
     * name or that of another. No value is shown, as any of them may be a secret; {@code path} is
     * what problems call the template.
     */
    public static List<FieldProblem> check(ObjectNode template, String path) {
        List<FieldProblem> tooLong = tooLong(template, path);
        return tooLong.isEmpty()
                ? mistyped(template, path).map(List::of).orElseGet(() -> unnamed(template, path))
                : tooLong;
    }

    private static List<FieldProblem> tooLong(ObjectNode template, String path) {
        return NAMED.stream()
                .filter(list -> template.path("spec").path(list).size() > MOST_ENTRIES)
                .map(
                        list ->
                                new FieldProblem(
                                        path + ".spec." + list,
                                        "",
                                        "has %d entries, of which there may be %d"
                                                .formatted(
                                                        template.path("spec").path(list).size(),
                                                        MOST_ENTRIES)))
                .toList();
    }

    private static Optional<FieldProblem> mistyped(ObjectNode template, String path) {
        if (CERTAIN.isOf(template)) {
            return Optional.empty();
        }
        try {
            PODS.readValue(template);
            return Optional.empty();
        } catch (MismatchedInputException mismatch) {
            return Optional.of(
                    new FieldProblem(
                            path + below(mismatch),
                            "",
                            "has the wrong type; write " + expected(mismatch.getTargetType())));
        } catch (JsonMappingException unreadable) {
            return Optional.of(
                    new FieldProblem(
                            path + below(unreadable),
                            "",
                            "can't be read; see `kubectl explain pod` for what goes there"));
        } catch (JacksonException unreadable) {
            return Optional.of(new FieldProblem(path, "", "can't be read as a Pod"));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static String below(JsonMappingException problem) {
        return problem.getPath().stream()
                .map(
                        part ->
                                part.getFieldName() == null
                                        ? "[" + part.getIndex() + "]"
                                        : "." + part.getFieldName())
                .collect(Collectors.joining());
    }

    private static String expected(Class<?> type) {
        if (Collection.class.isAssignableFrom(type)) {
            return "a list";
        }
        if (type == String.class) {
            return "a text";
        }
        if (type == Boolean.class) {
            return "true or false";
        }
        if (Number.class.isAssignableFrom(type)) {
            return "a whole number";
        }
        return Map.class.isAssignableFrom(type)
                ? "names with their values"
                : "an object; `kubectl explain pod` shows its fields";
    }

    private static List<FieldProblem> unnamed(ObjectNode template, String path) {
        List<FieldProblem> problems = new ArrayList<>();
        for (String list : NAMED) {
            Set<String> seen = new HashSet<>();
            int index = 0;
            for (JsonNode element : template.path("spec").path(list)) {
                String at = path + ".spec." + list + "[" + index++ + "].name";
                String name = element.path("name").asText("");
                if (name.isEmpty()) {
                    problems.add(
                            new FieldProblem(
                                    at,
                                    "",
                                    "is missing; Flink's own container is called"
                                            + " flink-main-container, everything else needs a name"
                                            + " of its own"));
                } else if (!seen.add(name)) {
                    problems.add(
                            new FieldProblem(
                                    at,
                                    name,
                                    "is the name of another entry in the same list; rename it"));
                }
            }
        }
        return problems;
    }
}
