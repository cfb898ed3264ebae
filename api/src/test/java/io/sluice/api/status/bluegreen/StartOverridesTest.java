// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.sluice.api.FlinkDeployment;
import io.sluice.api.status.ReconciledSpec;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StartOverridesTest {
    private static final Map<String, String> ASKED = Map.of("parallelismOverrides", "aa:4,bb:2");

    @Test
    void aHalfHasThemInAnnotationsAndNothingElseHas() {
        assertThat(StartOverrides.annotations(ASKED))
                .isEqualTo(Map.of("sluice.io/autoscaler.parallelismOverrides", "aa:4,bb:2"));
        assertThat(read(half(ASKED), "")).isEqualTo(ASKED);

        FlinkDeployment alone = half(ASKED);
        alone.getMetadata().getOwnerReferences().clear();
        assertThat(read(alone, "")).isEmpty();
    }

    /** Anyone who may edit ConfigMaps can write any text, and annotations have a limit. */
    @Test
    void takeNothingThatIsLongerThanTheAutoscalerWritesNorWhatIsNotToBeHandedOver() {
        assertThat(
                        StartOverrides.annotations(
                                Map.of(
                                        "parallelismOverrides",
                                        "aa:1,".repeat(20_001),
                                        "configOverrides",
                                        "é".repeat(40_000),
                                        "governorHold",
                                        "DAY_BUDGET_SPENT: 1 -> 2")))
                .isEmpty();
    }

    @Test
    void countForAsLongAsTheHalfRunsWithThem() {
        assertThat(read(half(ASKED), "aa:4,bb:2,cc:9")).isEqualTo(ASKED);
        assertThat(read(half(ASKED), "aa:4")).as("the other is excluded").isEqualTo(ASKED);
        assertThat(read(half(ASKED), "aa:4,bb:3")).as("it was scaled since").isEmpty();
        assertThat(read(half(ASKED), "cc:9")).as("it runs without them").isEmpty();
    }

    @Test
    void ofMemoryAloneCountForAHalfWithoutParallelism() {
        Map<String, String> memory = Map.of("configOverrides", "overrides: {}");

        assertThat(read(half(memory), "cc:9")).isEqualTo(memory);
    }

    private static Map<String, String> read(FlinkDeployment half, String recorded) {
        return StartOverrides.of(
                half, recorded.isEmpty() ? Optional.empty() : Optional.of(status(recorded)));
    }

    private static FlinkDeployment half(Map<String, String> asked) {
        FlinkDeployment half =
                PairHalfTest.named(
                        "orders-green", PairHalfTest.owner("FlinkBlueGreenDeployment", true));
        half.getMetadata()
                .setOwnerReferences(new ArrayList<>(half.getMetadata().getOwnerReferences()));
        half.getMetadata().setAnnotations(StartOverrides.annotations(asked));
        return half;
    }

    private static ObjectNode status(String overrides) {
        ObjectNode spec = JsonNodeFactory.instance.objectNode();
        spec.putObject("flinkConfiguration")
                .put("pipeline.jobvertex-parallelism-overrides", overrides);
        ObjectNode status = JsonNodeFactory.instance.objectNode();
        status.putObject("reconciliationStatus")
                .put("lastReconciledSpec", new ReconciledSpec(spec, false).encode());
        return status;
    }
}
