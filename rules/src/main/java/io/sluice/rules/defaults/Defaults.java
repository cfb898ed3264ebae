// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.defaults;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.ResourceKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The values that a resource gets where its author wrote none. */
public final class Defaults {
    private static final Set<ResourceKind> JOBS =
            Set.of(ResourceKind.FLINK_DEPLOYMENT, ResourceKind.FLINK_SESSION_JOB);
    private static final String STATE = "The resource shows whether the job is meant to run.";
    private static final String MODE =
            "The resource shows that a change of the spec drops the job's state.";

    public static final List<Default> ALL =
            List.of(
                    Default.constant(
                            "default-job-state", JOBS, "/spec/job", "state", "running", STATE),
                    Default.constant(
                            "default-upgrade-mode",
                            JOBS,
                            "/spec/job",
                            "upgradeMode",
                            "stateless",
                            MODE),
                    new Default(
                            "label-target-session",
                            Set.of(ResourceKind.FLINK_SESSION_JOB),
                            "/metadata/labels",
                            false,
                            "target.session",
                            "what `spec.deploymentName` says",
                            "Users find the jobs of a session cluster by this label, as with the"
                                    + " Apache operator.",
                            Defaults::session,
                            true));

    /**
     * A value to be set.
     *
     * @param pointer JSON Pointer of what is set
     * @param value a text, or an object with it if its parent is missing too
     */
    public record Missing(String pointer, JsonNode value) {}

    private Defaults() {}

    /** What {@code resource} lacks, in the order in which it has to be set. */
    public static List<Missing> missing(ResourceKind kind, ObjectNode resource) {
        List<Missing> missing = new ArrayList<>();
        for (Default each : ALL) {
            if (each.kinds().contains(kind)) {
                each.missing(resource)
                        .ifPresent(value -> missing.add(missing(each, resource, value)));
            }
        }
        return missing;
    }

    /** A copy of {@code spec} with every default filled in; applying it again changes nothing. */
    public static ObjectNode apply(ObjectNode spec) {
        ObjectNode completed = spec.deepCopy();
        ObjectNode resource = JsonNodeFactory.instance.objectNode();
        resource.set("spec", completed);
        for (Default each : ALL) {
            if (each.kinds().contains(ResourceKind.FLINK_DEPLOYMENT)
                    && resource.at(each.parent()) instanceof ObjectNode parent) {
                each.missing(resource).ifPresent(value -> parent.put(each.field(), value));
            }
        }
        return completed;
    }

    /** Whether two resources wish for the same, whoever filled in the defaults. */
    public static boolean isSameSpec(ResourceKind kind, ObjectNode one, ObjectNode other) {
        JsonNode before = one.path("spec");
        JsonNode after = other.path("spec");
        if (before.equals(after)) {
            return true;
        }
        return before instanceof ObjectNode
                && after instanceof ObjectNode
                && !(missing(kind, one).isEmpty() && missing(kind, other).isEmpty())
                && completed(kind, one).equals(completed(kind, other));
    }

    /** The spec with its defaults; shares with {@code resource} what has none. */
    private static ObjectNode completed(ResourceKind kind, ObjectNode resource) {
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        resource.path("spec")
                .properties()
                .forEach(field -> spec.set(field.getKey(), field.getValue()));
        ObjectNode copy = JsonNodeFactory.instance.objectNode();
        copy.set("spec", spec);
        for (Default each : ALL) {
            if (each.kinds().contains(kind) && each.parent().equals("/spec/job")) {
                each.missing(copy)
                        .ifPresent(
                                value -> {
                                    ObjectNode job = spec.path("job").deepCopy();
                                    spec.set("job", job.put(each.field(), value));
                                });
            }
        }
        return spec;
    }

    private static Missing missing(Default each, ObjectNode resource, String value) {
        if (resource.at(each.parent()).isObject()) {
            return new Missing(
                    each.parent() + "/" + escape(each.field()),
                    JsonNodeFactory.instance.textNode(value));
        }
        return new Missing(
                each.parent(), JsonNodeFactory.instance.objectNode().put(each.field(), value));
    }

    private static Optional<String> session(ObjectNode resource) {
        return Optional.of(resource.path("spec").path("deploymentName"))
                .filter(JsonNode::isTextual)
                .map(JsonNode::textValue)
                .filter(name -> !name.isBlank());
    }

    /** A field's name as a segment of a JSON Pointer. */
    private static String escape(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }
}
