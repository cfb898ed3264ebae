// SPDX-License-Identifier: Apache-2.0
package io.sluice.operator.canary;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.sluice.api.FlinkDeployment;
import io.sluice.operator.validation.SpecValidators;
import io.sluice.operator.validation.Verdict;
import io.sluice.rules.canary.CanaryResources;
import io.sluice.rules.config.option.CheckOptions;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LabelledResourcesTest {
    @Test
    void aLabelWhereNoCanaryMayBeIsRefusedWithTheOptionThatSaysWhere() {
        assertThat(verdict("tenant", SpecValidators.NONE))
                .isInstanceOfSatisfying(
                        Verdict.Refused.class,
                        refused ->
                                assertThat(refused.problems())
                                        .singleElement()
                                        .asString()
                                        .contains(
                                                "metadata.labels[flink.apache.org/canary]: 'true'")
                                        .contains("sluice-system")
                                        .contains("'tenant/tweety'")
                                        .contains(CheckOptions.CANARY_RESOURCES.key()));
    }

    @Test
    void theLabelSparesNobodyTheValidators() {
        SpecValidators refusing = (_, _) -> new Verdict.Refused(List.of("is foreign"));

        assertThat(verdict("sluice-system", refusing))
                .isEqualTo(new Verdict.Refused(List.of("is foreign")));
        assertThat(verdict("tenant", refusing))
                .isInstanceOfSatisfying(
                        Verdict.Refused.class,
                        refused ->
                                assertThat(refused.problems()).hasSize(2).contains("is foreign"));
    }

    @Test
    void aCanaryWhereItMayBeIsAccepted() {
        assertThat(verdict("sluice-system", SpecValidators.NONE)).isEqualTo(new Verdict.Accepted());
    }

    private static Verdict verdict(String namespace, SpecValidators others) {
        var resource = new FlinkDeployment();
        resource.setMetadata(
                new ObjectMetaBuilder()
                        .withNamespace(namespace)
                        .withName("tweety")
                        .withLabels(Map.of("flink.apache.org/canary", "true"))
                        .build());
        return new LabelledResources(() -> new CanaryResources(Set.of("sluice-system")), others)
                .of(resource, JsonNodeFactory.instance.objectNode());
    }
}
