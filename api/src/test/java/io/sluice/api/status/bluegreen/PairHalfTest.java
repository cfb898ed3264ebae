// SPDX-License-Identifier: Apache-2.0
package io.sluice.api.status.bluegreen;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.OwnerReferenceBuilder;
import io.sluice.api.FlinkDeployment;
import java.util.List;
import org.junit.jupiter.api.Test;

class PairHalfTest {
    @Test
    void isKnownByItsControllerAndItsName() {
        OwnerReference pair = owner("FlinkBlueGreenDeployment", true);

        assertThat(PairHalf.of(named("orders-green", pair)))
                .contains(new PairHalf("orders", "u-1", HalfColor.GREEN))
                .map(PairHalf::other)
                .map(PairHalf::name)
                .contains("orders-blue");
        assertThat(PairHalf.of(named("orders-blue", pair)).map(PairHalf::name))
                .contains("orders-blue");
    }

    @Test
    void isNothingElseThatHasSuchANameOrSuchAnOwner() {
        assertThat(PairHalf.of(named("orders-green"))).isEmpty();
        assertThat(PairHalf.of(named("orders-red", owner("FlinkBlueGreenDeployment", true))))
                .isEmpty();
        assertThat(PairHalf.of(named("orders-green", owner("FlinkBlueGreenDeployment", false))))
                .isEmpty();
        assertThat(PairHalf.of(named("orders-green", owner("FlinkDeployment", true)))).isEmpty();
    }

    static FlinkDeployment named(String name, OwnerReference... owners) {
        FlinkDeployment half = new FlinkDeployment();
        half.getMetadata().setName(name);
        half.getMetadata().setOwnerReferences(List.of(owners));
        return half;
    }

    static OwnerReference owner(String kind, boolean isController) {
        return new OwnerReferenceBuilder()
                .withApiVersion("flink.apache.org/v1beta1")
                .withKind(kind)
                .withName("orders")
                .withUid("u-1")
                .withController(isController)
                .build();
    }
}
