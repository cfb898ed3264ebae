// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;

/** AdmissionReviews as an API server sends them. */
public final class Reviews {
    public static final String VALID =
            """
            apiVersion: flink.apache.org/v1beta1
            kind: FlinkDeployment
            metadata: {name: orders, namespace: default}
            spec:
              image: flink:1.20
              flinkVersion: v1_20
              serviceAccount: flink
              jobManager: {resource: {cpu: 0.5, memory: 1Gi}}
              taskManager: {resource: {cpu: 0.5, memory: 1Gi}}
              job: {jarURI: "local:///opt/flink/usrlib/job.jar", parallelism: 2}
            """;

    private static final String SCALE =
            """
            apiVersion: autoscaling/v1
            kind: Scale
            metadata: {name: orders, namespace: default}
            spec: {replicas: %d}
            """;

    public static final String INVALID =
            """
            apiVersion: flink.apache.org/v1beta1
            kind: FlinkDeployment
            metadata: {name: Orders, namespace: default}
            spec:
              image: flink:1.20
              flinkVersion: v1_14
              flinkConfiguration:
                kubernetes.cluster-id: another
                taskmanager.numberOfTaskSlots: many
              jobManager: {resource: {memory: plenty}, replicas: 2}
              taskManager: {resources: {requests: {memory: 2Gi}, limits: {memory: 1Gi}}}
              job: {parallelism: 0, upgradeMode: savepoint}
            """;

    private Reviews() {}

    public static ObjectNode yaml(String text) {
        try {
            return (ObjectNode) new YAMLMapper().readTree(text);
        } catch (IOException wrong) {
            throw new UncheckedIOException(wrong);
        }
    }

    /** A resource with 400 objects, one within the other, below {@code pointer}. */
    public static ObjectNode nestedBelow(String pointer) {
        ObjectNode resource = yaml(VALID);
        ObjectNode inner = resource.withObject(pointer);
        for (int i = 0; i < 400; i++) {
            inner = inner.putObject("a");
        }
        return resource;
    }

    /** A resource with so many options of Flink. */
    public static ObjectNode withOptions(int many) {
        ObjectNode resource = yaml(VALID);
        ObjectNode options = resource.withObject("/spec/flinkConfiguration");
        for (int i = 0; i < many; i++) {
            options.put("option-" + i, "value");
        }
        return resource;
    }

    public static ObjectNode create(ObjectNode object) {
        return review("CREATE", object);
    }

    public static ObjectNode update(ObjectNode old, ObjectNode object) {
        ObjectNode review = review("UPDATE", object);
        ((ObjectNode) review.get("request")).set("oldObject", old);
        return review;
    }

    /**
     * A write to the subresource {@code scale}.
     *
     * @param resource the plural of what is scaled, of our group
     */
    public static ObjectNode scale(String resource, int before, int replicas) {
        ObjectNode review = update(yaml(SCALE.formatted(before)), yaml(SCALE.formatted(replicas)));
        ObjectNode request = (ObjectNode) review.get("request");
        request.putObject("resource")
                .put("group", "flink.apache.org")
                .put("version", "v1beta1")
                .put("resource", resource);
        request.put("subResource", "scale");
        return review;
    }

    public static ObjectNode delete(ObjectNode old) {
        ObjectNode review = review("DELETE", old);
        ObjectNode request = (ObjectNode) review.get("request");
        request.set("oldObject", old);
        request.putNull("object");
        return review;
    }

    private static ObjectNode review(String operation, ObjectNode object) {
        ObjectNode review = new ObjectMapper().createObjectNode();
        review.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
        ObjectNode request = review.putObject("request");
        String[] version = object.path("apiVersion").asText().split("/", -1);
        request.put("uid", "705ab4f5-6393-11e8-b7cc-42010a800002").put("operation", operation);
        request.putObject("kind")
                .put("group", version[0])
                .put("version", version[1])
                .put("kind", object.path("kind").asText());
        request.put("namespace", object.path("metadata").path("namespace").asText());
        request.put("name", object.path("metadata").path("name").asText());
        request.put("dryRun", true);
        request.set("object", object);
        return review;
    }
}
