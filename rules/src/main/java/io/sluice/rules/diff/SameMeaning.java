// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.diff;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.ComponentSpec;
import io.sluice.api.spec.JobSpec;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Parts of a spec in a form in which equal meanings are equal: whoever wrote a spec down may have
 * filled in what the CRD's model takes for granted, left out what is empty, or written a number as
 * text. Such a difference must never restart a job.
 */
final class SameMeaning {
    private static final int ONE_JOB_MANAGER = 1;

    private SameMeaning() {}

    /** 0 is the model's word for "not said". */
    static Optional<Integer> parallelism(JobSpec job) {
        return job.parallelism().filter(number -> number != 0);
    }

    static ComponentSpec ofJobManager(ComponentSpec component) {
        ComponentSpec same = of(component);
        return new ComponentSpec(
                same.resource(),
                same.resources(),
                Optional.of(same.replicas().orElse(ONE_JOB_MANAGER)),
                same.podTemplate());
    }

    static ComponentSpec withoutReplicas(ComponentSpec component) {
        ComponentSpec same = of(component);
        return new ComponentSpec(
                same.resource(), same.resources(), Optional.empty(), same.podTemplate());
    }

    private static ComponentSpec of(ComponentSpec component) {
        return new ComponentSpec(
                component.resource(),
                component.resources().filter(resources -> !resources.isEmpty()),
                component.replicas(),
                of(component.podTemplate()));
    }

    /**
     * A pod template: its labels, its annotations and its spec. Resources stored by older versions
     * of the CRD hold a whole Pod, whose name and status mean nothing here.
     */
    static Optional<ObjectNode> of(Optional<ObjectNode> template) {
        return template.map(
                        pod -> {
                            ObjectNode kept = JsonNodeFactory.instance.objectNode();
                            kept.set("labels", pod.at("/metadata/labels"));
                            kept.set("annotations", pod.at("/metadata/annotations"));
                            kept.set("spec", pod.path("spec"));
                            return (ObjectNode) plain(kept);
                        })
                .filter(pod -> !pod.isEmpty());
    }

    private static JsonNode plain(JsonNode node) {
        if (node instanceof ObjectNode object) {
            TreeMap<String, JsonNode> fields = new TreeMap<>();
            object.properties()
                    .forEach(
                            field -> {
                                JsonNode value = plain(field.getValue());
                                if (!isNothing(value)) {
                                    fields.put(field.getKey(), value);
                                }
                            });
            ObjectNode plain = JsonNodeFactory.instance.objectNode();
            fields.forEach(plain::set);
            return plain;
        }
        if (node instanceof ArrayNode array) {
            ArrayNode plain = JsonNodeFactory.instance.arrayNode();
            array.forEach(element -> plain.add(plain(element)));
            return plain;
        }
        return node.isNull() || node.isMissingNode()
                ? node
                : JsonNodeFactory.instance.textNode(node.asText());
    }

    private static boolean isNothing(JsonNode value) {
        return value.isNull()
                || value.isMissingNode()
                || (value.isContainerNode() && value.isEmpty());
    }
}
