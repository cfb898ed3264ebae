// SPDX-License-Identifier: Apache-2.0
package io.sluice.cli.why;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sluice.api.spec.ResourceKind;
import io.sluice.cli.cluster.Finding;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChoiceTest {
    private static final Finding DEPLOYMENT = new Finding.Found(Resources.deployment("{}"));
    private static final Finding ABSENT = new Finding.Absent();

    @Test
    void aBareNameIsLookedUpAmongTheFourKinds() {
        assertThat(Choice.kinds(Choice.argument("orders")))
                .containsExactlyInAnyOrder(ResourceKind.values());
        assertThat(Choice.kinds(Choice.argument("flinksnp/orders")))
                .containsExactly(ResourceKind.FLINK_STATE_SNAPSHOT);
    }

    @Test
    void theOnlyOneIsMeantEvenIfOthersCannotBeSeen() {
        assertThat(choose(DEPLOYMENT, new Finding.Hidden(ResourceKind.FLINK_SESSION_JOB), ABSENT))
                .isEqualTo("orders");
    }

    @Test
    void twoOfANameHaveToBeToldApart() {
        assertThatThrownBy(
                        () ->
                                choose(
                                        DEPLOYMENT,
                                        new Finding.Found(
                                                Resources.resource(
                                                        ResourceKind.FLINK_BLUE_GREEN_DEPLOYMENT,
                                                        "{}",
                                                        "{}"))))
                .hasMessageContaining("write flinkdep/orders or flinkbgdep/orders");
    }

    @Test
    void whereThereIsNoneAMissingRightIsNamed() {
        assertThatThrownBy(() -> choose(ABSENT, new Finding.Hidden(ResourceKind.FLINK_SESSION_JOB)))
                .hasMessageContaining(
                        "no right to get flinksessionjobs.flink.apache.org in namespace 'shop'");
        assertThatThrownBy(() -> choose(ABSENT, ABSENT))
                .hasMessageContaining("there is no resource 'orders' in namespace 'shop'");
    }

    @Test
    void whatNamesNoResourceIsRefused() {
        assertThatThrownBy(() -> Choice.argument("pods/orders"))
                .isInstanceOf(NotExplained.class)
                .hasMessageContaining("'pods/orders' names no resource");
    }

    private static String choose(Finding... found) {
        return Choice.of(Choice.argument("orders"), List.of(found), "shop").getMetadata().getName();
    }
}
