// SPDX-License-Identifier: Apache-2.0
package io.sluice.testkit.apiserver;

import com.fasterxml.jackson.databind.node.ObjectNode;

/** The few defaults of Kubernetes that somebody reads. */
final class Defaults {
    private Defaults() {}

    static void complete(ResourceType type, ObjectNode object) {
        switch (type.qualified()) {
            case "deployments.apps", "replicasets.apps" -> absent(object, "/spec", "replicas", 1);
            case "services" -> absent(object, "/spec", "type", "ClusterIP");
            case "pods" -> absent(object, "/status", "phase", "Pending");
            case "namespaces" -> {
                absent(object, "/status", "phase", "Active");
                absent(
                        object,
                        "/metadata/labels",
                        "kubernetes.io/metadata.name",
                        object.at("/metadata/name").asText());
                if (!object.path("spec").has("finalizers")) {
                    object.withObject("/spec").withArray("finalizers").add("kubernetes");
                }
            }
            default -> {
                // The others have none that matter here.
            }
        }
    }

    private static void absent(ObjectNode object, String pointer, String name, String value) {
        ObjectNode parent = object.withObject(pointer);
        if (!parent.has(name)) {
            parent.put(name, value);
        }
    }

    private static void absent(ObjectNode object, String pointer, String name, int value) {
        ObjectNode parent = object.withObject(pointer);
        if (!parent.has(name)) {
            parent.put(name, value);
        }
    }
}
