// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.FieldProblem;
import java.util.ArrayList;
import java.util.List;

/**
 * The Pod Security Standards of Kubernetes, applied to a template: baseline, and restricted on top
 * of it. What a template leaves out, the operator fills in as restricted asks where that is the
 * standard ({@link FillIn}), except for containers of the user's own.
 */
public final class PodSecurity {
    /** How strict. */
    public enum Level {
        BASELINE,
        RESTRICTED
    }

    private static final List<String> CONTAINERS =
            List.of("containers", "initContainers", "ephemeralContainers");

    private PodSecurity() {}

    /**
     * Everything in {@code template}, a pod template or a pod, that the standard forbids; {@code
     * path} is what problems call it.
     */
    public static List<FieldProblem> check(ObjectNode template, String path, Level level) {
        List<FieldProblem> problems = new ArrayList<>();
        JsonNode spec = template.path("spec");
        String specPath = path + ".spec";
        Node pod = new Node(spec, specPath, problems);
        Baseline.pod(pod, template.path("metadata").path("annotations"), path);
        if (level == Level.RESTRICTED) {
            Restricted.pod(pod);
        }
        for (String list : CONTAINERS) {
            for (JsonNode container : spec.path(list)) {
                String name = container.path("name").asText("?");
                Node node = new Node(container, specPath + "." + list + "[" + name + "]", problems);
                Baseline.container(node);
                if (level == Level.RESTRICTED) {
                    Restricted.container(node);
                }
            }
        }
        return problems;
    }

    /** A part of the template, its path, and where what is wrong with it goes. */
    record Node(JsonNode json, String path, List<FieldProblem> problems) {
        Node at(String field) {
            return new Node(json.path(field), path + "." + field, problems);
        }

        void refuse(String message) {
            String value =
                    json.isMissingNode() || json.isNull()
                            ? ""
                            : json.isTextual() ? json.asText() : json.toString();
            problems.add(new FieldProblem(path, value, message));
        }

        void refuseIf(boolean wrong, String message) {
            if (wrong) {
                refuse(message);
            }
        }

        boolean isTrue() {
            return json.asBoolean(false);
        }

        String text() {
            return json.asText("");
        }
    }
}
