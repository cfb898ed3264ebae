// SPDX-License-Identifier: Apache-2.0
package io.sluice.process.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import java.util.Map;
import org.junit.jupiter.api.Test;

class KubernetesEventTest {
    @Test
    void isNamedByTheFormulaOfTheWireContractInLowerCase() {
        int hash = "ScalingReportScalingExecutorNormalFlinkDeploymentordersu-1".hashCode();

        assertThat(event("u-1", "ScalingReport", "ScalingExecutor", "1 -> 2").name())
                .isEqualTo("operator." + (hash & 0x7FFFFFFF));
    }

    @Test
    void hasTheSameNameForAKeyWhateverTheMessage() {
        assertThat(event("u-1", "ScalingReport", "k", "1 -> 2").name())
                .isEqualTo(event("u-1", "ScalingReport", "k", "2 -> 1").name());
    }

    @Test
    void hasAnotherNameForAnotherKey() {
        assertThat(event("u-1", "AutoscalerError", "a", "a").name())
                .isNotEqualTo(event("u-1", "AutoscalerError", "b", "a").name());
    }

    @Test
    void hasAnotherNameForAResourceThatIsCreatedAgain() {
        assertThat(event("u-1", "AutoscalerError", "a", "a").name())
                .isNotEqualTo(event("u-2", "AutoscalerError", "a", "a").name());
    }

    private static KubernetesEvent event(String uid, String reason, String key, String message) {
        return new KubernetesEvent(
                new ObjectReferenceBuilder()
                        .withKind("FlinkDeployment")
                        .withNamespace("shop")
                        .withName("orders")
                        .withUid(uid)
                        .build(),
                KubernetesEvent.Type.NORMAL,
                "Operator",
                reason,
                key,
                message,
                Map.of(),
                KubernetesEvent.Repetition.COUNTED);
    }
}
