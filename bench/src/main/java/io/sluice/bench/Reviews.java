// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.cfg.JsonNodeFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;

/** A FlinkDeployment as teams have them, and the review of its update: 24 KB of JSON. */
final class Reviews {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final ObjectWriter SORTED =
            JSON.writer().with(JsonNodeFeature.WRITE_PROPERTIES_SORTED);
    private static final String UID = "705ab4f5-6393-11e8-b7cc-42010a800002";
    private static final String OTHER_UID = "94c1e3a0-7d0b-4d1c-8f5e-0c9b6a7d8e21";
    private static final String OBJECT_UID = "0b8f5f0a-5f0e-4a7e-9d1b-d5d6f0a9a001";
    private static final String CREATED = "2026-01-01T00:00:00Z";
    private static final int GENERATION = 7;
    private static final ObjectNode DEPLOYMENT = load();

    private Reviews() {}

    /** An update that raises the parallelism of a job that runs. */
    static byte[] update() {
        return update("orders");
    }

    /** So many different ones. */
    static List<byte[]> updates(int many) {
        return IntStream.range(0, many).mapToObj(i -> update("orders-" + i)).toList();
    }

    /**
     * What the API server asks next about the same write: under another uid, and with the
     * generation that it raised meanwhile.
     */
    static byte[] askedAgain(byte[] review) {
        return new String(review, UTF_8)
                .replaceFirst(UID, OTHER_UID)
                .replaceFirst("\"generation\":" + GENERATION, "\"generation\":" + (GENERATION + 1))
                .getBytes(UTF_8);
    }

    /** So many different creations, as the API server asks the first time about them. */
    static List<byte[]> creations(int many) {
        return IntStream.range(0, many)
                .mapToObj(i -> creation("orders-" + i, UID, _ -> {}))
                .toList();
    }

    /** The same with what the API server has given the objects since. */
    static List<byte[]> creationsAskedAgain(int many) {
        return IntStream.range(0, many)
                .mapToObj(
                        i ->
                                creation(
                                        "orders-" + i,
                                        OTHER_UID,
                                        metadata ->
                                                metadata.put("generation", 1)
                                                        .put("uid", OBJECT_UID)
                                                        .put("creationTimestamp", CREATED)))
                .toList();
    }

    private static byte[] creation(String name, String uid, Consumer<ObjectNode> given) {
        ObjectNode resource = DEPLOYMENT.deepCopy();
        ObjectNode metadata = resource.withObject("/metadata");
        metadata.put("name", name);
        own(metadata, resource.withObject("/spec"));
        given.accept(metadata);
        return review(uid, name, "CREATE", request -> request.set("object", sorted(resource)));
    }

    private static byte[] update(String name) {
        ObjectNode before = deployment(name, 2);
        ObjectNode after = before.deepCopy();
        after.withObject("/spec/job").put("parallelism", 4);
        return review(
                UID,
                name,
                "UPDATE",
                request -> {
                    request.set("object", sorted(after));
                    request.set("oldObject", sorted(before));
                });
    }

    private static byte[] review(
            String uid, String name, String operation, Consumer<ObjectNode> objects) {
        ObjectNode review = JSON.createObjectNode();
        review.put("kind", "AdmissionReview").put("apiVersion", "admission.k8s.io/v1");
        ObjectNode request = review.putObject("request");
        request.put("uid", uid);
        kind(request.putObject("kind"));
        request.putObject("resource")
                .put("group", "flink.apache.org")
                .put("version", "v1beta1")
                .put("resource", "flinkdeployments");
        kind(request.putObject("requestKind"));
        request.put("name", name).put("namespace", "shop").put("operation", operation);
        request.putObject("userInfo")
                .put("username", "system:serviceaccount:argocd:application-controller")
                .putArray("groups")
                .add("system:serviceaccounts")
                .add("system:authenticated");
        objects.accept(request);
        request.put("dryRun", false)
                .putObject("options")
                .put("kind", operation.equals("CREATE") ? "CreateOptions" : "UpdateOptions")
                .put("apiVersion", "meta.k8s.io/v1");
        return review.toString().getBytes(UTF_8);
    }

    /** As it stands at the API server: taken up by the operator, and stable. */
    static ObjectNode deployment(String name, int parallelism) {
        ObjectNode resource = DEPLOYMENT.deepCopy();
        resource.withObject("/spec/job").put("parallelism", parallelism);
        metadata(resource.withObject("/metadata"), name, resource.withObject("/spec"));
        status(resource.putObject("status"), resource.withObject("/spec"));
        return resource;
    }

    private static void metadata(ObjectNode metadata, String name, ObjectNode spec) {
        metadata.put("name", name).put("generation", GENERATION);
        metadata.put("uid", OBJECT_UID);
        metadata.put("resourceVersion", "88123").put("creationTimestamp", CREATED);
        metadata.putArray("finalizers").add("flinkdeployments.flink.apache.org/finalizer");
        own(metadata, spec);
    }

    private static void own(ObjectNode metadata, ObjectNode spec) {
        ObjectNode owned =
                metadata.putArray("managedFields")
                        .addObject()
                        .put("manager", "argocd-controller")
                        .put("operation", "Apply")
                        .put("apiVersion", "flink.apache.org/v1beta1")
                        .put("time", "2026-11-02T10:11:12Z")
                        .put("fieldsType", "FieldsV1")
                        .putObject("fieldsV1");
        name(owned.putObject("f:spec"), spec);
    }

    /** What server-side apply keeps beside a resource: the names of all its fields. */
    private static void name(ObjectNode owned, ObjectNode fields) {
        fields.properties()
                .forEach(
                        field -> {
                            ObjectNode inner = owned.putObject("f:" + field.getKey());
                            if (field.getValue() instanceof ObjectNode object) {
                                name(inner, object);
                            }
                        });
    }

    private static void status(ObjectNode status, ObjectNode spec) {
        status.put("lifecycleState", "STABLE").put("jobManagerDeploymentStatus", "READY");
        status.put("observedGeneration", GENERATION);
        status.putObject("jobStatus")
                .put("state", "RUNNING")
                .put("jobName", "orders")
                .put("jobId", "6d1f0e2b3c4d5e6f708192a3b4c5d6e7")
                .put("startTime", "1793613012000")
                .put("updateTime", "1793613042000");
        ObjectNode last = JSON.createObjectNode();
        last.set("spec", spec);
        last.putObject("resource_metadata").put("apiVersion", "flink.apache.org/v1beta1");
        String text = last.toString();
        status.putObject("reconciliationStatus")
                .put("state", "DEPLOYED")
                .put("reconciliationTimestamp", 1793613000000L)
                .put("lastReconciledSpec", text)
                .put("lastStableSpec", text);
    }

    /** As the API server writes it. */
    private static JsonNode sorted(ObjectNode resource) {
        try {
            return JSON.readTree(SORTED.writeValueAsBytes(resource));
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }

    private static void kind(ObjectNode kind) {
        kind.put("group", "flink.apache.org")
                .put("version", "v1beta1")
                .put("kind", "FlinkDeployment");
    }

    private static ObjectNode load() {
        try (var yaml =
                Objects.requireNonNull(
                        Reviews.class.getResourceAsStream("deployment.yaml"), "deployment.yaml")) {
            return (ObjectNode) new YAMLMapper().readTree(yaml);
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }
}
