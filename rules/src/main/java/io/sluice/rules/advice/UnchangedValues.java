// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.advice;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.FlinkConfiguration;
import io.sluice.rules.review.Warning;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A resource as it is stored. A warning about one of its values was given when that value was
 * written, and is not given again with each edit of something else.
 */
public final class UnchangedValues {
    /** What is said of a value whatever else the resource says. */
    static final Set<String> OF_ONE_VALUE =
            Set.of(
                    "ambiguous-unit",
                    "config-key-without-effect",
                    "deprecated-config-key",
                    "operator-only-config-key",
                    "secret-in-plain-text",
                    "unknown-config-key");

    private static final String OPTION = ".flinkConfiguration[";

    private final ObjectNode resource;
    private final Map<String, FlinkConfiguration> read = new HashMap<>();

    private UnchangedValues(ObjectNode resource) {
        this.resource = resource;
    }

    /**
     * Those of {@code warnings} that are new.
     *
     * @param before the resource that is replaced
     * @param now the resource that the warnings are about
     */
    public static List<Warning> leaveOut(
            List<Warning> warnings, ObjectNode before, ObjectNode now) {
        var former = new UnchangedValues(before);
        var present = new UnchangedValues(now);
        return warnings.stream()
                .filter(
                        warning ->
                                !OF_ONE_VALUE.contains(warning.id())
                                        || !former.at(warning.path())
                                                .equals(present.at(warning.path())))
                .toList();
    }

    private Optional<String> at(String path) {
        int spec = path.indexOf(OPTION);
        if (spec < 0 || !path.endsWith("]")) {
            return Optional.of(resource.at(pointer(path)))
                    .filter(JsonNode::isValueNode)
                    .map(JsonNode::asText);
        }
        String key = path.substring(spec + OPTION.length(), path.length() - 1);
        return read.computeIfAbsent(path.substring(0, spec), this::options).get(key);
    }

    private FlinkConfiguration options(String spec) {
        return FlinkConfiguration.of(resource.at(pointer(spec + ".flinkConfiguration")));
    }

    private static JsonPointer pointer(String path) {
        return JsonPointer.compile("/" + path.replace('.', '/'));
    }
}
