// SPDX-License-Identifier: Apache-2.0
package io.sluice.webhook.admission;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.json.Wire;
import io.sluice.api.spec.ResourceKind;
import io.sluice.rules.scale.ScaleRequest;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.Optional;
import java.util.SequencedMap;

/**
 * What the API server asks, of {@code admission.k8s.io/v1}.
 *
 * @param group of the kind
 * @param resource what is written to, as {@code flinkdeployments.flink.apache.org}; empty if that
 *     is not said
 * @param subresource empty for the resource itself
 */
@RecordBuilder
public record AdmissionRequest(
        String uid,
        String group,
        String kind,
        String resource,
        String subresource,
        Operation operation,
        String namespace,
        String name,
        boolean dryRun,
        Optional<ObjectNode> object,
        Optional<ObjectNode> oldObject)
        implements AdmissionRequestBuilder.With {

    static final String API_VERSION = "admission.k8s.io/v1";

    public enum Operation implements Wire {
        CREATE,
        UPDATE,
        DELETE,
        CONNECT;

        static final SequencedMap<String, Operation> WORDS = Wire.words(values());

        @Override
        public String wire() {
            return name();
        }
    }

    /** Empty if {@code review} is no request of this version that could be answered. */
    public static Optional<AdmissionRequest> read(JsonNode review) {
        JsonNode request = review.path("request");
        String uid = request.path("uid").asText("");
        boolean known =
                review.path("apiVersion").asText("").equals(API_VERSION)
                        && review.path("kind").asText("").equals("AdmissionReview")
                        && !uid.isEmpty();
        return Optional.ofNullable(Operation.WORDS.get(request.path("operation").asText("")))
                .filter(_ -> known)
                .map(operation -> read(uid, operation, request));
    }

    private static AdmissionRequest read(String uid, Operation operation, JsonNode request) {
        return new AdmissionRequest(
                uid,
                request.path("kind").path("group").asText(""),
                request.path("kind").path("kind").asText(""),
                groupResource(request.path("resource")),
                request.path("subResource").asText(""),
                operation,
                request.path("namespace").asText(""),
                request.path("name").asText(""),
                request.path("dryRun").asBoolean(false),
                object(request, "object"),
                object(request, "oldObject"));
    }

    private static String groupResource(JsonNode resource) {
        String plural = resource.path("resource").asText("");
        return plural.isEmpty() ? "" : plural + "." + resource.path("group").asText("");
    }

    private static Optional<ObjectNode> object(JsonNode request, String field) {
        return request.get(field) instanceof ObjectNode object
                ? Optional.of(object)
                : Optional.empty();
    }

    /**
     * How a FlinkDeployment is to be scaled; empty for any other write, and one of the same size.
     */
    Optional<ScaleRequest> scale() {
        boolean isScale =
                operation == Operation.UPDATE
                        && subresource.equals("scale")
                        && resource.equals(ResourceKind.FLINK_DEPLOYMENT.crd());
        Optional<Integer> before = oldObject.map(AdmissionRequest::replicas);
        return object.filter(_ -> isScale)
                .map(AdmissionRequest::replicas)
                .filter(replicas -> !before.equals(Optional.of(replicas)))
                .map(replicas -> new ScaleRequest(namespace, name, replicas));
    }

    /** A Scale leaves its number out where it is 0. */
    private static int replicas(ObjectNode scale) {
        return scale.path("spec").path("replicas").asInt(0);
    }

    AdmissionRequest withoutObjects() {
        return with().object(Optional.empty()).oldObject(Optional.empty()).build();
    }
}
