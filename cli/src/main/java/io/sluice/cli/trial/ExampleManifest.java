// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.trial;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Objects;
import java.util.Optional;

/** An example as it is applied: the file of {@code examples/}, in the namespace of a trial. */
final class ExampleManifest {
    private static final ObjectMapper JSON = new ObjectMapper();

    private ExampleManifest() {}

    /**
     * A list for kubectl.
     *
     * @param image instead of that of the file
     */
    static ObjectNode of(Example example, Optional<String> image) {
        ObjectNode deployment = read(example);
        own(deployment.withObject("/metadata"));
        ObjectNode spec = deployment.withObject("/spec");
        image.ifPresent(each -> spec.put("image", each));
        // The autoscaler's page shows the job, and nothing scales it.
        spec.withObject("/flinkConfiguration")
                .put("job.autoscaler.enabled", "true")
                .put("job.autoscaler.scaling.enabled", "false");
        ObjectNode list = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "List");
        if (example.keepsState()) {
            list.withArray("/items").add(claim());
            spec.withObject("/podTemplate/spec/affinity").setAll(onOneNode(example));
        }
        list.withArray("/items").add(deployment);
        return list;
    }

    private static ObjectNode read(Example example) {
        String resource = "/" + example.file();
        try (InputStream file =
                Objects.requireNonNull(
                        ExampleManifest.class.getResourceAsStream(resource), resource)) {
            JsonNode read = new YAMLMapper().readTree(file);
            return read instanceof ObjectNode object ? object : JSON.createObjectNode();
        } catch (IOException broken) {
            throw new UncheckedIOException(broken);
        }
    }

    /** Of the default StorageClass. Most of these give volumes to the pods of one node only. */
    private static ObjectNode claim() {
        ObjectNode claim =
                JSON.createObjectNode()
                        .put("apiVersion", "v1")
                        .put("kind", "PersistentVolumeClaim");
        own(claim.withObject("/metadata").put("name", "flink-state"));
        claim.withObject("/spec").withArray("/accessModes").add("ReadWriteOnce");
        claim.withObject("/spec/resources/requests").put("storage", "1Gi");
        return claim;
    }

    private static ObjectNode onOneNode(Example example) {
        ObjectNode affinity = JSON.createObjectNode();
        ObjectNode term =
                affinity.withArray("/podAffinity/requiredDuringSchedulingIgnoredDuringExecution")
                        .addObject()
                        .put("topologyKey", "kubernetes.io/hostname");
        term.withObject("/labelSelector/matchLabels").put("app", example.resource());
        return affinity;
    }

    private static void own(ObjectNode metadata) {
        metadata.put("namespace", Trial.NAME);
        metadata.withObject("/labels").put(Trial.LABEL, Trial.NAME);
    }
}
