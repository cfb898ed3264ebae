// SPDX-License-Identifier: Apache-2.0
package io.sluice.bench;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A FlinkDeployment as teams have them, and the review of its update: 24 KB of JSON. */
final class Reviews {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int KEYS = 60;
    private static final int VARIABLES = 34;
    private static final int OWNED_FIELDS = 40;

    private Reviews() {}

    /** An update that raises the parallelism. */
    static byte[] update() {
        ObjectNode review = JSON.createObjectNode();
        review.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
        ObjectNode request = review.putObject("request");
        request.put("uid", "705ab4f5-6393-11e8-b7cc-42010a800002");
        kind(request.putObject("kind"));
        kind(request.putObject("requestKind"));
        request.put("name", "orders").put("namespace", "shop").put("operation", "UPDATE");
        request.putObject("userInfo")
                .put("username", "system:serviceaccount:argocd:application-controller")
                .putArray("groups")
                .add("system:serviceaccounts")
                .add("system:authenticated");
        request.set("object", deployment("orders", 4));
        request.set("oldObject", deployment("orders", 2));
        request.put("dryRun", false)
                .putObject("options")
                .put("kind", "UpdateOptions")
                .put("apiVersion", "meta.k8s.io/v1");
        return review.toString().getBytes(UTF_8);
    }

    static ObjectNode deployment(String name, int parallelism) {
        ObjectNode resource = JSON.createObjectNode();
        resource.put("apiVersion", "flink.apache.org/v1beta1").put("kind", "FlinkDeployment");
        metadata(resource.putObject("metadata"), name);
        ObjectNode spec = resource.putObject("spec");
        spec.put("image", "registry.example.org/streaming/" + name + ":2026.11.3-2f1c9e7")
                .put("imagePullPolicy", "IfNotPresent")
                .put("flinkVersion", "v1_20")
                .put("serviceAccount", "flink");
        configuration(spec.putObject("flinkConfiguration"));
        pods(spec.putObject("podTemplate"));
        resources(spec.putObject("jobManager"), 1, "2048m");
        resources(spec.putObject("taskManager"), 2, "4096m");
        spec.putObject("job")
                .put("jarURI", "local:///opt/flink/usrlib/" + name + ".jar")
                .put("entryClass", "org.example.streaming.Main")
                .put("parallelism", parallelism)
                .put("upgradeMode", "stateless")
                .put("state", "running");
        status(resource.putObject("status"), spec);
        return resource;
    }

    private static void metadata(ObjectNode metadata, String name) {
        metadata.put("name", name).put("namespace", "shop").put("generation", 7);
        metadata.put("uid", "0b8f5f0a-5f0e-4a7e-9d1b-d5d6f0a9a001");
        metadata.put("resourceVersion", "88123").put("creationTimestamp", "2026-01-01T00:00:00Z");
        metadata.putObject("labels").put("team", "orders").put("app.kubernetes.io/part-of", "shop");
        ObjectNode managed =
                metadata.putArray("managedFields")
                        .addObject()
                        .put("manager", "argocd-controller")
                        .put("operation", "Apply");
        ObjectNode fields =
                managed.putObject("fieldsV1").putObject("f:spec").putObject("f:flinkConfiguration");
        for (int i = 0; i < OWNED_FIELDS; i++) {
            fields.putObject("f:example.section.option-" + i);
        }
    }

    private static void configuration(ObjectNode configuration) {
        configuration
                .put("taskmanager.numberOfTaskSlots", "2")
                .put("execution.checkpointing.interval", "60 s")
                .put("execution.checkpointing.dir", "s3://checkpoints/orders")
                .put("state.backend.type", "rocksdb")
                .put("high-availability.type", "kubernetes")
                .put("high-availability.storageDir", "s3://ha/orders");
        for (int i = 0; i < KEYS; i++) {
            configuration.put("example.section.option-" + i, "value of the option number " + i);
        }
    }

    private static void pods(ObjectNode template) {
        ObjectNode container =
                template.putObject("spec")
                        .putArray("containers")
                        .addObject()
                        .put("name", "flink-main-container");
        var variables = container.putArray("env");
        for (int i = 0; i < VARIABLES; i++) {
            variables
                    .addObject()
                    .put("name", "EXAMPLE_SETTING_" + i)
                    .put("value", "https://service-" + i + ".shop.svc.cluster.local:8443/v1");
        }
    }

    private static void resources(ObjectNode component, int cpu, String memory) {
        component.putObject("resource").put("cpu", cpu).put("memory", memory);
    }

    private static void status(ObjectNode status, ObjectNode spec) {
        status.put("lifecycleState", "STABLE").put("jobManagerDeploymentStatus", "READY");
        status.putObject("jobStatus").put("state", "RUNNING").put("jobName", "orders");
        ObjectNode last = JSON.createObjectNode();
        ObjectNode small = JSON.createObjectNode();
        small.put("flinkVersion", "v1_20").set("job", spec.get("job"));
        last.set("spec", small);
        last.putObject("resource_metadata").put("apiVersion", "flink.apache.org/v1beta1");
        status.putObject("reconciliationStatus")
                .put("state", "DEPLOYED")
                .put("lastReconciledSpec", last.toString());
    }

    private static void kind(ObjectNode kind) {
        kind.put("group", "flink.apache.org")
                .put("version", "v1beta1")
                .put("kind", "FlinkDeployment");
    }
}
