// SPDX-License-Identifier: Apache-2.0
package io.sluice.mutator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonPointer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.spec.ResourceKind;
import io.sluice.rules.defaults.Defaults;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;
import org.junit.jupiter.api.Test;

class MutatorTest {
    @Test
    void addsOnlyWhatIsMissing() {
        var patch =
                Mutator.patch(
                        ResourceKind.FLINK_DEPLOYMENT,
                        json("{'spec':{'job':{'state':'suspended','a/b~c':1}}}"));

        assertThat(patch)
                .contains(
                        array("[{'op':'add','path':'/spec/job/upgradeMode','value':'stateless'}]"));
    }

    @Test
    void leavesACompleteResourceAlone() {
        assertThat(Mutator.patch(ResourceKind.FLINK_DEPLOYMENT, json("{'spec':{'image':'flink'}}")))
                .isEmpty();
        assertThat(Mutator.patch(ResourceKind.FLINK_DEPLOYMENT, json("{'metadata':{'name':'x'}}")))
                .isEmpty();
        assertThat(
                        Mutator.patch(
                                ResourceKind.FLINK_DEPLOYMENT,
                                json(
                                        "{'spec':{'job':{'state':'running','upgradeMode':'savepoint'}}}")))
                .isEmpty();
    }

    @RepeatedTest(200)
    void thePatchedSpecIsTheDefaultedOneAndNeedsNoSecondPatch(RepetitionInfo repetition) {
        // Given
        var resource = resource(new Random(repetition.getCurrentRepetition()));
        var expected = resource.deepCopy();
        if (expected.get("spec") instanceof ObjectNode spec) {
            expected.set("spec", Defaults.apply(spec));
        }
        // When
        var patched = resource.deepCopy();
        Mutator.patch(ResourceKind.FLINK_DEPLOYMENT, resource)
                .ifPresent(patch -> applyAdditions(patch, patched));
        // Then
        assertThat(patched).isEqualTo(expected);
        assertThat(Mutator.patch(ResourceKind.FLINK_DEPLOYMENT, patched)).isEmpty();
    }

    @Test
    void labelsASessionJobWithItsCluster() {
        assertThat(session("{'spec':{'deploymentName':'orders'}}"))
                .contains(
                        array(
                                "[{'op':'add','path':'/metadata/labels','value':{'target.session':'orders'}}]"));
        assertThat(
                        session(
                                "{'metadata':{'labels':{'target.session':'old','a':'b'}},'spec':{'deploymentName':'orders'}}"))
                .contains(
                        array(
                                "[{'op':'add','path':'/metadata/labels/target.session','value':'orders'}]"));
        assertThat(
                        session(
                                "{'metadata':{'labels':{'target.session':'orders'}},'spec':{'deploymentName':'orders'}}"))
                .isEmpty();
        assertThat(session("{'metadata':{'labels':'wrong'},'spec':{'deploymentName':'orders'}}"))
                .isEmpty();
    }

    private static Optional<ArrayNode> session(String text) {
        return Mutator.patch(ResourceKind.FLINK_SESSION_JOB, json(text));
    }

    private static void applyAdditions(ArrayNode patch, ObjectNode target) {
        for (JsonNode operation : patch) {
            assertThat(operation.path("op").textValue()).isEqualTo("add");
            var pointer = JsonPointer.compile(operation.path("path").textValue());
            var parent = (ObjectNode) target.at(pointer.head());
            parent.set(pointer.last().getMatchingProperty(), operation.path("value"));
        }
    }

    private static ObjectNode resource(Random random) {
        var resource = json("{'metadata':{'name':'x'}}");
        if (random.nextInt(10) == 0) {
            return resource;
        }
        var spec = resource.putObject("spec");
        if (random.nextBoolean()) {
            spec.putObject("flinkConfiguration").put("a.b/c~d", random.nextInt());
        }
        if (random.nextInt(4) == 0) {
            spec.set("job", random.nextBoolean() ? spec.nullNode() : spec.textNode("wrong"));
            return resource;
        }
        var job = spec.putObject("job");
        for (String field : List.of("state", "upgradeMode", "entryClass", "parallelism")) {
            switch (random.nextInt(3)) {
                case 0 -> job.putNull(field);
                case 1 -> job.put(field, "some");
                default -> job.remove(field);
            }
        }
        return resource;
    }

    private static ObjectNode json(String text) {
        return (ObjectNode) tree(text);
    }

    private static ArrayNode array(String text) {
        return (ArrayNode) tree(text);
    }

    private static JsonNode tree(String text) {
        try {
            return new ObjectMapper().readTree(text.replace('\'', '"'));
        } catch (com.fasterxml.jackson.core.JsonProcessingException wrong) {
            throw new IllegalArgumentException(text, wrong);
        }
    }
}
