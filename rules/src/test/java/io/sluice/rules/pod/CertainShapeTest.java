// SPDX-License-Identifier: Apache-2.0
package io.sluice.rules.pod;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class CertainShapeTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
    private static final List<String> OTHERS =
            List.of(
                    "1",
                    "-1",
                    "1.5",
                    "99999999999",
                    "1e40",
                    "true",
                    "\"\"",
                    "\"x\"",
                    "\"12\"",
                    "\"true\"",
                    "null",
                    "[]",
                    "[1]",
                    "[null]",
                    "[{}]",
                    "{}",
                    "{\"a\": 1}",
                    "{\"name\": [1]}",
                    "\"1Gi\"",
                    "\"1Q\"");

    private final CertainShape shape = new CertainShape(JSON, Pod.class);

    @Test
    void aTemplateAsTeamsHaveItIsCertain() throws IOException {
        assertThat(
                        shape.isOf(
                                new YAMLMapper()
                                        .readTree(
                                                """
                                                metadata:
                                                  creationTimestamp: null
                                                  labels: {team: shop}
                                                spec:
                                                  containers:
                                                    - name: flink-main-container
                                                      env: [{name: A, value: b}]
                                                      ports: [{containerPort: 9249, name: metrics}]
                                                      readinessProbe: {httpGet: {port: rest}}
                                                      resources: {limits: {memory: 2Gi, cpu: 500m}}
                                                      volumeMounts: [{name: a, mountPath: /a}]
                                                  securityContext: {fsGroup: 9999}
                                                  volumes: [{name: a, emptyDir: {}}]
                                                """)))
                .isTrue();
    }

    /** Every field of a Pod is right; the other way round a wrong one is found in each of them. */
    @Test
    void aPodWithEveryFieldIsCertain() {
        assertThat(shape.isOf(sample(JSON.constructType(Pod.class)))).isTrue();
    }

    @Test
    void whatIsCertainCanBeRead() {
        JsonNode whole = sample(JSON.constructType(Pod.class));
        var random = new Random(7);
        int certain = 0;
        for (int i = 0; i < 500; i++) {
            JsonNode changed = whole.deepCopy();
            change(changed, random);
            if (shape.isOf(changed)) {
                certain++;
                assertThat(isRead(changed)).as(changed.toString()).isTrue();
            }
        }
        assertThat(certain).isBetween(25, 475);
    }

    private static boolean isRead(JsonNode pod) {
        try {
            JSON.treeToValue(pod, Pod.class);
            return true;
        } catch (JsonProcessingException | IllegalArgumentException _) {
            return false;
        }
    }

    /** Puts something else in one place. */
    private static void change(JsonNode whole, Random random) {
        List<JsonNode> parents = new ArrayList<>();
        parents(whole, parents);
        JsonNode other = read(OTHERS.get(random.nextInt(OTHERS.size())));
        switch (parents.get(random.nextInt(parents.size()))) {
            case ObjectNode object -> {
                List<String> names = object.propertyStream().map(Map.Entry::getKey).toList();
                object.set(names.get(random.nextInt(names.size())), other);
            }
            case ArrayNode array -> array.set(random.nextInt(array.size()), other);
            default -> throw new IllegalStateException();
        }
    }

    private static void parents(JsonNode node, List<JsonNode> into) {
        if (!node.isEmpty()) {
            into.add(node);
            node.forEach(each -> parents(each, into));
        }
    }

    private static JsonNode read(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** A value of the type with all that belongs to it. */
    private static JsonNode sample(JavaType type) {
        Class<?> raw = type.getRawClass();
        if (raw == String.class || raw == IntOrString.class) {
            return NODES.textNode("x");
        }
        if (raw == Quantity.class) {
            return NODES.textNode("1Gi");
        }
        if (raw == Boolean.class) {
            return NODES.booleanNode(true);
        }
        if (raw == Integer.class || raw == Long.class) {
            return NODES.numberNode(1);
        }
        if (type.isCollectionLikeType()) {
            return NODES.arrayNode().add(sample(type.getContentType()));
        }
        if (type.isMapLikeType()) {
            return NODES.objectNode().set("x", sample(type.getContentType()));
        }
        ObjectNode object = NODES.objectNode();
        if (raw != Object.class) {
            JSON.getDeserializationConfig()
                    .introspect(type)
                    .findProperties()
                    .forEach(each -> object.set(each.getName(), sample(each.getPrimaryType())));
        }
        return object;
    }
}
