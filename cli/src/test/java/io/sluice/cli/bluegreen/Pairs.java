// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.bluegreen;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.FieldsV1;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntryBuilder;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.sluice.api.FlinkBlueGreenDeployment;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Map;

/** Pairs called orders, whose blue half runs image 1 and of which image 2 is wished for. */
final class Pairs {
    private Pairs() {}

    static ObjectNode template(int image) {
        return json(
                """
                {"spec":{"image":"flink:%d","flinkVersion":"v1_20","serviceAccount":"flink",
                 "flinkConfiguration":{"execution.checkpointing.savepoint-dir":"s3://b/savepoints",
                  "execution.checkpointing.dir":"s3://b/checkpoints"},
                 "jobManager":{"resource":{"cpu":1,"memory":"2Gi"}},
                 "taskManager":{"resource":{"cpu":2,"memory":"4Gi"}},
                 "job":{"jarURI":"local:///job.jar","parallelism":2,"state":"running",
                  "upgradeMode":"savepoint"}}}
                """
                        .formatted(image));
    }

    /** A pair with a transition of generation 7 in this phase. */
    static Pair in(String phase) {
        return Pair.of(resource(phase));
    }

    static FlinkBlueGreenDeployment resource(String phase) {
        boolean isStarted = !phase.equals("Preparing") && !phase.equals("Saving");
        ObjectNode status = status();
        ObjectNode transition =
                status.putObject("transition")
                        .put("id", "t1")
                        .put("from", "BLUE")
                        .put("to", "GREEN")
                        .put("generation", 7)
                        .put("phase", phase);
        if (isStarted) {
            status.put("lastReconciledSpec", encoded(template(2)))
                    .put("activeSpec", encoded(template(1)));
        } else {
            status.put("lastReconciledSpec", encoded(template(1)));
            transition.put("spec", encoded(template(2)));
        }
        boolean isBetween = isStarted && !phase.equals("Ended");
        status.put("blueGreenState", isBetween ? "TRANSITIONING_TO_GREEN" : "ACTIVE_BLUE");
        return resource(template(2), status);
    }

    /** A pair whose blue half runs image 1, and that wishes for a template. */
    static FlinkBlueGreenDeployment atRest(ObjectNode wish) {
        return resource(
                wish,
                status().put("blueGreenState", "ACTIVE_BLUE")
                        .put("lastReconciledSpec", encoded(template(1))));
    }

    static FlinkBlueGreenDeployment resource(ObjectNode wish, ObjectNode status) {
        var pair = new FlinkBlueGreenDeployment();
        pair.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace("shop")
                        .withName("orders")
                        .withGeneration(7L)
                        .withResourceVersion("42")
                        .build());
        ObjectNode spec = json("{}");
        spec.putObject("configuration").put("kubernetes.operator.bluegreen.promotion", "manual");
        spec.set("template", wish);
        pair.setSpec(spec);
        pair.setStatus(status);
        return pair;
    }

    /** The same with managers that have set the template. */
    static FlinkBlueGreenDeployment managed(FlinkBlueGreenDeployment pair, String... managers) {
        var fields = new FieldsV1();
        fields.setAdditionalProperty("f:spec", Map.of("f:template", Map.of()));
        pair.getMetadata()
                .setManagedFields(
                        Arrays.stream(managers)
                                .map(
                                        manager ->
                                                new ManagedFieldsEntryBuilder()
                                                        .withManager(manager)
                                                        .withFieldsV1(fields)
                                                        .build())
                                .toList());
        return pair;
    }

    static String encoded(ObjectNode template) {
        ObjectNode document = json("{}");
        document.putObject("spec").set("template", template);
        return document.toString();
    }

    static ObjectNode json(String text) {
        try {
            return (ObjectNode) JsonMapper.builder().build().readTree(text);
        } catch (JsonProcessingException wrong) {
            throw new UncheckedIOException(wrong);
        }
    }

    private static ObjectNode status() {
        return json(
                """
                {"conditions":[{"type":"Reconciling","status":"True","reason":"R"}]}
                """);
    }
}
