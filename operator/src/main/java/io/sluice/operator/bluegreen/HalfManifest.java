// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.bluegreen;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.sluice.api.FlinkBlueGreenDeployment;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.spec.ApiVersion;
import io.sluice.api.status.bluegreen.HalfColor;
import io.sluice.operator.bluegreen.decide.PairAction.HalfPlan;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** A half as the API server is asked to store it. */
final class HalfManifest {
    /** Says which half a FlinkDeployment is. */
    static final String COLOR_LABEL = "flink/blue-green-deployment-type";

    private HalfManifest() {}

    /**
     * The whole of a half that is made.
     *
     * @param start annotations with what it starts with
     */
    static FlinkDeployment of(
            FlinkBlueGreenDeployment pair,
            HalfColor color,
            HalfPlan plan,
            Map<String, String> start) {
        ObjectMeta owner = pair.getMetadata();
        var half = new FlinkDeployment();
        half.getMetadata().setName(color.nameIn(owner.getName()));
        half.getMetadata().setNamespace(owner.getNamespace());
        half.getMetadata().setLabels(labels(color, plan));
        half.getMetadata().setAnnotations(merged(annotations(plan), start));
        half.getMetadata()
                .setOwnerReferences(
                        List.of(
                                new OwnerReferenceBuilder()
                                        .withApiVersion(ApiVersion.TEXT)
                                        .withKind(pair.getKind())
                                        .withName(owner.getName())
                                        .withUid(owner.getUid())
                                        .withController(true)
                                        .withBlockOwnerDeletion(false)
                                        .build()));
        half.setSpec(plan.spec().deepCopy());
        return half;
    }

    /**
     * The change of a half that is there, as JSON Patch: the API server refuses it with a conflict
     * if the half was changed since it was read. Labels, annotations and finalizers of others stay.
     */
    static String patch(FlinkDeployment found, HalfColor color, HalfPlan plan) {
        ObjectMeta metadata = found.getMetadata();
        ArrayNode patch = JsonNodeFactory.instance.arrayNode();
        replace(patch, "/metadata/resourceVersion").put("value", metadata.getResourceVersion());
        add(patch, "/metadata/labels", merged(metadata.getLabels(), labels(color, plan)));
        add(patch, "/metadata/annotations", merged(metadata.getAnnotations(), annotations(plan)));
        replace(patch, "/spec").set("value", plan.spec());
        return patch.toString();
    }

    private static ObjectNode replace(ArrayNode patch, String path) {
        return patch.addObject().put("op", "replace").put("path", path);
    }

    private static void add(ArrayNode patch, String path, Map<String, String> values) {
        ObjectNode value = patch.addObject().put("op", "add").put("path", path).putObject("value");
        values.forEach(value::put);
    }

    private static Map<String, String> merged(
            Map<String, String> standing, Map<String, String> wanted) {
        Map<String, String> all = new TreeMap<>(Optional.ofNullable(standing).orElseGet(Map::of));
        all.putAll(wanted);
        return all;
    }

    private static Map<String, String> labels(HalfColor color, HalfPlan plan) {
        Map<String, String> labels = strings(plan.template().at("/metadata/labels"));
        labels.put(COLOR_LABEL, color.wire());
        return labels;
    }

    private static Map<String, String> annotations(HalfPlan plan) {
        Map<String, String> annotations = strings(plan.template().at("/metadata/annotations"));
        annotations.put(HalfReader.MARK, plan.mark());
        return annotations;
    }

    private static Map<String, String> strings(JsonNode node) {
        Map<String, String> strings = new TreeMap<>();
        node.properties().forEach(each -> strings.put(each.getKey(), each.getValue().asText("")));
        return strings;
    }
}
